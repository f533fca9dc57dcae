import { discard } from "../image/discard.ts";
import type { Luma } from "../image/luma.ts";
import type { Box } from "../image/raster.ts";

/** Blocks along the longer side of a picture. */
const BLOCKS = 96;
/** Smallest side of a block, pixels. */
const LEAST_SIDE = 4;
/** Rows and columns of a large block that are looked at, at least: what is drawn on a part of so large a picture is as large. */
const LOOKED_AT = 16;
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
  /** Every so many of its rows and columns are looked at. */
  readonly step: number;
  readonly columns: number;
  readonly rows: number;
  readonly kinds: Uint8Array;
  readonly grounds: Uint8Array;
}

/** Blocks on one ground: how many, how many of them drawn on, the sum of their levels, and the first and last columns and rows. */
interface Piece {
  drawn: number;
  count: number;
  levels: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Looks at the block whose first pixel is `from`, block `k`. */
function look({ width, data }: Luma, from: number, { side, step, kinds, grounds }: Blocks, k: number): void {
  const end = from + side * width;
  let low = 255;
  let high = 0;
  for (let row = from; row < end; row += step * width) {
    for (let at = row; at < row + side; at += step) {
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
  const [darkest, brightest] = [low + near, high - near];
  let [dark, darkSum, bright, brightSum] = [0, 0, 0, 0];
  for (let row = from; row < end; row += step * width) {
    for (let at = row; at < row + side; at += step) {
      const level = data[at]!;
      if (level <= darkest) {
        dark += 1;
        darkSum += level;
      } else if (level >= brightest) {
        bright += 1;
        brightSum += level;
      }
    }
  }
  const pixels = Math.ceil(side / step) ** 2;
  if (Math.max(dark, bright) < pixels * ON_GROUND || dark + bright < pixels * ON_BOTH) return;
  kinds[k] = DRAWN;
  grounds[k] = Math.round(dark > bright ? darkSum / dark : brightSum / bright);
}

function blocksOf(luma: Luma): Blocks {
  const side = Math.max(LEAST_SIDE, Math.ceil(Math.max(luma.width, luma.height) / BLOCKS));
  const columns = Math.floor(luma.width / side);
  const rows = Math.floor(luma.height / side);
  const count = columns * rows;
  const step = Math.max(1, Math.floor(side / LOOKED_AT));
  const kinds = new Uint8Array(count);
  const blocks = { side, step, columns, rows, kinds, grounds: new Uint8Array(count) };
  for (let k = 0; k < count; k += 1) {
    look(luma, side * (Math.floor(k / columns) * luma.width + (k % columns)), blocks, k);
  }
  return blocks;
}

/** All that lies on one ground with block `start`, each block beside another with nearly its level. Marks them in `seen`. */
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

function looksLikeSign(
  { drawn, count, left, right, top, bottom }: Piece,
  { columns, rows }: Blocks,
): boolean {
  const area = (right - left + 1) * (bottom - top + 1);
  return drawn >= LEAST_DRAWN && count >= area * LEAST_FILLED && area <= columns * rows * MOST_OF_PICTURE;
}

/** Whether at least half of so many pixels, `step` apart from `from` on, lie on a level. */
function isOnGround(data: Uint8Array, from: number, step: number, count: number, level: number): boolean {
  let near = 0;
  for (let k = 0, at = from; k < count; k += 1, at += step) {
    if (Math.abs(data[at]! - level) <= SAME_GROUND) near += 1;
  }
  return 2 * near >= count;
}

/** The first line on the way from one to another that is ground; the first of all where none is. */
function firstOnGround(from: number, to: number, isGround: (line: number) => boolean): number {
  const step = Math.sign(to - from);
  for (let line = from; line !== to; line += step) if (isGround(line)) return line;
  return from;
}

/**
 * The box of a sign, to the pixel: its blocks and one more on every side, as far as there is ground. What lies around a sign would be described with
 * it, and does not lie around it where it is registered.
 */
function boxOf({ levels, count, ...piece }: Piece, { side }: Blocks, { width, height, data }: Luma): Box {
  const level = levels / count;
  const [left, top] = [piece.left * side, piece.top * side];
  const [right, bottom] = [(piece.right + 1) * side, (piece.bottom + 1) * side];
  const isColumn = (x: number): boolean => isOnGround(data, top * width + x, width, bottom - top, level);
  const isRow = (y: number): boolean => isOnGround(data, y * width + left, 1, right - left, level);
  const x = firstOnGround(Math.max(0, left - side), left + side, isColumn);
  const y = firstOnGround(Math.max(0, top - side), top + side, isRow);
  const lastX = firstOnGround(Math.min(width, right + side) - 1, right - side - 1, isColumn);
  const lastY = firstOnGround(Math.min(height, bottom + side) - 1, bottom - side - 1, isRow);
  return { x, y, width: lastX + 1 - x, height: lastY + 1 - y };
}

/**
 * Where a small part of a picture has a flat ground of its own with lettering or a drawing on it, as a logo, a code or a bar laid on a photograph. The
 * parts with most drawn on them, each as far as its ground goes.
 */
export function findSigns(luma: Luma): Box[] {
  const blocks = blocksOf(luma);
  const { kinds } = blocks;
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
    .map((piece) => boxOf(piece, blocks, luma));
}
