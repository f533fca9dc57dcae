import type { Luma } from "../features.ts";

const BLOCK = 16;
const QUARTILE = 0.25;

/**
 * Standard deviation of the noise in a picture, luma levels: the lower quartile, over blocks of 16 x 16 pixels, of Immerkaer's
 * estimate (mean absolute response to the 3 x 3 mask 1 -2 1, -2 4 -2, 1 -2 1). Texture raises a block's estimate, so
 * the smoother quarter of the picture decides.
 */
export function noiseOf({ width, height, data }: Luma): number {
  const estimates: number[] = [];
  for (let top = 1; top + BLOCK < height; top += BLOCK)
    for (let left = 1; left + BLOCK < width; left += BLOCK) {
      let sum = 0;
      for (let y = top; y < top + BLOCK; y += 1)
        for (let x = left; x < left + BLOCK; x += 1) {
          const at = y * width + x;
          const above = data[at - width - 1]! - 2 * data[at - width]! + data[at - width + 1]!;
          const level = data[at - 1]! - 2 * data[at]! + data[at + 1]!;
          const below = data[at + width - 1]! - 2 * data[at + width]! + data[at + width + 1]!;
          sum += Math.abs(above - 2 * level + below);
        }
      estimates.push((Math.sqrt(Math.PI / 2) * sum) / (6 * BLOCK * BLOCK));
    }
  return estimates.toSorted((a, b) => a - b)[Math.floor(QUARTILE * estimates.length)] ?? 0;
}
