import { DESCRIPTOR_LENGTH } from "../features/sift/descriptor.ts";
import { CENTRES, PART_LENGTH } from "../learned/vocabulary-file.ts";
import { PROJECTED, type VocabularyTables } from "./vocabulary-tables.ts";

/** No component may have more steps: 16 products of two such, doubled, and a squared length stay below 2^31. */
const MOST_STEPS = 4096;
/** Centres whose distances are found together, and components that one product takes. */
const [GROUP, PAIR] = [4, 2];

/**
 * How many steps make a unit, so that no component of a projected descriptor, which has unit length, takes more than
 * `MOST_STEPS`.
 */
export function stepsPerUnit({ projection, offset, centres }: VocabularyTables): number {
  let greatest = 0;
  for (let row = 0; row < PROJECTED; row += 1) {
    let squares = 0;
    for (let k = 0; k < DESCRIPTOR_LENGTH; k += 1) squares += projection[k * PROJECTED + row]! ** 2;
    greatest = Math.max(greatest, 1.01 * Math.sqrt(squares) + Math.abs(offset[row]!));
  }
  for (const part of centres) for (const value of part) greatest = Math.max(greatest, Math.abs(value));
  return Math.fround(Math.floor(MOST_STEPS / greatest));
}

/**
 * The centres of one part in whole steps, laid out for integer products: their squared lengths (int32), then for every
 * four centres eight groups of two components of each (int16). `rows`: `rows[centre * 16 + component]`.
 */
export function quantiseCentres(rows: Float32Array, steps: number): Int32Array {
  const whole = Int32Array.from(rows, (value) => Math.round(value * steps));
  const laidOut = new Int16Array(rows.length);
  const squares = new Int32Array(CENTRES);
  for (let centre = 0; centre < CENTRES; centre += 1) {
    const group = Math.floor(centre / GROUP) * GROUP * PART_LENGTH;
    for (let k = 0; k < PART_LENGTH; k += 1) {
      const value = whole[centre * PART_LENGTH + k]!;
      squares[centre]! += value * value;
      const pair = Math.floor(k / PAIR) * GROUP * PAIR;
      laidOut[group + pair + (centre % GROUP) * PAIR + (k % PAIR)] = value;
    }
  }
  return Int32Array.of(...squares, ...new Int32Array(laidOut.buffer));
}
