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
    count: number,
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
  refineExtrema(
    layers: number,
    layerCount: number,
    width: number,
    height: number,
    border: number,
    layer: number,
    indices: number,
    count: number,
    contrast: number,
    target: number,
  ): number;
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
  clearScratch(): void;
  setVocabulary(tables: number, quantised: number, steps: number, permutations: number): void;
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
  average(
    sums: number,
    firsts: number,
    lengths: number,
    weights: number,
    taps: number,
    cells: number,
    target: number,
  ): void;
  accumulate(row: number, sums: number, weight: number, count: number): void;
  shrinkRows(
    source: number,
    width: number,
    height: number,
    firsts: number,
    lengths: number,
    weights: number,
    taps: number,
    cells: number,
    scratch: number,
    rows: number,
  ): void;
  shrinkColumns(
    rows: number,
    width: number,
    firsts: number,
    lengths: number,
    weights: number,
    taps: number,
    cells: number,
    target: number,
  ): void;
  sampleWindow(
    part: number,
    stride: number,
    partLeft: number,
    partTop: number,
    planeWidth: number,
    planeHeight: number,
    map: number,
    left: number,
    top: number,
    width: number,
    height: number,
    samples: number,
    data: number,
    inside: number,
  ): void;
  blurPlane(
    source: number,
    target: number,
    width: number,
    height: number,
    taps: number,
    radius: number,
    rows: number,
    padded: number,
  ): void;
  subtractPlane(from: number, less: number, target: number, count: number): void;
  projectBlock(
    plane: number,
    width: number,
    height: number,
    left: number,
    top: number,
    radius: number,
    stream: number,
    patch: number,
    table: number,
    products: number,
  ): void;
  measureBlocks(
    part: number,
    stride: number,
    partLeft: number,
    partTop: number,
    width: number,
    height: number,
    map: number,
    places: number,
    count: number,
    scratch: number,
    target: number,
  ): void;
  bendSums(rows: number, stride: number, count: number, target: number): void;
  patchEnergy(patch: number, radius: number): number;
  agreeAtShifts(bits: number, products: number, shifts: number, agreement: number): void;
}

const module = new WebAssembly.Module(readFileSync(new URL("../../kernels/kernels.wasm", import.meta.url)));

/** This thread's instance. */
export const kernels: Kernels = new WebAssembly.Instance(module).exports;
