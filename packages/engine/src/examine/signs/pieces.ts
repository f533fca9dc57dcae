import { type Blocks, DRAWN, NEITHER } from "./blocks.ts";

/** Levels by which the grounds of neighbours differ at most. */
export const SAME_GROUND = 10;
/**
 * Least share of a row's blocks that lie on the ground of a bar laid across a picture; the others hold more ink than
 * ground.
 */
const FULL_ROW = 0.8;
/** Share of the blocks beyond a bar of which fewer lie on its ground: else it is the margin of a page. */
const BEYOND = 0.5;
/**
 * Blocks of a sign that something is drawn on, at least; the share of its box that belongs to it; and of the picture
 * that its box takes at most.
 */
const LEAST_DRAWN = 6;
const LEAST_FILLED = 0.4;
const MOST_OF_PICTURE = 0.15;

/**
 * Blocks on one ground: how many, how many of them drawn on, the sum of their levels, and the first and last columns
 * and rows.
 */
export interface Piece {
  drawn: number;
  count: number;
  levels: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * All that lies on one ground with block `start`, each block beside another with nearly its level. Marks them in
 * `seen`.
 */
function pieceFrom(start: number, { columns, rows, kinds, grounds }: Blocks, seen: Uint8Array): Piece {
  const piece = { drawn: 0, count: 0, levels: 0, left: columns, right: 0, top: rows, bottom: 0 };
  const open = [start];
  seen[start] = 1;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const row = Math.floor(at / columns);
    const column = at % columns;
    piece.count += 1;
    piece.levels += grounds[at]!;
    if (kinds[at] === DRAWN) piece.drawn += 1;
    piece.left = Math.min(piece.left, column);
    piece.right = Math.max(piece.right, column);
    piece.top = Math.min(piece.top, row);
    piece.bottom = Math.max(piece.bottom, row);
    for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r += 1) {
      for (let c = Math.max(0, column - 1); c <= Math.min(columns - 1, column + 1); c += 1) {
        const next = r * columns + c;
        if (seen[next] === 1 || kinds[next] === NEITHER) continue;
        if (Math.abs(grounds[next]! - grounds[at]!) > SAME_GROUND) continue;
        seen[next] = 1;
        open.push(next);
      }
    }
  }
  return piece;
}

/**
 * A bar laid across a picture, from its first or last row of blocks on: rows that lie on one ground, beyond which most
 * does not, over as many rows again. Null where there is none.
 */
function barFrom(first: number, step: 1 | -1, { columns, rows, kinds, grounds }: Blocks): Piece | null {
  const shown = (row: number): number[] =>
    Array.from({ length: columns }, (_, column) => row * columns + column).filter(
      (k) => kinds[k] !== NEITHER,
    );
  const levels = shown(first)
    .map((k) => grounds[k]!)
    .toSorted((one, other) => one - other);
  const level = levels[levels.length >> 1];
  if (level === undefined) return null;
  const isIn = (row: number): boolean => row >= 0 && row < rows;
  const onGround = (row: number): number[] =>
    isIn(row) ? shown(row).filter((k) => Math.abs(grounds[k]! - level) <= SAME_GROUND) : [];
  const bar: number[][] = [];
  for (let row = first; isIn(row); row += step) {
    const on = onGround(row);
    if (on.length < FULL_ROW * columns) break;
    bar.push(on);
  }
  const end = first + step * bar.length;
  const beyond = bar.flatMap((_, k) => onGround(end + step * k));
  if (beyond.length >= BEYOND * bar.length * columns) return null;
  const blocks = bar.flat();
  return {
    drawn: blocks.filter((k) => kinds[k] === DRAWN).length,
    count: blocks.length,
    levels: blocks.reduce((sum, k) => sum + grounds[k]!, 0),
    left: 0,
    right: columns - 1,
    top: Math.min(first, end - step),
    bottom: Math.max(first, end - step),
  };
}

function looksLikeSign(
  { drawn, count, left, right, top, bottom }: Piece,
  { columns, rows }: Blocks,
): boolean {
  const area = (right - left + 1) * (bottom - top + 1);
  return drawn >= LEAST_DRAWN && count >= area * LEAST_FILLED && area <= columns * rows * MOST_OF_PICTURE;
}

const byDrawn = (a: Piece, b: Piece): number => b.drawn - a.drawn;

/**
 * The pieces of a picture that look like signs: bars across its upper and lower edge, then what lies beside them, each
 * by how much is drawn on it.
 */
export function signsOf(blocks: Blocks): Piece[] {
  const { kinds, rows } = blocks;
  if (rows === 0) return [];
  const bars = [barFrom(0, 1, blocks), barFrom(rows - 1, -1, blocks)]
    .filter((bar) => bar !== null)
    .filter((bar) => looksLikeSign(bar, blocks));
  const isOfBar = ({ top, bottom }: Piece): boolean =>
    bars.some((bar) => top <= bar.bottom && bottom >= bar.top);
  const pieces: Piece[] = [];
  const seen = new Uint8Array(kinds.length);
  for (let start = 0; start < kinds.length; start += 1) {
    if (kinds[start] !== DRAWN || seen[start] === 1) continue;
    const piece = pieceFrom(start, blocks, seen);
    if (looksLikeSign(piece, blocks) && !isOfBar(piece)) pieces.push(piece);
  }
  return [...bars.toSorted(byDrawn), ...pieces.toSorted(byDrawn)];
}
