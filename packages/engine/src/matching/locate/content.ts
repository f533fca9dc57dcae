import type { Features } from "../../features/features.ts";
import type { Polygon } from "../../geometry/polygon.ts";

/** Cells along the original's longer side. */
const CELLS = 36;
/**
 * Empty cells between two that show something, at most so many in a row, belong to what is shown: the inside of a
 * letter, the space of a line.
 */
const MOST_BETWEEN = CELLS / 3;

interface Grid {
  readonly columns: number;
  readonly rows: number;
  /** 1 for a cell that shows something, row by row. */
  readonly shown: Uint8Array;
}

const cell = (position: number, side: number, cells: number): number =>
  Math.min(cells - 1, Math.max(0, Math.floor(((position + 0.5) / side) * cells)));

/** Marks the cells in which a point lies. */
function marked({ width, height, count, x, y }: Features): Grid {
  const longer = Math.max(width, height);
  const columns = Math.max(1, Math.round((CELLS * width) / longer));
  const rows = Math.max(1, Math.round((CELLS * height) / longer));
  const shown = new Uint8Array(columns * rows);
  for (let k = 0; k < count; k += 1) {
    shown[cell(y[k]!, height, rows) * columns + cell(x[k]!, width, columns)] = 1;
  }
  return { columns, rows, shown };
}

/**
 * Fills the short gaps of every line of cells: `lines` of them, `length` cells each, `step` from cell to cell and
 * `next` from line to line.
 */
function fillGaps(shown: Uint8Array, lines: number, length: number, step: number, next: number): void {
  for (let line = 0; line < lines; line += 1) {
    let last = -1;
    for (let k = 0; k < length; k += 1) {
      if (shown[line * next + k * step] === 0) continue;
      if (last >= 0 && k - last - 1 <= MOST_BETWEEN) {
        for (let between = last + 1; between < k; between += 1) shown[line * next + between * step] = 1;
      }
      last = k;
    }
  }
}

interface Rectangle {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  bottom: number;
}

/** The cells as few rectangles: runs of a row, joined with equal ones of the row above. */
function rectangles({ columns, rows, shown }: Grid): Rectangle[] {
  const all: Rectangle[] = [];
  let above: Rectangle[] = [];
  for (let row = 0; row < rows; row += 1) {
    const runs: Rectangle[] = [];
    for (let left = 0; left < columns; left += 1) {
      if (shown[row * columns + left] === 0) continue;
      let right = left;
      while (right < columns && shown[row * columns + right] === 1) right += 1;
      const joined = above.find((run) => run.left === left && run.right === right);
      if (joined === undefined) all.push({ left, right, top: row, bottom: row + 1 });
      else joined.bottom = row + 1;
      runs.push(joined ?? all.at(-1)!);
      left = right;
    }
    above = runs;
  }
  return all;
}

/**
 * Where an original shows anything, in its unit square: the cells in which it has points, with the short gaps between
 * them. Empty ground, around or between what is shown, is left out. Rectangles side by side.
 */
export function contentOf(features: Features): readonly Polygon[] {
  const grid = marked(features);
  const { columns, rows, shown } = grid;
  fillGaps(shown, rows, columns, 1, columns);
  fillGaps(shown, columns, rows, columns, 1);
  return rectangles(grid).map(({ left, right, top, bottom }) => [
    [left / columns, top / rows],
    [right / columns, top / rows],
    [right / columns, bottom / rows],
    [left / columns, bottom / rows],
  ]);
}
