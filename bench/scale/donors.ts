import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { join } from "node:path";
import {
  binarise,
  BITS_STRIDE,
  COMPARISON_SIDE,
  cosineTerms,
  decodeImage,
  DESCRIPTOR_LENGTH,
  discardRaster,
  extractFeatures,
  type Extraction,
  finestMap,
  fittedSize,
  loadVocabulary,
  type Luma,
  lumaOf,
  MAX_PACKET_POINTS,
  NEAREST_WORDS,
  residualSignature,
  resizeLuma,
  restrictDecoders,
  openVocabulary,
  type Vocabulary,
  wholeSignature,
} from "@colophon/engine/lab";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";

const TYPES = ["image/jpeg", "image/png", "image/webp"];
/** Longest side of the raster in which the points of an original are found, pixels. */
const SIDE = 480;
/** Each picture is also read in so many tiles a side: at three times the scale nearly all points are other ones. */
const TILES = 3;
const SMALLEST_TILE = 240;
/** One original in so many asks, and is not among the donors. */
const ASKING = 6;
/** Times each descriptor is perturbed. */
export const VARIANTS = 4;
/**
 * Standard deviation of what is added to each of a descriptor's numbers: some 10 of 128 bits flip, and three words in
 * four change, as between a picture and its re-encoded, turned or shrunk copy.
 */
const NOISE = 0.012;

/** Where and how large the points of a real picture are, and what else its packet says but their descriptors. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly size: Float32Array;
  readonly angle: Float32Array;
  readonly whole: Uint8Array;
  readonly residual: Uint8Array;
}

/** Descriptors of real pictures, perturbed, to make others of. Variant v of point i is at `VARIANTS * i + v`. */
export interface Donors {
  /** One a picture. */
  readonly layouts: readonly Layout[];
  /** The words of the pictures themselves, unperturbed, heavy ones included: those of `layouts[n]` at n. */
  readonly words: readonly Int32Array[];
  /** Number of the first point of each donor (a picture or a tile of one), and of the end. */
  readonly starts: Int32Array;
  readonly variantWords: Int32Array;
  /** `BITS_STRIDE` a variant. */
  readonly variantBits: Uint32Array;
}

interface Described {
  readonly words: Int32Array;
  readonly variantWords: Int32Array;
  readonly variantBits: Uint32Array;
}

/**
 * Reads pictures as a registration does; the result is kept in `cache`, which belongs to these pictures and this build.
 */
export async function readDonors(
  files: readonly string[],
  seed: number,
  cache: string | null,
): Promise<Donors> {
  if (cache !== null && existsSync(cache)) return deserialize(readFileSync(cache)) as Donors;
  restrictDecoders(TYPES);
  const vocabulary = openVocabulary(loadVocabulary());
  const random = seededRandom(seed);
  const layouts: Layout[] = [];
  const words: Int32Array[] = [];
  const described: Described[] = [];
  for (const file of files) {
    const luma = await readLuma(file);
    const extraction = extract(luma);
    const { width, height, x, y, size, angle } = extraction.features;
    const finest = finestMap(luma);
    const residual = residualSignature(luma, finest, new Uint8Array(32), new Uint8Array(16));
    layouts.push({
      width,
      height,
      x,
      y,
      size,
      angle,
      whole: wholeSignature(cosineTerms(luma), finest),
      residual,
    });
    const picture = describe(extraction, vocabulary, random);
    words.push(picture.words);
    described.push(picture);
    for (const tile of tilesOf(luma)) described.push(describe(extract(tile), vocabulary, random));
  }
  const donors = joined(layouts, words, described);
  if (cache !== null) {
    writeFileSync(`${cache}.${process.pid}`, serialize(donors));
    renameSync(`${cache}.${process.pid}`, cache);
  }
  return donors;
}

async function readLuma(file: string): Promise<Luma> {
  const decode = { acceptedTypes: TYPES, maxImagePixels: 200_000_000 };
  const picture = await decodeImage(new Uint8Array(readFileSync(file)), decode);
  const luma = lumaOf(picture, COMPARISON_SIDE);
  discardRaster(picture);
  return luma;
}

function extract(luma: Luma): Extraction {
  const side = Math.min(SIDE, Math.max(luma.width, luma.height));
  const { width, height } = fittedSize(luma.width, luma.height, side);
  return extractFeatures(resizeLuma(luma, width, height), { limit: MAX_PACKET_POINTS, thinBursts: true });
}

