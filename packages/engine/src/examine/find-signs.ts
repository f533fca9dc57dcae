import { discard } from "../image/discard.ts";
import type { Luma } from "../image/luma.ts";
import type { Box } from "../image/raster.ts";

/** Blocks along the longer side of a picture. */
const BLOCKS = 96;
/** Smallest side of a block, pixels. */
const LEAST_SIDE = 4;
/** What a block's pixels differ by at most where it is plain, and at least where something is drawn on it, luma levels. */
const PLAIN_CONTRAST = 10;
const DRAWN_CONTRAST = 48;
/** Pixels this near to the block's darkest or brightest one lie on a level: so many levels, and a share of the contrast more. */
const ON_LEVEL = 10;
const ON_LEVEL_OF_CONTRAST = 1 / 8;
/** Shares of a drawn block's pixels that lie on its ground, and on its ground and its ink together. */
const ON_GROUND = 1 / 3;
const ON_BOTH = 0.6;
/** Levels by which the grounds of neighbours differ at most. */
const SAME_GROUND = 10;
/** Blocks of a sign that something is drawn on, at least; the share of its box that belongs to it; and of the picture that its box takes at most. */
const LEAST_DRAWN = 6;
const LEAST_FILLED = 0.4;
const MOST_OF_PICTURE = 0.15;
/** Signs that are looked at, those with most drawn on them. */
const MOST_SIGNS = 2;

const NEITHER = 0;
const DRAWN = 1;
const PLAIN = 2;

/** Square blocks of a picture: what each shows, and the level of its ground. */
interface Blocks {
  readonly side: number;
  readonly columns: number;
  readonly rows: number;
  readonly kinds: Uint8Array;
  readonly grounds: Uint8Array;
}

/** Blocks on one ground: how many, how many of them drawn on, and the first and last columns and rows. */
interface Piece {
  drawn: number;
  count: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** How many pixels of a block lie between two levels, and their mean. */
function between(
  { width, data }: Luma,
  from: number,
  side: number,
  low: number,
  high: number,
): { readonly count: number; readonly mean: number } {
  let count = 0;
  let sum = 0;
  for (let y = 0, row = from; y < side; y += 1, row += width) {
    for (let at = row; at < row + side; at += 1) {
      const level = data[at]!;
      if (level < low || level > high) continue;
      count += 1;
      sum += level;
    }
  }
  return { count, mean: count === 0 ? 0 : Math.round(sum / count) };
}

/** Looks at the block whose first pixel is `from`, block `k`. */
function look(luma: Luma, from: number, { side, kinds, grounds }: Blocks, k: number): void {
  const { width, data } = luma;
  let low = 255;
  let high = 0;
  for (let y = 0, row = from; y < side; y += 1, row += width) {
    for (let at = row; at < row + side; at += 1) {
      const level = data[at]!;
      if (level < low) low = level;
      if (level > high) high = level;
    }
  }
  const contrast = high - low;
  if (contrast <= PLAIN_CONTRAST) {
    kinds[k] = PLAIN;
    grounds[k] = (low + high) >> 1;
  }
  if (contrast < DRAWN_CONTRAST) return;
  const near = ON_LEVEL + contrast * ON_LEVEL_OF_CONTRAST;
  const dark = between(luma, from, side, low, low + near);
  const bright = between(luma, from, side, high - near, high);
  const ground = dark.count > bright.count ? dark : bright;
  const pixels = side * side;
  if (ground.count < pixels * ON_GROUND || dark.count + bright.count < pixels * ON_BOTH) return;
  kinds[k] = DRAWN;
  grounds[k] = ground.mean;
}

function blocksOf(luma: Luma): Blocks {
  const side = Math.max(LEAST_SIDE, Math.ceil(Math.max(luma.width, luma.height) / BLOCKS));
  const columns = Math.floor(luma.width / side);
  const rows = Math.floor(luma.height / side);
  const count = columns * rows;
  const blocks = { side, columns, rows, kinds: new Uint8Array(count), grounds: new Uint8Array(count) };
  for (let k = 0; k < count; k += 1) {
    look(luma, side * (Math.floor(k / columns) * luma.width + (k % columns)), blocks, k);
  }
  return blocks;
}

/** All that lies on one ground with block `start`, each block beside another with nearly its level. Marks them in `seen`. */
function pieceFrom(start: number, { columns, rows, kinds, grounds }: Blocks, seen: Uint8Array): Piece {
  const piece = { drawn: 0, count: 0, left: columns, right: 0, top: rows, bottom: 0 };
  const open = [start];
  seen[start] = 1;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const row = Math.floor(at / columns);
    const column = at % columns;
    piece.count += 1;
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

function looksLikeSign(
  { drawn, count, left, right, top, bottom }: Piece,
  { columns, rows }: Blocks,
): boolean {
  const area = (right - left + 1) * (bottom - top + 1);
  return drawn >= LEAST_DRAWN && count >= area * LEAST_FILLED && area <= columns * rows * MOST_OF_PICTURE;
}

/**
 * Where a small part of a picture has a flat ground of its own with lettering or a drawing on it, as a logo, a code or a bar laid on a photograph. The
 * parts with most drawn on them, with a block's width around each.
 */
export function findSigns(luma: Luma): Box[] {
  const blocks = blocksOf(luma);
  const { side, kinds } = blocks;
  const seen = new Uint8Array(kinds.length);
  const signs: Piece[] = [];
  for (let start = 0; start < kinds.length; start += 1) {
    if (kinds[start] !== DRAWN || seen[start] === 1) continue;
    const piece = pieceFrom(start, blocks, seen);
    if (looksLikeSign(piece, blocks)) signs.push(piece);
  }
  // The picture in small.
  discard(kinds);
  discard(blocks.grounds);
  return signs
    .toSorted((a, b) => b.drawn - a.drawn)
    .slice(0, MOST_SIGNS)
    .map(({ left, right, top, bottom }) => {
      const x = Math.max(0, (left - 1) * side);
      const y = Math.max(0, (top - 1) * side);
      const width = Math.min(luma.width, (right + 2) * side) - x;
      return { x, y, width, height: Math.min(luma.height, (bottom + 2) * side) - y };
    });
}
