import type { BlockGrid } from "./block-grid.ts";

type Size = Pick<BlockGrid, "columns" | "rows">;

/** Calls back for each place of a grid around one, itself left out. */
export function around(
  place: number,
  { columns, rows }: Size,
  reach: number,
  visit: (place: number) => void,
): void {
  const [column, row] = [place % columns, Math.floor(place / columns)];
  const [right, bottom] = [Math.min(columns - 1, column + reach), Math.min(rows - 1, row + reach)];
  for (let y = Math.max(0, row - reach); y <= bottom; y += 1) {
    for (let x = Math.max(0, column - reach); x <= right; x += 1) {
      if (x !== column || y !== row) visit(y * columns + x);
    }
  }
}

/** Gathers the places that count into groups of such as lie beside each other. */
export function connected(counts: Uint8Array, size: Size): number[][] {
  const isOpen = counts.slice();
  const groups: number[][] = [];
  let group: number[] = [];
  const gather = (place: number): void => {
    if (isOpen[place] === 0) return;
    isOpen[place] = 0;
    group.push(place);
  };
  for (let start = 0; start < isOpen.length; start += 1) {
    gather(start);
    if (group.length === 0) continue;
    for (let at = 0; at < group.length; at += 1) around(group[at]!, size, 1, gather);
    groups.push(group);
    group = [];
  }
  return groups;
}
