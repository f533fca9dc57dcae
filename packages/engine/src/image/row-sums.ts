import type { AreaWeights } from "./resample.ts";

/** BT.601 weights in 1/16384; they add up to 16384, so that grey stays grey. */
const RED = 4899;
const GREEN = 9617;
const BLUE = 1868;

/** One row of luma and the weighted sum of rows that it is added to; the part of shrinking that touches every pixel. */
export interface RowSums extends Disposable {
  /** The current row, bytes. */
  readonly row: Uint8Array;
  /** The sum so far, float32. */
  readonly sums: Float32Array;
  /** Makes the current row from RGB bytes. */
  readonly setRgb: (rgb: Uint8Array) => void;
  /** Adds the current row, weighted, to the sum. */
  readonly add: (weight: number) => void;
  /** Writes the averages of the sum over the cells of a target row, a byte each. */
  readonly average: (into: Uint8Array) => void;
}

/** `RowSums` in plain TypeScript: what the vectorised ones are checked against. */
export function referenceRowSums(width: number, columns: AreaWeights): RowSums {
  const { first, length, taps, weights } = columns;
  const row = new Uint8Array(width);
  const sums = new Float32Array(width);
  const { fround } = Math;
  return {
    row,
    sums,
    setRgb: (rgb) => {
      for (let x = 0, at = 0; x < width; x += 1, at += 3) {
        row[x] = (RED * rgb[at]! + GREEN * rgb[at + 1]! + BLUE * rgb[at + 2]! + 8192) >> 14;
      }
    },
    add: (weight) => {
      const factor = fround(weight);
      for (let x = 0; x < width; x += 1) sums[x] = sums[x]! + fround(factor * row[x]!);
    },
    average: (into) => {
      for (let x = 0, w = 0; x < into.length; x += 1, w += taps) {
        let sum = 0;
        for (let k = 0; k < length[x]!; k += 1) sum += weights[w + k]! * sums[first[x]! + k]!;
        into[x] = Math.min(255, Math.floor(sum + 0.5));
      }
    },
    [Symbol.dispose]: () => {
      row.fill(0);
      sums.fill(0);
    },
  };
}
