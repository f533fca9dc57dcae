import { discard } from "../../image/discard.ts";
import { resizePlane } from "../../image/resize-plane.ts";
import { COSINE_TERMS, SQUARE_SIDE, signAt, termsOfSquare } from "../../signature/whole-signature.ts";
import type { LaidQuery } from "./laid-query.ts";
import type { Comparison } from "./compare-layer.ts";
import { AGREES } from "./telling.ts";

/**
 * How light and dark lie in a query where an original is, as cosine terms, and what the original's packet says of its
 * own.
 */
export interface Tones {
  /** Share of the original that the query covers. */
  readonly covered: number;
  /** For each term 1 where the original's was positive, else -1. */
  readonly original: Int8Array;
  /** `cosineTerms` of the query there, which hang on no key. */
  readonly all: Float64Array;
  /** What of them comes from where no block agrees, and from where blocks differ; which blocks do hangs on the key. */
  readonly open: Float64Array;
  readonly differing: Float64Array;
}

/** The query on the original's square, in levels above the mean of what it covers; 0 where it covers nothing. */
function squareOf({ luma, inside }: LaidQuery): { readonly covered: number; readonly levels: Float32Array } {
  const { width, height } = luma;
  const data = luma.data.slice();
  const isInside = (x: number, y: number): boolean => {
    const at = y * (width + 1) + x;
    return inside[at + width + 2]! - inside[at + width + 1]! - inside[at + 1]! + inside[at]! > 0;
  };
  let [sum, count] = [0, 0];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!isInside(x, y)) continue;
      sum += data[y * width + x]!;
      count += 1;
    }
  }
  const mean = count === 0 ? 0 : Math.round(sum / count);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) if (!isInside(x, y)) data[y * width + x] = mean;
  }
  const square = resizePlane({ ...luma, data }, SQUARE_SIDE, SQUARE_SIDE);
  const levels = square.data.map((level) => level - mean);
  discard(square.data);
  discard(data);
  return { covered: count / (width * height), levels };
}

/** How a block that was compared fares. */
const DIFFERS = 1;
const SAME = 2;

/**
 * For each pixel of the original's square how the block about it fares; 0 where none was compared, or the query shows
 * hardly anything.
 */
function fates({ layer: { width, height, kind }, blocks }: Comparison): Uint8Array {
  const square = new Uint8Array(SQUARE_SIDE * SQUARE_SIDE);
  const reach = kind.step / 2;
  const from = (at: number, length: number): number =>
    Math.max(0, Math.min(SQUARE_SIDE - 1, Math.round((SQUARE_SIDE * (at - reach)) / length)));
  const until = (at: number, length: number, first: number): number =>
    Math.min(SQUARE_SIDE, Math.max(first + 1, Math.round((SQUARE_SIDE * (at + reach)) / length)));
  const mark = (x: number, y: number, fate: number): void => {
    const [left, top] = [from(x, width), from(y, height)];
    const right = until(x, width, left);
    for (let row = top; row < until(y, height, top); row += 1) {
      square.fill(fate, row * SQUARE_SIDE + left, row * SQUARE_SIDE + right);
    }
  };
  const markBlocks = (isSame: boolean): void => {
    for (let k = 0; k < blocks.count; k += 1) {
      if (blocks.inPlace[k]! > AGREES === isSame) mark(blocks.x[k]!, blocks.y[k]!, isSame ? SAME : DIFFERS);
    }
  };
  markBlocks(false);
  markBlocks(true);
  return square;
}

/** The terms of the square's part that fares so. */
function termsWhere(
  levels: Float32Array,
  fared: Uint8Array,
  isMeant: (fate: number) => boolean,
): Float64Array {
  const part = levels.map((level, k) => (isMeant(fared[k]!) ? level : 0));
  const terms = termsOfSquare(part);
  discard(part);
  return terms;
}

/**
 * Compares the tones of a query that lies on an original's raster with the original's `wholeSignature`. `layer`: how
 * its blocks fare. The caller zeroes the terms.
 */
export function tonesOf(whole: Uint8Array, laid: LaidQuery, layer: Comparison): Tones {
  const { covered, levels } = squareOf(laid);
  const fared = fates(layer);
  const tones = {
    covered,
    original: Int8Array.from({ length: COSINE_TERMS }, (_, k) => (signAt(whole, k) ? 1 : -1)),
    all: termsOfSquare(levels),
    open: termsWhere(levels, fared, (fate) => fate !== SAME),
    differing: termsWhere(levels, fared, (fate) => fate === DIFFERS),
  };
  discard(levels);
  return tones;
}
