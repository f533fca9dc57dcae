import type { BlockGrid } from "./block-grid.ts";

type Size = Pick<BlockGrid, "columns" | "rows">;

/** Room for the places up to so many steps around one. */
export const roomAround = (reach: number): Int32Array => new Int32Array((2 * reach + 1) ** 2 - 1);

/** Writes each place of a grid around one, itself left out, to `found`, and says how many they are. */
export function around(place: number, { columns, rows }: Size, reach: number, found: Int32Array): number {
  const [column, row] = [place % columns, Math.floor(place / columns)];
  const [right, bottom] = [Math.min(columns - 1, column + reach), Math.min(rows - 1, row + reach)];
  let count = 0;
  for (let y = Math.max(0, row - reach); y <= bottom; y += 1) {
    for (let x = Math.max(0, column - reach); x <= right; x += 1) {
      if (x === column && y === row) continue;
      found[count] = y * columns + x;
      count += 1;
    }
  }
  return count;
}

/** Which places of a grid lie beside one that counts. */
export function beside(counts: Uint8Array, size: Size): Uint8Array {
  const isBeside = new Uint8Array(counts.length);
  const near = roomAround(1);
  for (let place = 0; place < counts.length; place += 1) {
    if (counts[place] === 0) continue;
    const reached = around(place, size, 1, near);
    for (let k = 0; k < reached; k += 1) isBeside[near[k]!] = 1;
  }
  return isBeside;
}

/** Gathers the places that count into groups of such as lie beside each other. */
export function connected(counts: Uint8Array, size: Size): number[][] {
  const isOpen = counts.slice();
  const near = roomAround(1);
  const groups: number[][] = [];
  for (let start = 0; start < isOpen.length; start += 1) {
    if (isOpen[start] === 0) continue;
    isOpen[start] = 0;
    const group = [start];
    for (let at = 0; at < group.length; at += 1) {
      const reached = around(group[at]!, size, 1, near);
      for (let k = 0; k < reached; k += 1) {
        const place = near[k]!;
        if (isOpen[place] === 0) continue;
        isOpen[place] = 0;
        group.push(place);
      }
    }
    groups.push(group);
  }
  return groups;
}
