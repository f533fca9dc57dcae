import type { RowSums } from "../row-sums.ts";
import { bytesAt, floatsAt, kernels, Room, roomFor } from "./kernel-memory.ts";

/** `RowSums` with the vector kernels. */
export function vectorRowSums(width: number): RowSums {
  const room = new Room(roomFor(3 * width) + roomFor(width) + roomFor(4 * width));
  const [rgb, row, sums] = [room.take(3 * width), room.take(width), room.take(4 * width)];
  const pixels = bytesAt(rgb, 3 * width);
  return {
    row: bytesAt(row, width),
    sums: floatsAt(sums, width),
    setRgb: (bytes) => {
      pixels.set(bytes);
      kernels.luma(rgb, row, width);
    },
    add: (weight) => kernels.accumulate(row, sums, weight, width),
    [Symbol.dispose]: () => room[Symbol.dispose](),
  };
}
