import { DESCRIPTOR_LENGTH } from "../features/sift/descriptor.ts";
import { CENTRES, PART_LENGTH, PARTS } from "../learned/vocabulary-file.ts";
import { inverted, mirrored, project, PROJECTED, type VocabularyTables } from "./vocabulary-tables.ts";

/** Words found for a point, nearest first. */
export const NEAREST_WORDS = 8;

/** Centres of a part that take part in words. */
const NEAREST_CENTRES = 4;

/** The `NEAREST_WORDS` nearest words of each descriptor, nearest first. */
export type NearestWords = (descriptors: Float32Array) => Int32Array;

/** One vocabulary's search, with its scratch. */
class WordSearch {
  readonly #tables: VocabularyTables;
  readonly #folded = new Float32Array(DESCRIPTOR_LENGTH);
  readonly #projected = new Float32Array(PROJECTED);
  readonly #distances = new Float32Array(CENTRES);
  readonly #nearest = new Int32Array(PARTS * NEAREST_CENTRES);
  readonly #nearestDistances = new Float32Array(PARTS * NEAREST_CENTRES);

  constructor(tables: VocabularyTables) {
    this.#tables = tables;
  }

  nearestWords(descriptors: Float32Array): Int32Array {
    const count = descriptors.length / DESCRIPTOR_LENGTH;
    const words = new Int32Array(count * NEAREST_WORDS);
    for (let i = 0; i < count; i += 1) {
      this.#fold(descriptors.subarray(i * DESCRIPTOR_LENGTH, (i + 1) * DESCRIPTOR_LENGTH));
      project(this.#tables.projection, this.#folded, this.#projected);
      for (let row = 0; row < PROJECTED; row += 1) this.#projected[row]! -= this.#tables.offset[row]!;
      for (let part = 0; part < PARTS; part += 1) this.#findCentres(part);
      this.#combine(words.subarray(i * NEAREST_WORDS, (i + 1) * NEAREST_WORDS));
    }
    this.#folded.fill(0);
    this.#projected.fill(0);
    return words;
  }

  #fold(descriptor: Float32Array): void {
    this.#folded.set(descriptor);
    for (const [functional, permutation] of [
      [this.#tables.inversionFold, inverted],
      [this.#tables.mirrorFold, mirrored],
    ] as const) {
      let side = 0;
      for (let i = 0; i < DESCRIPTOR_LENGTH; i += 1) {
        side = Math.fround(side + Math.fround(functional[i]! * this.#folded[i]!));
      }
      if (side < 0) this.#folded.set(permuted(this.#folded, permutation));
    }
  }

  /** The nearest centres of one part, by squared distance; of equal ones the lower number. */
  #findCentres(part: number): void {
    const distances = this.#distances.fill(0);
    const centres = this.#tables.centres[part]!;
    for (let k = 0; k < PART_LENGTH; k += 1) {
      const value = this.#projected[part * PART_LENGTH + k]!;
      const at = k * CENTRES;
      for (let centre = 0; centre < CENTRES; centre += 1) {
        const difference = Math.fround(value - centres[at + centre]!);
        distances[centre] = distances[centre]! + Math.fround(difference * difference);
      }
    }
    const [first, last] = [part * NEAREST_CENTRES, (part + 1) * NEAREST_CENTRES];
    this.#nearestDistances.fill(Number.POSITIVE_INFINITY, first, last);
    for (let centre = 0; centre < CENTRES; centre += 1) {
      const distance = distances[centre]!;
      let place = last;
      while (place > first && distance < this.#nearestDistances[place - 1]!) place -= 1;
      if (place === last) continue;
      this.#nearestDistances.copyWithin(place + 1, place, last - 1);
      this.#nearest.copyWithin(place + 1, place, last - 1);
      this.#nearestDistances[place] = distance;
      this.#nearest[place] = centre;
    }
  }

  /** Words of the nearest triples of centres, by the sum of their squared distances. */
  #combine(words: Int32Array): void {
    const best = new Float32Array(NEAREST_WORDS).fill(Number.POSITIVE_INFINITY);
    for (let a = 0; a < NEAREST_CENTRES; a += 1) {
      for (let b = NEAREST_CENTRES; b < 2 * NEAREST_CENTRES; b += 1) {
        const pair = Math.fround(this.#nearestDistances[a]! + this.#nearestDistances[b]!);
        for (let c = 2 * NEAREST_CENTRES; c < 3 * NEAREST_CENTRES; c += 1) {
          const distance = Math.fround(pair + this.#nearestDistances[c]!);
          let place = NEAREST_WORDS;
          while (place > 0 && distance < best[place - 1]!) place -= 1;
          if (place === NEAREST_WORDS) break;
          best.copyWithin(place + 1, place, NEAREST_WORDS - 1);
          words.copyWithin(place + 1, place, NEAREST_WORDS - 1);
          best[place] = distance;
          words[place] = (this.#nearest[a]! * CENTRES + this.#nearest[b]!) * CENTRES + this.#nearest[c]!;
        }
      }
    }
  }
}

function permuted(values: Float32Array, permutation: Uint8Array): Float32Array {
  return Float32Array.from(permutation, (from) => values[from]!);
}

/** `NearestWords` in plain TypeScript: what the vectorised ones are checked against. */
export function referenceNearestWords(tables: VocabularyTables): NearestWords {
  const search = new WordSearch(tables);
  return (descriptors) => search.nearestWords(descriptors);
}
