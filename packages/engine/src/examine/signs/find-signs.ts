import { discard } from "../../image/discard.ts";
import type { Luma } from "../../image/luma.ts";
import type { Box } from "../../image/raster.ts";
import { type Blocks, blocksOf } from "./blocks.ts";
import { type Piece, SAME_GROUND, signsOf } from "./pieces.ts";

/** Signs that are looked at: bars first, then those with most drawn on them. */
const MOST_SIGNS = 2;

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
 * The box of a sign, to the pixel: its blocks and one more on every side, as far as there is ground. What lies around a
 * sign would be described with it, and does not lie around it where it is registered.
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
 * Where a small part of a picture has a flat ground of its own with lettering or a drawing on it, as a logo, a code or
 * a bar laid on a photograph: bars across the picture's edge and what has most drawn on it, each as far as its ground
 * goes.
 */
export function findSigns(luma: Luma): Box[] {
  const blocks = blocksOf(luma);
  const signs = signsOf(blocks).slice(0, MOST_SIGNS);
  // The picture in small.
  discard(blocks.kinds);
  discard(blocks.grounds);
  return signs.map((sign) => boxOf(sign, blocks, luma));
}
