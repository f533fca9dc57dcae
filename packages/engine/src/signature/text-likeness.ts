import type { Plane } from "../image/plane.ts";

/** Side of the blocks that are looked at, cells. */
const BLOCK = 12;
/** Difference of luma, within all but the seven lowest and seven highest cells, from which a block is textured. */
const TEXTURED = 24;
const OUTLIERS = 7;
/** A third of a printed block lies within this of its lowest or of its highest value. */
const FLAT = 6;

/** Of values times `sign` the one that `least.length - 1` others lie below; `least` is worked in. */
function lowest(values: Float32Array, sign: 1 | -1, least: Float32Array): number {
  const last = least.length - 1;
  least.fill(Number.POSITIVE_INFINITY);
  for (let k = 0; k < values.length; k += 1) {
    const value = sign * values[k]!;
    if (value >= least[last]!) continue;
    let at = last;
    for (; at > 0 && least[at - 1]! > value; at -= 1) least[at] = least[at - 1]!;
    least[at] = value;
  }
  return least[last]!;
}

/** The lowest and the highest value of a block. */
function rangeOf(values: Float32Array): { readonly low: number; readonly high: number } {
  let [low, high] = [values[0]!, values[0]!];
  for (let k = 1; k < values.length; k += 1) {
    const value = values[k]!;
    if (value < low) low = value;
    else if (value > high) high = value;
  }
  return { low, high };
}

/**
 * Whether more than the outliers lie on either side of a gap in the middle of the range that is wide enough: so it is
 * with most textured blocks.
 */
function isPlainlyTextured(values: Float32Array, low: number, high: number): boolean {
  const below = Math.floor((low + high - TEXTURED) / 2);
  const above = below + TEXTURED;
  let [atLow, atHigh] = [0, 0];
  for (let k = 0; k < values.length; k += 1) {
    if (values[k]! <= below) atLow += 1;
    if (values[k]! >= above) atHigh += 1;
  }
  return Math.min(atLow, atHigh) > OUTLIERS;
}

function isTextured(values: Float32Array, outliers: Float32Array): boolean {
  return -lowest(values, -1, outliers) - lowest(values, 1, outliers) >= TEXTURED;
}

/** Whether most of a block is one flat ground, as in lettering, interfaces and line drawings. */
function looksPrinted(values: Float32Array, low: number, high: number): boolean {
  const third = Math.floor(values.length / 3);
  let [atLow, atHigh] = [0, 0];
  for (let k = 0; k < values.length; k += 1) {
    if (values[k]! - low < FLAT) atLow += 1;
    if (high - values[k]! < FLAT) atHigh += 1;
  }
  return Math.max(atLow, atHigh) > third;
}

/** Share, in 1/255, of the textured blocks of a picture's finest map that look printed. */
export function textLikeness(map: Plane): number {
  let textured = 0;
  let printed = 0;
  const values = new Float32Array(BLOCK * BLOCK);
  const outliers = new Float32Array(OUTLIERS + 1);
  for (let top = 0; top + BLOCK <= map.height; top += BLOCK) {
    for (let left = 0; left + BLOCK <= map.width; left += BLOCK) {
      for (let row = 0; row < BLOCK; row += 1) {
        const at = (top + row) * map.width + left;
        for (let column = 0; column < BLOCK; column += 1) {
          values[row * BLOCK + column] = map.data[at + column]!;
        }
      }
      const { low, high } = rangeOf(values);
      if (high - low < TEXTURED) continue;
      if (!isPlainlyTextured(values, low, high) && !isTextured(values, outliers)) continue;
      textured += 1;
      if (looksPrinted(values, low, high)) printed += 1;
    }
  }
  return textured === 0 ? 0 : Math.round((255 * printed) / textured);
}
