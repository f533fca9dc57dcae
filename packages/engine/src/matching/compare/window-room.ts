import { Arena, type Pieces } from "../../wasm/arena.ts";
import { planeBytes } from "../../wasm/plane-at.ts";

/** Where the kernels' memory has room for one window: pointers. */
export interface Slot {
  /** For the luma of each cell, and for the compared band of it, float32 each. */
  readonly luma: number;
  readonly band: number;
  /** For the summed-area table of the cells inside the query, int32, (width + 1) x (height + 1). */
  readonly inside: number;
}

const INTEGER = 4;

/**
 * Room in the kernels' memory for windows of up to a layer's cells, used again and again; zeroed when it is closed,
 * after all that was opened on top of it.
 */
export class WindowRoom implements Disposable {
  readonly #arenas = new DisposableStack();
  readonly #free: Slot[] = [];
  readonly #pieces: Pieces<keyof Slot>;

  constructor({ width, height }: { readonly width: number; readonly height: number }) {
    const bytes = planeBytes(width * height);
    this.#pieces = { luma: bytes, band: bytes, inside: INTEGER * (width + 1) * (height + 1) };
  }

  /** Opens an arena where nothing is free: no other may be open that closes sooner. */
  take(): Slot {
    return this.#free.pop() ?? this.#arenas.use(new Arena(this.#pieces)).at;
  }

  giveBack({ luma, band, inside }: Slot): void {
    this.#free.push({ luma, band, inside });
  }

  [Symbol.dispose](): void {
    this.#arenas.dispose();
  }
}
