import { LaidWeights } from "./laid-weights.ts";
import type { AreaWeights } from "./resample.ts";
import type { RowSums } from "./row-sums.ts";
import { Arena, bytesAt, floatsAt } from "../wasm/arena.ts";
import { kernels } from "../wasm/kernels.ts";

/** `RowSums` with the vector kernels. */
export function vectorRowSums(width: number, columns: AreaWeights): RowSums {
  const cells = columns.first.length;
  const weights = new LaidWeights(columns);
  const arena = new Arena({ rgb: 3 * width, row: width, sums: 4 * width, target: cells });
  const { rgb, row, sums, target } = arena.at;
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
      kernels.average(sums, ...weights.pointers, columns.taps, cells, target);
      into.set(averages);
    },
    [Symbol.dispose]: () => {
      arena[Symbol.dispose]();
      weights[Symbol.dispose]();
    },
  };
}
