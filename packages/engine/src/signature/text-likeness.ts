import type { Luma } from "../image/luma.ts";
import { type Plane, fitPlane } from "../image/plane.ts";

/** Longer side of the map that is looked at, cells, and side of its blocks. */
const SIDE = 384;
const BLOCK = 12;
/** Difference of luma, within all but the seven lowest and seven highest cells, from which a block is textured. */
const TEXTURED = 24;
const OUTLIERS = 7;
/** A third of a printed block lies within this of its lowest or of its highest value. */
const FLAT = 6;

function isTextured(ascending: Float32Array): boolean {
  return ascending[ascending.length - 1 - OUTLIERS]! - ascending[OUTLIERS]! >= TEXTURED;
}

/** Whether a block's values differ enough that it may be textured. */
function mayBeTextured(values: Float32Array): boolean {
  let [low, high] = [values[0]!, values[0]!];
  for (let k = 1; k < values.length; k += 1) {
    const value = values[k]!;
    if (value < low) low = value;
    else if (value > high) high = value;
  }
  return high - low >= TEXTURED;
}

/** Whether most of a block is one flat ground, as in lettering, interfaces and line drawings. */
function looksPrinted(ascending: Float32Array): boolean {
  const third = Math.floor(ascending.length / 3);
  const last = ascending.length - 1;
  const [low, high] = [ascending[third]! - ascending[0]!, ascending[last]! - ascending[last - third]!];
  return Math.min(low, high) < FLAT;
}

function textLikenessOfMap(map: Plane): number {
  let textured = 0;
  let printed = 0;
  const values = new Float32Array(BLOCK * BLOCK);
  for (let top = 0; top + BLOCK <= map.height; top += BLOCK) {
    for (let left = 0; left + BLOCK <= map.width; left += BLOCK) {
      for (let row = 0; row < BLOCK; row += 1) {
        const at = (top + row) * map.width + left;
        for (let column = 0; column < BLOCK; column += 1) {
          values[row * BLOCK + column] = map.data[at + column]!;
        }
      }
      if (!mayBeTextured(values)) continue;
      const ascending = values.toSorted();
      if (!isTextured(ascending)) continue;
      textured += 1;
      if (looksPrinted(ascending)) printed += 1;
    }
  }
  return textured === 0 ? 0 : Math.round((255 * printed) / textured);
}

/** Share, in 1/255, of a picture's textured blocks that look printed. */
export function textLikeness(luma: Luma): number {
  const map = fitPlane(luma, SIDE);
  const likeness = textLikenessOfMap(map);
  map.data.fill(0);
  return likeness;
}
