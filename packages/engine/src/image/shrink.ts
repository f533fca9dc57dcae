import type { Luma } from "./luma.ts";
import type { Plane } from "./plane.ts";
import { areaWeights } from "./resample.ts";

/** Every row at `width` cells, one below the other. */
function shrinkRows({ width: from, height, data }: Luma | Plane, width: number): Float32Array {
  const { first, length, taps, weights } = areaWeights(from, width, "multiples");
  const singles = Float32Array.from(weights);
  const rows = new Float32Array(width * height);
  // Four rows at a time: alone, each addition to a sum would wait for the one before. The last rows may be made twice.
  for (let top = 0; top < height; top += 4) {
    const y0 = top;
    const y1 = Math.min(top + 1, height - 1);
    const y2 = Math.min(top + 2, height - 1);
    const y3 = Math.min(top + 3, height - 1);
    for (let x = 0; x < width; x += 1) {
      const start = first[x]!;
      const count = length[x]!;
      let sum0 = 0;
      let sum1 = 0;
      let sum2 = 0;
      let sum3 = 0;
      for (let k = 0; k < count; k += 1) {
        const weight = singles[x * taps + k]!;
        const column = start + k;
        sum0 += weight * data[y0 * from + column]!;
        sum1 += weight * data[y1 * from + column]!;
        sum2 += weight * data[y2 * from + column]!;
        sum3 += weight * data[y3 * from + column]!;
      }
      rows[y0 * width + x] = sum0;
      rows[y1 * width + x] = sum1;
      rows[y2 * width + x] = sum2;
      rows[y3 * width + x] = sum3;
    }
  }
  return rows;
}

/** Shrinks by area averaging; neither side may grow: what the vector kernels are checked against. */
export function shrink(source: Luma | Plane, width: number, height: number): Plane {
  if (width === source.width && height === source.height) {
    return { width, height, data: Float32Array.from(source.data) };
  }
  const rows = shrinkRows(source, width);
  const { first, length, taps, weights } = areaWeights(source.height, height, "multiples");
  const data = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let k = 0; k < length[y]!; k += 1) {
      const weight = Math.fround(weights[y * taps + k]!);
      const base = (first[y]! + k) * width;
      for (let x = 0; x < width; x += 1) data[y * width + x]! += weight * rows[base + x]!;
    }
  }
  return { width, height, data };
}
