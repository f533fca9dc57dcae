import type { Luma } from "./luma.ts";

/** Side of a block, pixels. */
export const BLOCK = 16;
const QUARTILE = 0.25;

/** One column of the mask: the pixels above and below less twice the one between. */
function bendDown(data: Uint8Array, at: number, width: number): number {
  return data[at - width]! - 2 * data[at]! + data[at + width]!;
}

/** The estimate from the sums of absolute responses over the blocks of a picture. */
export function noiseFrom(sums: Int32Array): number {
  const sum = sums.toSorted()[Math.floor(QUARTILE * sums.length)] ?? 0;
  return (Math.sqrt(Math.PI / 2) * sum) / (6 * BLOCK * BLOCK);
}

/**
 * Standard deviation of the noise in a picture, luma levels: the lower quartile, over blocks of 16 x 16 pixels, of
 * Immerkaer's estimate (mean absolute response to the 3 x 3 mask 1 -2 1, -2 4 -2, 1 -2 1). Texture raises a block's
 * estimate, so the smoother quarter of the picture decides. What the vector kernels are checked against.
 */
export function noiseOf({ width, height, data }: Luma): number {
  const sums: number[] = [];
  for (let top = 1; top + BLOCK < height; top += BLOCK) {
    for (let left = 1; left + BLOCK < width; left += BLOCK) {
      let sum = 0;
      for (let y = top; y < top + BLOCK; y += 1) {
        let at = y * width + left;
        let before = bendDown(data, at - 1, width);
        let here = bendDown(data, at, width);
        for (const end = at + BLOCK; at < end; at += 1) {
          const next = bendDown(data, at + 1, width);
          sum += Math.abs(before - 2 * here + next);
          before = here;
          here = next;
        }
      }
      sums.push(sum);
    }
  }
  return noiseFrom(Int32Array.from(sums));
}
