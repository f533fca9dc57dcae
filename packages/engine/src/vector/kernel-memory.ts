import { readFileSync } from "node:fs";

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of the WebAssembly interface used here; Node's type declarations leave it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Kernels };
};

/** The compiled kernels of `kernels/`; pointers are byte offsets into `memory`. */
interface Kernels {
  readonly memory: Memory;
  readonly heapBase: { readonly value: number };
  blur(
    source: number,
    target: number,
    width: number,
    height: number,
    taps: number,
    radius: number,
    scratch: number,
  ): void;
  double(source: number, target: number, width: number, height: number): void;
  halve(source: number, target: number, width: number, height: number): void;
  findCandidates(
    layers: number,
    layerCount: number,
    width: number,
    height: number,
    border: number,
    threshold: number,
    rows: number,
    rowStride: number,
    targets: number,
    limit: number,
    counts: number,
  ): void;
  directionHistogram(
    layer: number,
    width: number,
    height: number,
    column: number,
    row: number,
    radius: number,
    fall: number,
  ): void;
  readonly directions: { readonly value: number };
  describe(
    layer: number,
    width: number,
    height: number,
    column: number,
    row: number,
    radius: number,
    cos: number,
    sin: number,
    turn: number,
  ): void;
  readonly descriptor: { readonly value: number };
  clearDesk(): void;
  setVocabulary(tables: number, permutations: number): void;
  nearestWords(descriptors: number, count: number, words: number, scratch: number): void;
  nearestTwo(
    descriptors: number,
    count: number,
    others: number,
    otherCount: number,
    far: number,
    planes: number,
    target: number,
  ): void;
  blake3Start(): void;
  blake3Chunks(input: number, count: number): void;
  blake3End(input: number, length: number, target: number): void;
  luma(rgb: number, target: number, count: number): void;
  accumulate(row: number, sums: number, weight: number, count: number): void;
}

const PAGE = 65_536;
const ALIGNMENT = 64;

const module = new WebAssembly.Module(readFileSync(new URL("../../kernels/kernels.wasm", import.meta.url)));

/** This thread's instance. */
export const kernels: Kernels = new WebAssembly.Instance(module).exports;

let top = Math.ceil(kernels.heapBase.value / ALIGNMENT) * ALIGNMENT;

/** Bytes that `take` uses up for a piece of this length: rounded up, with room for reading and writing past its end. */
export function roomFor(bytes: number): number {
  return (Math.ceil(bytes / ALIGNMENT) + 1) * ALIGNMENT;
}

/**
 * A stretch of the kernels' memory. Rooms open and close like a stack; closing one zeroes it. Opening one may move the
 * memory, so views made before are void.
 */
export class Room implements Disposable {
  readonly #start: number;
  readonly #end: number;
  #next: number;

  /**
   * @param bytes sum of `roomFor` over the pieces that will be taken
   * @param above what rooms opened on top of this one may take without moving the memory
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
  take(bytes: number): number {
    const at = this.#next;
    this.#next += roomFor(bytes);
    if (this.#next > this.#end) throw new RangeError("The room is too small.");
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

export function bytesAt(pointer: number, length: number): Uint8Array {
  return new Uint8Array(kernels.memory.buffer, pointer, length);
}

export function integersAt(pointer: number, length: number): Int32Array {
  return new Int32Array(kernels.memory.buffer, pointer, length);
}

export function wordsAt(pointer: number, length: number): Uint32Array {
  return new Uint32Array(kernels.memory.buffer, pointer, length);
}
