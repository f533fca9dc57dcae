import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { COSINE_TERMS, signAt } from "./whole-signature.ts";

/**
 * Keys that name a picture as a whole almost exactly: bands of signs of its lowest cosine terms, each band long enough
 * that hardly two pictures share one. A picture that was only saved again, or resized, shares at least one with its
 * original.
 */
const BANDS = 4;
const BITS_PER_BAND = 26;
/** Keys lie below the words of whole pictures with few points; nothing else asks for them. */
const FIRST_KEY = -(2 ** 29);
const KEY_MASK = 2 ** 28 - 1;
/** Half waves across and down, together, of the finest terms that keys are made of. */
const FINEST = 12;
const LEAST_POINTS = 50;
/** Signs of a band that are asked for either way, those of the smallest terms. */
const DOUBTFUL = 2;

const BAND_TERMS: readonly (readonly number[])[] = (() => {
  const low = Array.from({ length: COSINE_TERMS }, (_, k) => k).filter(
    (k) => k > 0 && (k >> 4) + (k & 15) <= FINEST,
  );
  return Array.from({ length: BANDS }, (_, band) =>
    Array.from({ length: BITS_PER_BAND }, (_unused, k) => low[(k * BANDS + band) % low.length]!),
  );
})();

/**
 * Key of a band's signs: 28 bits of HMAC-SHA256(packet key, "colophon whole key 1" || band || signs as u32,
 * little-endian). The index shows keys in the clear; the signs themselves would draw a faint likeness.
 */
function keyOf(packetKey: KeyObject, band: number, signs: number): number {
  const input = Buffer.alloc(5);
  input.writeUInt8(band);
  input.writeUInt32LE(signs, 1);
  const digest = createHmac("sha256", packetKey).update("colophon whole key 1").update(input).digest();
  input.fill(0);
  return FIRST_KEY - (digest.readUInt32LE() & KEY_MASK);
}

/** The keys of an original; none for one with so few points that these do not tell which others are like it. */
export function wholeKeys(signature: Uint8Array, points: number, packetKey: Uint8Array): Int32Array {
  if (points < LEAST_POINTS) return new Int32Array(0);
  const key = createSecretKey(packetKey);
  return Int32Array.from(BAND_TERMS, (terms, band) =>
    keyOf(
      key,
      band,
      terms.reduce((signs, term, k) => signs + (signAt(signature, term) ? 2 ** k : 0), 0),
    ),
  );
}

/**
 * The keys with which a query, of these `cosineTerms`, asks for the original that it is the whole of, upright and
 * plain.
 */
export function wholeKeysAsked(values: Float64Array, packetKey: Uint8Array): Int32Array {
  const key = createSecretKey(packetKey);
  const keys = BAND_TERMS.flatMap((terms, band) => {
    const signs = terms.reduce((sum, term, k) => sum + (values[term]! >= 0 ? 2 ** k : 0), 0);
    const doubtful = Array.from(terms.keys())
      .toSorted((a, b) => Math.abs(values[terms[a]!]!) - Math.abs(values[terms[b]!]!) || a - b)
      .slice(0, DOUBTFUL);
    return Array.from({ length: 2 ** DOUBTFUL }, (_, turned) =>
      keyOf(
        key,
        band,
        doubtful.reduce((sum, k, n) => (turned & (1 << n) ? sum ^ (1 << k) : sum), signs),
      ),
    );
  });
  return Int32Array.from(keys);
}

const isWholeKey = (word: number): boolean => word <= FIRST_KEY;

/**
 * What an original is filed under that shows others, or may: none of its own keys, but theirs. They lead to more than
 * one original then, or to none, and plain copies of any of these are looked up in full.
 * @param own what it is filed under by itself
 * @param beside what those others are filed under
 */
export function filedBeside(own: Int32Array, isLikeOthers: boolean, beside: readonly number[]): Int32Array {
  if (!isLikeOthers) return own;
  const words = own.filter((word) => !isWholeKey(word));
  return Int32Array.from(new Set([...words, ...beside.filter(isWholeKey)]));
}
