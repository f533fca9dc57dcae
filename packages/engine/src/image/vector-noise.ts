import { Arena, bytesAt, integersAt } from "../wasm/arena.ts";
import { kernels } from "../wasm/kernels.ts";
import type { Luma } from "./luma.ts";
import { BLOCK, noiseFrom } from "./noise.ts";

/** `noiseOf` with the vector kernels. */
export function vectorNoise({ width, height, data }: Luma): number {
  const across = Math.max(0, Math.floor((width - 2) / BLOCK));
  const down = Math.max(0, Math.floor((height - 2) / BLOCK));
  const sums = new Int32Array(across * down);
  const bytes = (BLOCK + 2) * width;
  using arena = new Arena({ rows: bytes, target: 4 * across });
  const { rows, target } = arena.at;
  for (let row = 0; row < down; row += 1) {
    bytesAt(rows, bytes).set(data.subarray(row * BLOCK * width, row * BLOCK * width + bytes));
    kernels.bendSums(rows, width, across, target);
    sums.set(integersAt(target, across), row * across);
  }
  return noiseFrom(sums);
}
