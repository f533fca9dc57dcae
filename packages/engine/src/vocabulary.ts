import { invertedIndex, mirroredIndex } from "./binarise.ts";
import { DESCRIPTOR_LENGTH } from "./sift/descriptor.ts";
import {
  CENTRES,
  learned,
  PART_LENGTH,
  PARTS,
  readVocabularyFile,
  VOCABULARY_OFFSETS,
} from "./vocabulary-file.ts";

/** Version of the learned numbers; words of different versions do not compare. */
export const VOCABULARY_VERSION: number = learned.version;

/** Words found for a point, nearest first. */
export const NEAREST_WORDS = 8;

const PROJECTED = PARTS * PART_LENGTH;
/** Centres of a part that take part in words. */
const NEAREST_CENTRES = 4;

/** Reads the vocabulary's file into memory that all workers of the process can share. */
export function loadVocabulary(): SharedArrayBuffer {
  const file = readVocabularyFile();
  const shared = new SharedArrayBuffer(file.length);
  new Uint8Array(shared).set(file);
  return shared;
}

/** Permutations of a descriptor when the picture is mirrored, or light and dark exchanged. */
export const mirrored: Uint8Array = Uint8Array.from({ length: DESCRIPTOR_LENGTH }, (_, i) =>
  mirroredIndex(i),
);
export const inverted: Uint8Array = Uint8Array.from({ length: DESCRIPTOR_LENGTH }, (_, i) =>
  invertedIndex(i),
);

/** Rows become columns, so that neighbouring results lie side by side. */
function transposed(matrix: Float32Array, rows: number, columns: number): Float32Array {
  return Float32Array.from(matrix, (_, i) => matrix[(i % rows) * columns + Math.floor(i / rows)]!);
}

/** The trained numbers, laid out for use. */
interface VocabularyTables {
  readonly inversionFold: Float32Array;
  readonly mirrorFold: Float32Array;
  /** `projection[k * 48 + row]`. */
  readonly projection: Float32Array;
  /** The projection of the mean descriptor. */
  readonly offset: Float32Array;
  /** Per part `centres[component * 1024 + centre]`. */
  readonly centres: readonly Float32Array[];
}

/**
 * Turns RootSIFT descriptors into 30-bit retrieval words. A descriptor is first folded, so that a mirrored or inverted
 * picture gives the same words; then projected to three parts of 16 numbers, each named by its nearest of 1,024 centres.
 * All sums are float32 in a fixed order, so that every machine finds the same words.
 */
export class Vocabulary {
  protected readonly tables: VocabularyTables;
  readonly #heavyWords: Uint32Array;
  readonly #folded = new Float32Array(DESCRIPTOR_LENGTH);
  readonly #projected = new Float32Array(PROJECTED);
  readonly #distances = new Float32Array(CENTRES);
  readonly #nearest = new Int32Array(PARTS * NEAREST_CENTRES);
  readonly #nearestDistances = new Float32Array(PARTS * NEAREST_CENTRES);

  /** @param shared what `loadVocabulary` gives */
  constructor(shared: SharedArrayBuffer) {
    const floats = (at: number, length: number): Float32Array => new Float32Array(shared, at, length);
    const projection = floats(VOCABULARY_OFFSETS.projection, PROJECTED * DESCRIPTOR_LENGTH);
    this.tables = {
      inversionFold: floats(VOCABULARY_OFFSETS.inversionFold, DESCRIPTOR_LENGTH),
      mirrorFold: floats(VOCABULARY_OFFSETS.mirrorFold, DESCRIPTOR_LENGTH),
      projection: transposed(projection, PROJECTED, DESCRIPTOR_LENGTH),
      offset: new Float32Array(PROJECTED),
      centres: Array.from({ length: PARTS }, (_, part) => {
        const at = VOCABULARY_OFFSETS.centres + 4 * part * CENTRES * PART_LENGTH;
        return transposed(floats(at, CENTRES * PART_LENGTH), CENTRES, PART_LENGTH);
      }),
    };
    this.#project(floats(VOCABULARY_OFFSETS.mean, DESCRIPTOR_LENGTH), this.tables.offset);
    this.#heavyWords = new Uint32Array(shared, VOCABULARY_OFFSETS.heavyWords);
  }

