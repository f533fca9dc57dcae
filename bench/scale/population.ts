import {
  BITS_STRIDE,
  type Features,
  loadVocabulary,
  type StoredOriginal,
  openVocabulary,
  wholeWords,
  wordTag,
} from "@colophon/engine/lab";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { type Donors, VARIANTS } from "./donors.ts";

/** Pictures and tiles whose descriptors an original is made of. */
const DONORS = 4;
const PACKET_ID = 16;
/** Comparing at scale asks nothing of what blocks show. */
const NO_KINDS = new Uint8Array(0);
const CENTRE_BITS = 10;
const CENTRE = (1 << CENTRE_BITS) - 1;

/** An original that no picture shows: what registering it would file. */
export interface GeneratedOriginal {
  readonly original: StoredOriginal;
  /** The keys it is filed under, distinct. */
  readonly words: Int32Array;
}

/** Originals by number, from 0 or 1 on; the same for the same number. */
export interface OriginalSource {
  original(n: number): GeneratedOriginal;
}

/**
 * As many originals as one likes. Each has the points of one real picture, their places as they are, their descriptors
 * drawn from four others and perturbed: words are as common as in real pictures and go together as they do, but no two
 * originals show the same, nor does any show what a donor shows, for no point is where it was. Original `n` depends on
 * the donors, the seed and `n` alone.
 */
export class Population implements OriginalSource {
  readonly #donors: Donors;
  readonly #seed: number;
  readonly #vocabulary = openVocabulary(loadVocabulary());

  constructor(donors: Donors, seed: number) {
    this.#donors = donors;
    this.#seed = seed;
  }

  original(n: number): GeneratedOriginal {
    const random = seededRandom(Math.imul(this.#seed, 0x85ebca6b) + n);
    const { layouts } = this.#donors;
    const { width, height, x, y, size, angle, residual } = chosen(layouts, random);
    const count = x.length;
    const { bits, words: all } = this.#points(count, random);
    const features: Features = {
      width,
      height,
      count,
      x,
      y,
      size,
      angle,
      response: new Float32Array(count),
      bits,
    };
    const whole = crossed(chosen(layouts, random).whole, chosen(layouts, random).whole, random);
    const packetId = Uint8Array.from({ length: PACKET_ID }, () => random() * 256);
    const distinct = new Set(all.filter((word) => !this.#vocabulary.isStopWord(word)));
    return {
      original: {
        packetId,
        features,
        placing: features,
        wordTags: Uint16Array.from(all, wordTag),
        whole,
        residual,
        kinds: NO_KINDS,
      },
      words: Int32Array.from([...distinct, ...wholeWords(whole, count)]),
    };
  }

  #points(count: number, random: Random): { bits: Uint32Array; words: Int32Array } {
    const { starts, variantWords, variantBits } = this.#donors;
    const points = variantWords.length / VARIANTS;
    const donors = Array.from({ length: DONORS }, () => donorOf(starts, Math.floor(random() * points)));
    const bits = new Uint32Array(count * BITS_STRIDE);
    const words = new Int32Array(count);
    for (let i = 0; i < count; i += 1) {
      const donor = donors[Math.floor(random() * DONORS)]!;
      const first = starts[donor]!;
      const point = VARIANTS * (first + Math.floor(random() * (starts[donor + 1]! - first)));
      const variant = (): number => point + Math.floor(random() * VARIANTS);
      const at = variant() * BITS_STRIDE;
      for (let k = 0; k < BITS_STRIDE; k += 1) bits[BITS_STRIDE * i + k] = variantBits[at + k]!;
      // Noise moves the three centres of a word independently of each other.
      const [a, b, c] = [variantWords[variant()]!, variantWords[variant()]!, variantWords[variant()]!];
      words[i] = (a & ~((1 << (2 * CENTRE_BITS)) - 1)) | (b & (CENTRE << CENTRE_BITS)) | (c & CENTRE);
    }
    return { bits, words };
  }
}

function chosen<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)]!;
}

/** The donor that has a point; larger donors have more of them. */
function donorOf(starts: Int32Array, point: number): number {
  let [low, high] = [0, starts.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= point) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Each bit from the one or the other; how printed it looks, which is the first byte, from the one. */
function crossed(one: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  return one.map((byte, k) => {
    const mask = k === 0 ? 0 : Math.floor(random() * 256);
    return (byte & ~mask) | (other[k]! & mask);
  });
}
