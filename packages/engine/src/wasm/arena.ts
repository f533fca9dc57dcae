import { kernels } from "./kernels.ts";

const PAGE = 65_536;
const ALIGNMENT = 64;

let top = Math.ceil(kernels.heapBase.value / ALIGNMENT) * ALIGNMENT;

/** Bytes that a piece of this length takes: rounded up, with room for reading and writing past its end. */
export function pieceBytes(bytes: number): number {
  return (Math.ceil(bytes / ALIGNMENT) + 1) * ALIGNMENT;
}

/** How many bytes the pieces of an arena are to have, by their names. */
export type Pieces<Name extends PropertyKey> = Readonly<Record<Name, number>>;

/** Bytes that an arena of these pieces takes. */
export function arenaBytes(pieces: Pieces<string>): number {
  return Object.values(pieces).reduce((sum, bytes) => sum + pieceBytes(bytes), 0);
}

/**
 * A stretch of the kernels' memory, in pieces. Arenas open and close like a stack; closing one zeroes it. Opening one
 * may move the memory, so views made before are void.
 */
export class Arena<Name extends PropertyKey> implements Disposable {
  /** The pointers of its pieces. */
  readonly at: Readonly<Record<Name, number>>;
  readonly #start: number;
  readonly #end: number;

  /** @param above what arenas opened on top of this one may take without moving the memory */
  constructor(pieces: Pieces<Name>, above = 0) {
    const at: Record<string, number> = {};
    let end = top;
    for (const [name, bytes] of Object.entries<number>(pieces)) {
      at[name] = end;
      end += pieceBytes(bytes);
    }
    const missing = end + above - kernels.memory.buffer.byteLength;
    if (missing > 0) kernels.memory.grow(Math.ceil(missing / PAGE));
    this.at = at as Record<Name, number>;
    this.#start = top;
    this.#end = end;
    top = end;
  }

  [Symbol.dispose](): void {
    new Uint8Array(kernels.memory.buffer, this.#start, this.#end - this.#start).fill(0);
    top = this.#start;
  }
}

export function floatsAt(pointer: number, length: number): Float32Array {
  return new Float32Array(kernels.memory.buffer, pointer, length);
}

export function doublesAt(pointer: number, length: number): Float64Array {
  return new Float64Array(kernels.memory.buffer, pointer, length);
}

export function bytesAt(pointer: number, length: number): Uint8Array {
  return new Uint8Array(kernels.memory.buffer, pointer, length);
}

export function samplesAt(pointer: number, length: number): Int16Array {
  return new Int16Array(kernels.memory.buffer, pointer, length);
}

export function integersAt(pointer: number, length: number): Int32Array {
  return new Int32Array(kernels.memory.buffer, pointer, length);
}

export function wordsAt(pointer: number, length: number): Uint32Array {
  return new Uint32Array(kernels.memory.buffer, pointer, length);
}
