import type { Luma } from "./features.ts";

/** An 8-bit RGB raster, row-major, three bytes a pixel, owned by whoever holds it. */
export interface Rgb {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** BT.601 weights in 1/16384; they add up to 16384, so that grey stays grey. */
const RED = 4899;
const GREEN = 9617;
const BLUE = 1868;

/** How source samples along one axis fall into target cells: per target cell its first source index and weights. */
interface AreaWeights {
  readonly first: Int32Array;
  readonly taps: number;
  /** `taps` weights a cell, each cell's adding up to one. */
  readonly weights: Float64Array;
}

function areaWeights(from: number, to: number): AreaWeights {
  const ratio = from / to;
  const taps = Math.ceil(ratio) + 1;
  const first = new Int32Array(to);
  const weights = new Float64Array(to * taps);
  for (let cell = 0; cell < to; cell++) {
    const start = cell * ratio;
    const end = Math.min(from, start + ratio);
    const origin = Math.min(Math.floor(start), from - 1);
    first[cell] = origin;
    for (let tap = 0; tap < taps && origin + tap < from; tap++) {
      const covered = Math.min(end, origin + tap + 1) - Math.max(start, origin + tap);
      weights[cell * taps + tap] = Math.max(0, covered) / (end - start);
    }
  }
  return { first, taps, weights };
}

/** Adds up source rows into target rows; rows are pushed from the top, one at a time. */
class AreaShrinker {
  readonly #columns: AreaWeights;
  readonly #rowRatio: number;
  readonly #target: Luma;
  readonly #sums: Float64Array;
  readonly #line: Float64Array;
  readonly #fromHeight: number;
  #sourceRow = 0;
  #targetRow = 0;

  constructor(fromWidth: number, fromHeight: number, target: Luma) {
    this.#columns = areaWeights(fromWidth, target.width);
    this.#rowRatio = fromHeight / target.height;
    this.#fromHeight = fromHeight;
    this.#target = target;
    this.#sums = new Float64Array(target.width);
    this.#line = new Float64Array(target.width);
  }

  push(row: Uint8Array): void {
    this.#shrinkLine(row);
    const top = this.#sourceRow++;
    let from = top;
    while (this.#targetRow < this.#target.height) {
      const end = Math.min(this.#fromHeight, (this.#targetRow + 1) * this.#rowRatio);
      const covered = Math.min(end, top + 1) - from;
      for (let x = 0; x < this.#sums.length; x++) this.#sums[x]! += covered * this.#line[x]!;
      if (end > top + 1 && this.#sourceRow < this.#fromHeight) return;
      this.#finishRow();
      if (end >= top + 1) return;
      from = end;
    }
  }

  #shrinkLine(row: Uint8Array): void {
    const { first, taps, weights } = this.#columns;
    for (let x = 0, w = 0; x < first.length; x++, w += taps) {
      const origin = first[x]!;
      let sum = 0;
      for (let tap = 0; tap < taps; tap++) {
        const weight = weights[w + tap]!;
        if (weight > 0) sum += weight * row[origin + tap]!;
      }
      this.#line[x] = sum;
    }
  }

  #finishRow(): void {
    const start = this.#targetRow * this.#target.width;
    for (let x = 0; x < this.#sums.length; x++) {
      this.#target.data[start + x] = Math.floor(this.#sums[x]! / this.#rowRatio + 0.5);
      this.#sums[x] = 0;
    }
    this.#targetRow++;
    if (this.#sourceRow === this.#fromHeight) this.#line.fill(0);
  }
}

/** The size whose longer side is `longest`, each side at least one pixel. */
export function fittedSize(
  width: number,
  height: number,
  longest: number,
): { width: number; height: number } {
  const scale = longest / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function newLuma(width: number, height: number): Luma {
  return { width, height, data: new Uint8Array(width * height) };
}

/**
 * BT.601 luma of a picture, shrunk by area averaging to at most `longest` pixels on its longer side; a smaller picture
 * keeps its size. The arithmetic is ours and exact, so that every machine gets the same bytes.
 */
export function lumaOf(picture: Rgb, longest: number): Luma {
  const { width, height, data } = picture;
  const size = Math.max(width, height) > longest ? fittedSize(width, height, longest) : { width, height };
  const target = newLuma(size.width, size.height);
  const shrinker = size.width === width ? null : new AreaShrinker(width, height, target);
  const row = new Uint8Array(width);
  for (let y = 0; y < height; y++) {
    const line = shrinker === null ? target.data.subarray(y * width, (y + 1) * width) : row;
    for (let x = 0, at = 3 * y * width; x < width; x++, at += 3) {
      line[x] = (RED * data[at]! + GREEN * data[at + 1]! + BLUE * data[at + 2]! + 8192) >> 14;
    }
    shrinker?.push(row);
  }
  row.fill(0);
  return target;
}

/** Area average of a luma raster at a smaller size. */
export function shrinkLuma(luma: Luma, width: number, height: number): Luma {
  const target = newLuma(width, height);
  const shrinker = new AreaShrinker(luma.width, luma.height, target);
  for (let y = 0; y < luma.height; y++) {
    shrinker.push(luma.data.subarray(y * luma.width, (y + 1) * luma.width));
  }
  return target;
}

/** Catmull-Rom weight of a sample at distance `t`, 0 to 2. */
function cubicWeight(t: number): number {
  if (t < 1) return (1.5 * t - 2.5) * t * t + 1;
  return t < 2 ? ((-0.5 * t + 2.5) * t - 4) * t + 2 : 0;
}

/** Cubic enlargement of a luma raster, edges held; pixel centres keep their places. */
export function enlargeLuma(luma: Luma, width: number, height: number): Luma {
  const rows = new Float64Array(width * luma.height);
  for (let x = 0; x < width; x++) {
    const at = ((x + 0.5) * luma.width) / width - 0.5;
    for (let tap = Math.floor(at) - 1; tap <= Math.floor(at) + 2; tap++) {
      const column = Math.min(luma.width - 1, Math.max(0, tap));
      const weight = cubicWeight(Math.abs(at - tap));
      for (let y = 0; y < luma.height; y++)
        rows[y * width + x]! += weight * luma.data[y * luma.width + column]!;
    }
  }
  const target = newLuma(width, height);
  const line = new Float64Array(width);
  for (let y = 0; y < height; y++) {
    const at = ((y + 0.5) * luma.height) / height - 0.5;
    line.fill(0);
    for (let tap = Math.floor(at) - 1; tap <= Math.floor(at) + 2; tap++) {
      const start = Math.min(luma.height - 1, Math.max(0, tap)) * width;
      const weight = cubicWeight(Math.abs(at - tap));
      for (let x = 0; x < width; x++) line[x]! += weight * rows[start + x]!;
    }
    for (let x = 0; x < width; x++) {
      target.data[y * width + x] = Math.floor(Math.min(255, Math.max(0, line[x]!)) + 0.5);
    }
  }
  rows.fill(0);
  line.fill(0);
  return target;
}

/** Shrinks or enlarges to exactly the given size. */
export function resizeLuma(luma: Luma, width: number, height: number): Luma {
  if (width === luma.width && height === luma.height) return { width, height, data: luma.data.slice() };
  return width <= luma.width && height <= luma.height
    ? shrinkLuma(luma, width, height)
    : enlargeLuma(luma, width, height);
}
