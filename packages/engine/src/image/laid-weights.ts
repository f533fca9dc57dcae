import { Arena, doublesAt, integersAt } from "../wasm/arena.ts";
import type { AreaWeights } from "./resample.ts";

const INTEGER = 4;
const DOUBLE = 8;

/** The weights of one axis in the kernels' memory, until it is disposed. */
export class LaidWeights implements Disposable {
  /** Pointers of where cells begin, how long they are, and the weights. */
  readonly pointers: readonly [begin: number, count: number, share: number];
  readonly #arena: Arena<"begin" | "count" | "share">;

  constructor({ first, length, weights }: AreaWeights) {
    this.#arena = new Arena({
      begin: INTEGER * first.length,
      count: INTEGER * length.length,
      share: DOUBLE * weights.length,
    });
    const { begin, count, share } = this.#arena.at;
    integersAt(begin, first.length).set(first);
    integersAt(count, length.length).set(length);
    doublesAt(share, weights.length).set(weights);
    this.pointers = [begin, count, share];
  }

  [Symbol.dispose](): void {
    this.#arena[Symbol.dispose]();
  }
}
