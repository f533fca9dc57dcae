import type { Luma } from "../image/luma.ts";
import type { Plane } from "../image/plane.ts";
import { resizePlane } from "../image/resize-plane.ts";
import { textLikeness } from "./text-likeness.ts";

/** The picture is described by the signs of its 16 x 16 lowest cosine terms over a square raster of this side. */
export const SQUARE_SIDE = 64;
const TERMS = 16;
/** Cosine terms of a picture: 16 half waves across, 16 down. */
export const COSINE_TERMS: number = TERMS * TERMS;
const CELLS = COSINE_TERMS;

/**
 * Layout of a signature: u8 text-likeness, then 256 sign bits, bit 16 v + u for the term of u half waves across and v
 * down.
 */
const TEXT_LIKENESS_AT = 0;
const SIGNS_AT = 1;
export const WHOLE_SIGNATURE_BYTES: number = SIGNS_AT + CELLS / 8;

/** An original with fewer points than this is also filed under words of its cosine signs. */
const FEW_POINTS = 300;
const BANDS = 10;
const BITS_PER_BAND = 14;

/** The eight ways to turn and mirror a picture: bit 0 mirrors across, bit 1 mirrors down, bit 2 then transposes. */
export const TURNS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7];

/** Half waves of a term, across and down together. */
export const wavesOf = (term: number): number => Math.floor(term / TERMS) + (term % TERMS);

/** The terms that words are made of, lowest frequencies first, and for each band the ones it reads. */
const LOW_TERMS: readonly number[] = Array.from({ length: CELLS }, (_, k) => k)
  .filter((k) => k > 0 && wavesOf(k) <= 8)
  .toSorted((a, b) => wavesOf(a) - wavesOf(b) || a - b);
const BAND_TERMS: readonly number[] = Array.from(
  { length: BANDS * BITS_PER_BAND },
  (_, k) => LOW_TERMS[(k * 19 + Math.floor(k / BITS_PER_BAND)) % LOW_TERMS.length]!,
);

const COSINES = Float64Array.from({ length: TERMS * SQUARE_SIDE }, (_, k) =>
  Math.cos((Math.PI * Math.floor(k / SQUARE_SIDE) * (2 * (k % SQUARE_SIDE) + 1)) / (2 * SQUARE_SIDE)),
);

/**
 * The lowest cosine terms of a picture squeezed to a square; entry 16 v + u, the mean (entry 0) left out as 0. The
 * caller zeroes them.
 */
export function cosineTerms(luma: Luma): Float64Array {
  const square = resizePlane(luma, SQUARE_SIDE, SQUARE_SIDE);
  const terms = termsOfSquare(square.data);
  square.data.fill(0);
  return terms;
}

/** `cosineTerms` of a square of `SQUARE_SIDE` pixels. */
export function termsOfSquare(square: Float32Array): Float64Array {
  const rows = new Float64Array(SQUARE_SIDE * TERMS);
  for (let y = 0; y < SQUARE_SIDE; y += 1) {
    for (let u = 0; u < TERMS; u += 1) {
      let sum = 0;
      for (let x = 0; x < SQUARE_SIDE; x += 1) {
        sum += COSINES[u * SQUARE_SIDE + x]! * square[y * SQUARE_SIDE + x]!;
      }
      rows[y * TERMS + u] = sum;
    }
  }
  const terms = new Float64Array(CELLS);
  for (let v = 0; v < TERMS; v += 1) {
    for (let u = 0; u < TERMS; u += 1) {
      let sum = 0;
      for (let y = 0; y < SQUARE_SIDE; y += 1) sum += COSINES[v * SQUARE_SIDE + y]! * rows[y * TERMS + u]!;
      terms[TERMS * v + u] = sum;
    }
  }
  terms[0] = 0;
  rows.fill(0);
  return terms;
}

/** The terms that the turned picture would have. */
export function turnTerms(terms: Float64Array, turn: number): Float64Array {
  const turned = new Float64Array(CELLS);
  for (let v = 0; v < TERMS; v += 1) {
    for (let u = 0; u < TERMS; u += 1) {
      const flips = (turn & 1 ? u : 0) + (turn & 2 ? v : 0);
      turned[turn & 4 ? TERMS * u + v : TERMS * v + u] =
        flips & 1 ? -terms[TERMS * v + u]! : terms[TERMS * v + u]!;
    }
  }
  return turned;
}

/**
 * What a packet keeps of the picture as a whole: see the layout above. `terms`: its `cosineTerms`. `map`: its finest
 * map.
 */
export function wholeSignature(terms: Float64Array, map: Plane): Uint8Array {
  const signature = new Uint8Array(WHOLE_SIGNATURE_BYTES);
  signature[TEXT_LIKENESS_AT] = textLikeness(map);
  for (let k = 0; k < CELLS; k += 1) if (terms[k]! >= 0) signature[SIGNS_AT + (k >> 3)]! |= 1 << (k & 7);
  return signature;
}

/** How much an original looks like text, 0..1. */
export const textLikenessOf = (signature: Uint8Array): number => signature[TEXT_LIKENESS_AT]! / 255;

/** Whether the kth cosine term of a signature is positive, or nothing. */
export const signAt = (signature: Uint8Array, k: number): boolean =>
  ((signature[SIGNS_AT + (k >> 3)]! >> (k & 7)) & 1) !== 0;

function bandWords(isSet: (term: number) => boolean): number[] {
  return Array.from({ length: BANDS }, (_, band) => {
    let bits = 0;
    for (let k = 0; k < BITS_PER_BAND; k += 1) {
      if (isSet(BAND_TERMS[band * BITS_PER_BAND + k]!)) bits |= 1 << k;
    }
    return -1 - ((band << BITS_PER_BAND) | bits);
  });
}

/**
 * The negative retrieval words under which an original with few points is filed beside those of its points (none
 * for other originals): ten bands of fourteen low cosine signs.
 */
export function wholeWords(signature: Uint8Array, points: number): Int32Array {
  return points < FEW_POINTS ? Int32Array.from(bandWords((k) => signAt(signature, k))) : new Int32Array(0);
}

/**
 * The negative words with which every query, of these `cosineTerms`, asks for originals with few points: all turns,
 * plain and inverted, 160 at most.
 */
export function wholeQueryWords(terms: Float64Array): Int32Array {
  const words = TURNS.flatMap((turn) => {
    const turned = turnTerms(terms, turn);
    return [...bandWords((k) => turned[k]! >= 0), ...bandWords((k) => turned[k]! < 0)];
  });
  return Int32Array.from(new Set(words));
}

/** Terms cut to at most four times their median size, so that a few great ones do not decide alone. */
export function clipTerms(terms: Float64Array): Float64Array {
  const cap = 4 * terms.map(Math.abs).toSorted()[CELLS >> 1]! + 1e-6;
  return terms.map((term) => Math.min(cap, Math.max(-cap, term)));
}

/** What the sizes of terms come to, but for the mean's. */
export function sizeOfTerms(terms: Float64Array): number {
  let size = 1e-9;
  for (let k = 1; k < CELLS; k += 1) size += Math.abs(terms[k]!);
  return size;
}
