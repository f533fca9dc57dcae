import type { Luma, Rgb } from "./luma.ts";
import { areaWeights, CUBIC_TAPS, cubicWeights } from "./resample.ts";
import type { RowSums } from "./row-sums.ts";
import { vectorRowSums } from "./vector-row-sums.ts";

/** Area average of source rows, which `load` makes the current one of `rows` in turn. */
function shrinkRows(height: number, rows: RowSums, target: Luma, load: (row: number) => void): void {
  const lines = areaWeights(height, target.height, "from-start");
  let loaded = -1;
  for (let y = 0; y < target.height; y += 1) {
    rows.sums.fill(0);
    for (let tap = 0; tap < lines.length[y]!; tap += 1) {
      const source = lines.first[y]! + tap;
      if (source !== loaded) load(source);
      loaded = source;
      rows.add(lines.weights[y * lines.taps + tap]!);
    }
    rows.average(target.data.subarray(y * target.width, (y + 1) * target.width));
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
export function lumaOf(picture: Rgb, longest: number, open: typeof vectorRowSums = vectorRowSums): Luma {
  const { width, height, data } = picture;
  const larger = Math.max(width, height) > longest;
  const size = larger ? fittedSize(width, height, longest) : { width, height };
  const target = newLuma(size.width, size.height);
  using rows = open(width, areaWeights(width, size.width, "from-start"));
  const load = (y: number): void => rows.setRgb(data.subarray(3 * y * width, 3 * (y + 1) * width));
  if (larger) shrinkRows(height, rows, target, load);
  else {
    for (let y = 0; y < height; y += 1) {
      load(y);
      target.data.set(rows.row, y * width);
    }
  }
  return target;
}

/** A part of a raster, pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A copy of a part of a luma raster. */
export function cutLuma(luma: Luma, { x, y, width, height }: Box): Luma {
  const target = newLuma(width, height);
  for (let row = 0; row < height; row += 1) {
    const from = (y + row) * luma.width + x;
    target.data.set(luma.data.subarray(from, from + width), row * width);
  }
  return target;
}

/** Area average of a luma raster at a smaller size. */
export function shrinkLuma(
  luma: Luma,
  width: number,
  height: number,
  open: typeof vectorRowSums = vectorRowSums,
): Luma {
  const target = newLuma(width, height);
  using rows = open(luma.width, areaWeights(luma.width, width, "from-start"));
  shrinkRows(luma.height, rows, target, (y) => {
    rows.row.set(luma.data.subarray(y * luma.width, (y + 1) * luma.width));
  });
  return target;
}

/** Cubic enlargement of a luma raster, edges held; pixel centres keep their places. */
export function enlargeLuma(luma: Luma, width: number, height: number): Luma {
  const columns = cubicWeights(luma.width, width);
  const rows = new Float64Array(width * luma.height);
  for (let y = 0, to = 0; y < luma.height; y += 1) {
    const line = luma.data.subarray(y * luma.width, (y + 1) * luma.width);
    for (let x = 0, tap = 0; x < width; x += 1, to += 1) {
      let sum = 0;
      for (let k = 0; k < CUBIC_TAPS; k += 1, tap += 1) {
        sum += columns.weights[tap]! * line[columns.places[tap]!]!;
      }
      rows[to] = sum;
    }
  }
  const lines = cubicWeights(luma.height, height);
  const target = newLuma(width, height);
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, to += 1) {
      let sum = 0;
      for (let tap = CUBIC_TAPS * y; tap < CUBIC_TAPS * (y + 1); tap += 1) {
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
