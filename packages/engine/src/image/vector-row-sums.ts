import type { RowSums } from "./row-sums.ts";
import { bytesAt, floatsAt, Arena, arenaBytes } from "../wasm/arena.ts";
import { kernels } from "../wasm/kernels.ts";

/** `RowSums` with the vector kernels. */
export function vectorRowSums(width: number): RowSums {
  const arena = new Arena(arenaBytes(3 * width) + arenaBytes(width) + arenaBytes(4 * width));
  const [rgb, row, sums] = [arena.allocate(3 * width), arena.allocate(width), arena.allocate(4 * width)];
  const pixels = bytesAt(rgb, 3 * width);
  return {
    row: bytesAt(row, width),
    sums: floatsAt(sums, width),
    setRgb: (bytes) => {
      pixels.set(bytes);
      kernels.luma(rgb, row, width);
    },
    add: (weight) => kernels.accumulate(row, sums, weight, width),
    [Symbol.dispose]: () => arena[Symbol.dispose](),
  };
}
