import { Arena, arenaBytes, bytesAt, floatsAt } from "../wasm/arena.ts";
import { kernels } from "../wasm/kernels.ts";
import { BITS_PER_BLOCK, BLOCK, NIBBLES_PER_BLOCK } from "./projections.ts";

const FLOAT = 4;
/** What vectors read and write past the end of a piece. */
const SPARE = 16;
const PATTERNS = 16;
const LINE = 64;

/** Projects one block after the other, at every shift of up to `radius` cells; `projectPatch` with the vector kernels. */
export class BlockProjector implements Disposable {
  readonly #arena: Arena;
  readonly #radius: number;
  readonly #at: {
    readonly patch: number;
    readonly nibbles: number;
    readonly table: number;
    readonly products: number;
  };
  /** The band-pass map around the block, (BLOCK + 2 radius) cells square. */
  readonly patch: Float32Array;
  readonly nibbles: Uint8Array;
  /** As `projectPatch` orders them. */
  readonly products: Float32Array;

  constructor(radius: number) {
    const side = BLOCK + 2 * radius;
    const products = BITS_PER_BLOCK * (2 * radius + 1) ** 2;
    const sizes = [
      FLOAT * side * side + SPARE,
      NIBBLES_PER_BLOCK,
      side * PATTERNS * LINE,
      FLOAT * products + SPARE,
    ] as const;
    this.#arena = new Arena(sizes.reduce((sum, size) => sum + arenaBytes(size), 0));
    const [patch, nibbles, table, target] = sizes.map((size) => this.#arena.allocate(size)) as [
      number,
      number,
      number,
      number,
    ];
    this.#radius = radius;
    this.#at = { patch, nibbles, table, products: target };
    this.patch = floatsAt(patch, side * side);
    this.nibbles = bytesAt(nibbles, NIBBLES_PER_BLOCK);
    this.products = floatsAt(target, products);
  }

  /** Makes the products of the patch under the nibbles. */
  project(): void {
    const { patch, nibbles, table, products } = this.#at;
    kernels.projectPatch(patch, this.#radius, nibbles, table, products);
  }

  [Symbol.dispose](): void {
    this.#arena[Symbol.dispose]();
  }
}
