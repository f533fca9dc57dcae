import { layWeights, weightBytes } from "./laid-weights.ts";
import type { AreaWeights } from "./resample.ts";
import type { RowSums } from "./row-sums.ts";
import { bytesAt, floatsAt, Arena, arenaBytes } from "../wasm/arena.ts";
import { kernels } from "../wasm/kernels.ts";

/** `RowSums` with the vector kernels. */
export function vectorRowSums(width: number, columns: AreaWeights): RowSums {
  const cells = columns.first.length;
  const rows = arenaBytes(3 * width) + arenaBytes(width) + arenaBytes(4 * width) + arenaBytes(cells);
  const arena = new Arena(rows + weightBytes(columns));
  const [rgb, row, sums] = [arena.allocate(3 * width), arena.allocate(width), arena.allocate(4 * width)];
  const target = arena.allocate(cells);
  const weights = layWeights(arena, columns);
  const pixels = bytesAt(rgb, 3 * width);
  const averages = bytesAt(target, cells);
  return {
    row: bytesAt(row, width),
    sums: floatsAt(sums, width),
    setRgb: (bytes) => {
      pixels.set(bytes);
      kernels.luma(rgb, row, width);
    },
    add: (weight) => kernels.accumulate(row, sums, weight, width),
    average: (into) => {
      kernels.average(sums, ...weights, columns.taps, cells, target);
      into.set(averages);
    },
    [Symbol.dispose]: () => arena[Symbol.dispose](),
  };
}
