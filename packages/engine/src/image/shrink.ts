import type { Luma } from "./luma.ts";
import type { Plane } from "./plane.ts";
import { areaWeights } from "./resample.ts";

/** Every row at `width` cells, one below the other. */
function shrinkRows({ width: from, height, data }: Luma | Plane, width: number): Float32Array {
  const { first, length, taps, weights } = areaWeights(from, width, "multiples");
  const singles = Float32Array.from(weights);
  const rows = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const start = y * from + first[x]!;
      const count = length[x]!;
      let sum = 0;
      for (let k = 0; k < count; k += 1) sum += singles[x * taps + k]! * data[start + k]!;
      rows[y * width + x] = sum;
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
