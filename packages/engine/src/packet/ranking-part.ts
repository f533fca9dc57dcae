import type { Features } from "../features/features.ts";
import { VOCABULARY_VERSION } from "../learned/vocabulary-file.ts";
import { WHOLE_SIGNATURE_BYTES } from "../signature/whole-signature.ts";
import { rankingTag, type StoredOriginal, wordTag } from "./original.ts";

/** Version of the layout below. */
const RANKING_PART_VERSION = 1;

/** Most points of a ranking part: four parts, sealed, fill a page of the database. */
export const MAX_RANKING_POINTS = 464;

/*
 * Little-endian, one piece:
 *
 *     0  1  version
 *     1  1  0
 *     2  2  vocabulary version
 *     4  2  raster width     6  2  raster height, pixels
 *     8 33  whole-picture signature
 * 41 64 points in each of 64 bands of tags: those with the same highest 6 of 22 bits 105 2n the lowest 16 bits of the
 * points' tags, band by band .. 2n their places: x and y in twelfths of the raster, angle in 1/32 of a turn, size in
 * half doublings, as one number
 */
const WHOLE = 8;
const BANDS = 64;
const COUNTS: number = WHOLE + WHOLE_SIGNATURE_BYTES;
const HEADER: number = COUNTS + BANDS;
const PER_POINT = 4;
const MOST_IN_BAND = 255;
const BAND_BITS = 16;
const PLACE_STEPS = 12;
const ANGLE_STEPS = 32;
const SIZE_STEPS = 14;
const SIZES_PER_DOUBLING = 2;

/** The size of a point by its step. */
const SIZES = Float64Array.from({ length: SIZE_STEPS }, (_, step) => 2 ** (step / SIZES_PER_DOUBLING));

/** Where points lie: what a vote for one placement needs of them. */
export type Places = Pick<Features, "x" | "y" | "size" | "angle">;

function stepOf(share: number, steps: number): number {
  return Math.min(steps - 1, Math.max(0, Math.floor(share * steps)));
}

function placeOf({ width, height, x, y, size, angle }: Features, i: number): number {
  const turn = Math.round((angle[i]! * ANGLE_STEPS) / (2 * Math.PI)) & (ANGLE_STEPS - 1);
  const doublings = Math.round(SIZES_PER_DOUBLING * Math.log2(size[i]!));
  const place =
    stepOf((x[i]! + 0.5) / width, PLACE_STEPS) * PLACE_STEPS + stepOf((y[i]! + 0.5) / height, PLACE_STEPS);
  return (place * ANGLE_STEPS + turn) * SIZE_STEPS + Math.min(SIZE_STEPS - 1, Math.max(0, doublings));
}

/**
 * What ranking needs of an original, an eighth of its packet: its strongest points that are filed under a word, each
 * with a tag of the word and a rough place, and the whole-picture signature. It is made of the packet and the words,
 * whenever those were made.
 */
export function encodeRankingPart(original: StoredOriginal, words: Int32Array): Uint8Array {
  const { placing: features, wordTags, whole } = original;
  const ofPoints = words.filter((word) => word >= 0);
  const filed = new Map(Array.from(ofPoints, (word) => [wordTag(word), rankingTag(word)]));
  const points: { readonly tag: number; readonly place: number }[] = [];
  const counts = new Uint8Array(BANDS);
  for (let i = 0; i < features.count && points.length < MAX_RANKING_POINTS; i += 1) {
    const tag = filed.get(wordTags[i]!);
    if (tag === undefined || counts[tag >>> BAND_BITS] === MOST_IN_BAND) continue;
    counts[tag >>> BAND_BITS]! += 1;
    points.push({ tag, place: placeOf(features, i) });
  }
  points.sort((a, b) => a.tag - b.tag);
  const part = new Uint8Array(HEADER + PER_POINT * points.length);
  const view = new DataView(part.buffer);
  view.setUint8(0, RANKING_PART_VERSION);
  view.setUint16(2, VOCABULARY_VERSION, true);
  view.setUint16(4, features.width, true);
  view.setUint16(6, features.height, true);
  part.set(whole, WHOLE);
  part.set(counts, COUNTS);
  for (const [i, { tag, place }] of points.entries()) {
    view.setUint16(HEADER + 2 * i, tag & 0xffff, true);
    view.setUint16(HEADER + 2 * (points.length + i), place, true);
  }
  return part;
}

/** A ranking part, read in place. */
export class RankingPart {
  readonly count: number;
  readonly width: number;
  readonly height: number;
  /** `wholeSignature` of the original. */
  readonly whole: Uint8Array;
  readonly #part: Uint8Array;

  private constructor(part: Uint8Array, width: number, height: number) {
    this.count = (part.length - HEADER) / PER_POINT;
    this.width = width;
    this.height = height;
    this.whole = part.subarray(WHOLE, COUNTS);
    this.#part = part;
  }

  /** Null when the bytes are not a ranking part of this version and vocabulary. */
  static read(part: Uint8Array): RankingPart | null {
    if (part.length < HEADER) return null;
    const field = (at: number): number => part[at]! | (part[at + 1]! << 8);
    const points = part.subarray(COUNTS, HEADER).reduce((sum, count) => sum + count, 0);
    const [width, height] = [field(4), field(6)];
    const readable =
      part[0] === RANKING_PART_VERSION &&
      field(2) === VOCABULARY_VERSION &&
      Math.min(width, height) >= 1 &&
      part.length === HEADER + PER_POINT * points;
    return readable ? new RankingPart(part, width, height) : null;
  }

  /** Writes the tags of all points, `rankingTag`, ascending within a band. */
  readTags(into: Uint32Array): void {
    for (let band = 0, i = 0; band < BANDS; band += 1) {
      for (let end = i + this.#part[COUNTS + band]!; i < end; i += 1) {
        const at = HEADER + 2 * i;
        into[i] = (band << BAND_BITS) | (this.#part[at + 1]! << 8) | this.#part[at]!;
      }
    }
  }

  /** Writes where point `i` lies as `places`' entry `k`. */
  readPlace(i: number, places: Places, k: number): void {
    const at = HEADER + 2 * (this.count + i);
    let place = this.#part[at]! | (this.#part[at + 1]! << 8);
    const next = (steps: number): number => {
      const step = place % steps;
      place = (place - step) / steps;
      return step;
    };
    places.size[k] = SIZES[next(SIZE_STEPS)]!;
    places.angle[k] = (next(ANGLE_STEPS) * 2 * Math.PI) / ANGLE_STEPS;
    places.y[k] = ((next(PLACE_STEPS) + 0.5) / PLACE_STEPS) * this.height - 0.5;
    places.x[k] = ((next(PLACE_STEPS) + 0.5) / PLACE_STEPS) * this.width - 0.5;
  }
}