  /** Whether a word is on the stop list: too common to tell pictures apart, neither stored nor looked up. */
  isHeavy(word: number): boolean {
    let [low, high] = [0, this.#heavyWords.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#heavyWords[middle]! < word) low = middle + 1;
      else high = middle;
    }
    return this.#heavyWords[low] === word;
  }

  /** Writes the `NEAREST_WORDS` nearest words of each descriptor, nearest first. */
  nearestWords(descriptors: Float32Array): Int32Array {
    const count = descriptors.length / DESCRIPTOR_LENGTH;
    const words = new Int32Array(count * NEAREST_WORDS);
    for (let i = 0; i < count; i++) {
      this.#fold(descriptors.subarray(i * DESCRIPTOR_LENGTH, (i + 1) * DESCRIPTOR_LENGTH));
      this.#project(this.#folded, this.#projected);
      for (let row = 0; row < PROJECTED; row++) this.#projected[row]! -= this.tables.offset[row]!;
      for (let part = 0; part < PARTS; part++) this.#findCentres(part);
      this.#combine(words.subarray(i * NEAREST_WORDS, (i + 1) * NEAREST_WORDS));
    }
    this.#folded.fill(0);
    this.#projected.fill(0);
    return words;
  }

  #fold(descriptor: Float32Array): void {
    this.#folded.set(descriptor);
    for (const [functional, permutation] of [
      [this.tables.inversionFold, inverted],
      [this.tables.mirrorFold, mirrored],
    ] as const) {
      let side = 0;
      for (let i = 0; i < DESCRIPTOR_LENGTH; i++) {
        side = Math.fround(side + Math.fround(functional[i]! * this.#folded[i]!));
      }
      if (side < 0) this.#folded.set(permuted(this.#folded, permutation));
    }
  }

  #project(from: Float32Array, into: Float32Array): void {
    into.fill(0);
    for (let k = 0; k < DESCRIPTOR_LENGTH; k++) {
      const value = from[k]!;
      const at = k * PROJECTED;
      for (let row = 0; row < PROJECTED; row++) {
        into[row] = into[row]! + Math.fround(this.tables.projection[at + row]! * value);
      }
    }
  }

  /** The nearest centres of one part, by squared distance; of equal ones the lower number. */
  #findCentres(part: number): void {
    const distances = this.#distances.fill(0);
    const centres = this.tables.centres[part]!;
    for (let k = 0; k < PART_LENGTH; k++) {
      const value = this.#projected[part * PART_LENGTH + k]!;
      const at = k * CENTRES;
      for (let centre = 0; centre < CENTRES; centre++) {
        const difference = Math.fround(value - centres[at + centre]!);
        distances[centre] = distances[centre]! + Math.fround(difference * difference);
      }
    }
    const [first, last] = [part * NEAREST_CENTRES, (part + 1) * NEAREST_CENTRES];
    this.#nearestDistances.fill(Number.POSITIVE_INFINITY, first, last);
    for (let centre = 0; centre < CENTRES; centre++) {
      const distance = distances[centre]!;
      let place = last;
      while (place > first && distance < this.#nearestDistances[place - 1]!) place--;
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
    for (let a = 0; a < NEAREST_CENTRES; a++) {
      for (let b = NEAREST_CENTRES; b < 2 * NEAREST_CENTRES; b++) {
        const pair = Math.fround(this.#nearestDistances[a]! + this.#nearestDistances[b]!);
        for (let c = 2 * NEAREST_CENTRES; c < 3 * NEAREST_CENTRES; c++) {
          const distance = Math.fround(pair + this.#nearestDistances[c]!);
          let place = NEAREST_WORDS;
          while (place > 0 && distance < best[place - 1]!) place--;
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