function* tilesOf({ width, height, data }: Luma): Generator<Luma> {
  const [tileWidth, tileHeight] = [Math.floor(width / TILES), Math.floor(height / TILES)];
  if (Math.min(tileWidth, tileHeight) < SMALLEST_TILE) return;
  for (let n = 0; n < TILES * TILES; n += 1) {
    const corner = Math.floor(n / TILES) * tileHeight * width + (n % TILES) * tileWidth;
    const tile = new Uint8Array(tileWidth * tileHeight);
    for (let y = 0; y < tileHeight; y += 1) {
      const from = corner + y * width;
      tile.set(data.subarray(from, from + tileWidth), y * tileWidth);
    }
    yield { width: tileWidth, height: tileHeight, data: tile };
  }
}

function firstWords(descriptors: Float32Array, vocabulary: Vocabulary): Int32Array {
  return vocabulary.nearestWords(descriptors).filter((_, i) => i % NEAREST_WORDS === 0);
}

function describe({ features, descriptors }: Extraction, vocabulary: Vocabulary, random: Random): Described {
  const { count } = features;
  const variants = new Float32Array(count * VARIANTS * DESCRIPTOR_LENGTH);
  const variantBits = new Uint32Array(count * VARIANTS * BITS_STRIDE);
  for (let at = 0; at < count * VARIANTS; at += 1) {
    const from = Math.floor(at / VARIANTS) * DESCRIPTOR_LENGTH;
    const variant = variants.subarray(at * DESCRIPTOR_LENGTH, (at + 1) * DESCRIPTOR_LENGTH);
    perturb(descriptors.subarray(from, from + DESCRIPTOR_LENGTH), random, variant);
    binarise(variant, variantBits.subarray(at * BITS_STRIDE, (at + 1) * BITS_STRIDE));
  }
  return {
    words: firstWords(descriptors, vocabulary),
    variantWords: firstWords(variants, vocabulary),
    variantBits,
  };
}

/** Adds noise and brings the descriptor back to length 1. */
function perturb(descriptor: Float32Array, random: Random, into: Float32Array): void {
  let squares = 0;
  for (let i = 0; i < DESCRIPTOR_LENGTH; i += 2) {
    const radius = NOISE * Math.sqrt(-2 * Math.log(1 - random()));
    const turn = 2 * Math.PI * random();
    into[i] = Math.max(0, descriptor[i]! + radius * Math.cos(turn));
    into[i + 1] = Math.max(0, descriptor[i + 1]! + radius * Math.sin(turn));
    squares += into[i]! ** 2 + into[i + 1]! ** 2;
  }
  const length = Math.sqrt(squares);
  for (let i = 0; i < DESCRIPTOR_LENGTH; i += 1) into[i]! /= length;
}

function joined(
  layouts: readonly Layout[],
  words: readonly Int32Array[],
  described: readonly Described[],
): Donors {
  const starts = new Int32Array(described.length + 1);
  for (const [n, donor] of described.entries()) starts[n + 1] = starts[n]! + donor.words.length;
  const total = starts[described.length]!;
  const variantWords = new Int32Array(total * VARIANTS);
  const variantBits = new Uint32Array(total * VARIANTS * BITS_STRIDE);
  for (const [n, donor] of described.entries()) {
    variantWords.set(donor.variantWords, starts[n]! * VARIANTS);
    variantBits.set(donor.variantBits, starts[n]! * VARIANTS * BITS_STRIDE);
  }
  return { layouts, words, starts, variantWords, variantBits };
}

interface Manifest {
  readonly originals: readonly { readonly file: string }[];
  readonly hardNegatives?: readonly {
    readonly pairs: readonly { readonly a: string; readonly b: string }[];
  }[];
}

/**
 * The files of a match set: every so many originals are kept out of the population, to ask with; the rest, and those
 * pictures that are only named as other photographs of a scene, are its donors.
 */
export function splitPictures(data: string): { readonly donors: string[]; readonly asking: string[] } {
  const manifest = JSON.parse(readFileSync(join(data, "manifest.json"), "utf8")) as Manifest;
  const originals = manifest.originals.map(({ file }) => file);
  const hard = (manifest.hardNegatives ?? []).flatMap(({ pairs }) => pairs.flatMap(({ a, b }) => [a, b]));
  const others = [...new Set(hard)].filter((file) => !originals.includes(file));
  const asking = originals.filter((_, n) => n % ASKING === ASKING - 1);
  const donors = [...originals.filter((file) => !asking.includes(file)), ...others];
  return {
    donors: donors.map((file) => join(data, file)),
    asking: asking.map((file) => join(data, file)),
  };
}
