import { kernels } from "./kernels.ts";

const PAGE = 65_536;
const ALIGNMENT = 64;

let top = Math.ceil(kernels.heapBase.value / ALIGNMENT) * ALIGNMENT;

/** Bytes that `allocate` uses up for a piece of this length: rounded up, with room for reading and writing past its end. */
export function arenaBytes(bytes: number): number {
  return (Math.ceil(bytes / ALIGNMENT) + 1) * ALIGNMENT;
}

/**
 * A stretch of the kernels' memory. Arenas open and close like a stack; closing one zeroes it. Opening one may move the
 * memory, so views made before are void.
 */
export class Arena implements Disposable {
  readonly #start: number;
  readonly #end: number;
  #next: number;

  /**
   * @param bytes sum of `arenaBytes` over the pieces that will be taken
   * @param above what arenas opened on top of this one may take without moving the memory
   */
  constructor(bytes: number, above = 0) {
    this.#start = top;
    this.#next = top;
    this.#end = top + bytes;
    top = this.#end;
    const missing = this.#end + above - kernels.memory.buffer.byteLength;
    if (missing > 0) kernels.memory.grow(Math.ceil(missing / PAGE));
  }

  /** The pointer of a fresh piece. */
  allocate(bytes: number): number {
    const at = this.#next;
    this.#next += arenaBytes(bytes);
    if (this.#next > this.#end) throw new RangeError("The arena is too small.");
    return at;
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
