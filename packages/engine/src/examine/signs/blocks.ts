import type { Luma } from "../../image/luma.ts";

/** Blocks along the longer side of a picture. */
const BLOCKS = 96;
/** Smallest side of a block, pixels. */
const LEAST_SIDE = 4;
/**
 * Rows and columns of a large block that are looked at, at least: what is drawn on a part of so large a picture is as
 * large.
 */
const LOOKED_AT = 16;
/**
 * What a block's pixels differ by at most where it is plain, and at least where something is drawn on it, luma levels.
 */
const PLAIN_CONTRAST = 10;
const DRAWN_CONTRAST = 48;
/**
 * Pixels this near to the block's darkest or brightest one lie on a level: so many levels, and a share of the contrast
 * more.
 */
const ON_LEVEL = 10;
const ON_LEVEL_OF_CONTRAST = 1 / 8;
/** Shares of a drawn block's pixels that lie on its ground, and on its ground and its ink together. */
const ON_GROUND = 1 / 3;
const ON_BOTH = 0.6;

/** What a block shows: neither of the others, something drawn on a ground of one level, or that ground alone. */
export const NEITHER = 0;
export const DRAWN = 1;
export const PLAIN = 2;

/** Square blocks of a picture: what each shows, and the level of its ground. */
export interface Blocks {
  readonly side: number;
  /** Every so many of its rows and columns are looked at. */
  readonly step: number;
  readonly columns: number;
  readonly rows: number;
  readonly kinds: Uint8Array;
  readonly grounds: Uint8Array;
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

/** What the blocks of a picture show: the picture in small, to be discarded. */
export function blocksOf(luma: Luma): Blocks {
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
