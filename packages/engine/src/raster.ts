import type { Luma } from "./features.ts";
import type { RowSums } from "./row-sums.ts";
import { vectorRowSums } from "./vector/vector-row-sums.ts";

/** An 8-bit RGB raster, row-major, three bytes a pixel, owned by whoever holds it. */
export interface Rgb {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

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

/** Writes one target row from the sum of its source rows. */
function shrinkRow(sums: Float32Array, { first, taps, weights }: AreaWeights, into: Uint8Array): void {
  for (let x = 0, w = 0; x < into.length; x++, w += taps) {
    const origin = first[x]!;
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      const weight = weights[w + tap]!;
      if (weight > 0) sum += weight * sums[origin + tap]!;
    }
    into[x] = Math.min(255, Math.floor(sum + 0.5));
  }
}

/** Area average of source rows, which `load` makes the current one of `rows` in turn. */
function shrinkRows(height: number, rows: RowSums, target: Luma, load: (row: number) => void): void {
  const columns = areaWeights(rows.row.length, target.width);
  const lines = areaWeights(height, target.height);
  let loaded = -1;
  for (let y = 0; y < target.height; y++) {
    rows.sums.fill(0);
    for (let tap = 0; tap < lines.taps; tap++) {
      const weight = lines.weights[y * lines.taps + tap]!;
      if (weight === 0) continue;
      const source = lines.first[y]! + tap;
      if (source !== loaded) load(source);
      loaded = source;
      rows.add(weight);
    }
    shrinkRow(rows.sums, columns, target.data.subarray(y * target.width, (y + 1) * target.width));
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
 * keeps its size. The arithmetic is ours, so that every machine gets the same bytes.
 */
export function lumaOf(
  picture: Rgb,
  longest: number,
  open: (width: number) => RowSums = vectorRowSums,
): Luma {
  const { width, height, data } = picture;
  const larger = Math.max(width, height) > longest;
  const size = larger ? fittedSize(width, height, longest) : { width, height };
  const target = newLuma(size.width, size.height);
  using rows = open(width);
  const load = (y: number): void => rows.setRgb(data.subarray(3 * y * width, 3 * (y + 1) * width));
  if (larger) shrinkRows(height, rows, target, load);
  else {
    for (let y = 0; y < height; y++) {
      load(y);
      target.data.set(rows.row, y * width);
    }
  }
  return target;
}

/** Area average of a luma raster at a smaller size. */
export function shrinkLuma(luma: Luma, width: number, height: number): Luma {
  const target = newLuma(width, height);
  using rows = vectorRowSums(luma.width);
  shrinkRows(luma.height, rows, target, (y) => {
    rows.row.set(luma.data.subarray(y * luma.width, (y + 1) * luma.width));
  });
  return target;
}

/** Catmull-Rom weight of a sample at distance `t`, 0 to 2. */
function cubicWeight(t: number): number {
  if (t < 1) return (1.5 * t - 2.5) * t * t + 1;
  return t < 2 ? ((-0.5 * t + 2.5) * t - 4) * t + 2 : 0;
}

const CUBIC_TAPS = 4;

/** Per target sample its four source samples (edges held) and their weights. */
function cubicWeights(
  from: number,
  to: number,
): { readonly places: Int32Array; readonly weights: Float64Array } {
  const places = new Int32Array(CUBIC_TAPS * to);
  const weights = new Float64Array(CUBIC_TAPS * to);
  for (let i = 0; i < CUBIC_TAPS * to; i++) {
    const at = ((Math.floor(i / CUBIC_TAPS) + 0.5) * from) / to - 0.5;
    const tap = Math.floor(at) - 1 + (i % CUBIC_TAPS);
    places[i] = Math.min(from - 1, Math.max(0, tap));
    weights[i] = cubicWeight(Math.abs(at - tap));
  }
  return { places, weights };
}

/** Cubic enlargement of a luma raster, edges held; pixel centres keep their places. */
export function enlargeLuma(luma: Luma, width: number, height: number): Luma {
  const columns = cubicWeights(luma.width, width);
  const rows = new Float64Array(width * luma.height);
  for (let y = 0, to = 0; y < luma.height; y++) {
    const line = luma.data.subarray(y * luma.width, (y + 1) * luma.width);
    for (let x = 0, tap = 0; x < width; x++, to++) {
      let sum = 0;
      for (let k = 0; k < CUBIC_TAPS; k++, tap++) sum += columns.weights[tap]! * line[columns.places[tap]!]!;
      rows[to] = sum;
    }
  }
  const lines = cubicWeights(luma.height, height);
  const target = newLuma(width, height);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to++) {
      let sum = 0;
      for (let tap = CUBIC_TAPS * y; tap < CUBIC_TAPS * (y + 1); tap++) {
        sum += lines.weights[tap]! * rows[lines.places[tap]! * width + x]!;
      }
      target.data[to] = Math.floor(Math.min(255, Math.max(0, sum)) + 0.5);
    }
  }
  rows.fill(0);
  return target;
}

/** Shrinks or enlarges to exactly the given size. */
export function resizeLuma(luma: Luma, width: number, height: number): Luma {
  if (width === luma.width && height === luma.height) return { width, height, data: luma.data.slice() };
  return width <= luma.width && height <= luma.height
    ? shrinkLuma(luma, width, height)
    : enlargeLuma(luma, width, height);
}
