/**
 * Learns from a folder of pictures everything the engine has learned: thresholds of descriptors, projection, folds,
 * codebooks and stop list, as one vocabulary file.
 *
 *     node tools/train-vocabulary.ts --pictures DIR --out FILE --version N [--seed N]
 *
 * The same pictures (in the order of their names) and the same seed give the same bytes. `--version`: 2 to 65535, a
 * number that no other vocabulary of the deployment had; packets carry it. What to do then: docs/extraction.md,
 * "Retraining".
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import {
  COMPARISON_SIDE,
  decodableTypes,
  decodeImage,
  ImageDeclined,
  type Luma,
  lumaOf,
  NEAREST_WORDS,
  restrictDecoders,
  openVocabulary,
  referenceNearestWords,
} from "@colophon/engine/lab";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { learn } from "./train/learn.ts";
import { originalPoints, picturePoints } from "../bench/matching/true-pairs.ts";
import { encodeVocabulary } from "./train/vocabulary-file.ts";

const DESCRIPTOR = 128;
/** Most descriptors and most pairs learned from: 128 MB together, however many pictures there are. */
const MAX_DESCRIPTORS = 131_072;
const MAX_PAIRS = 65_536;
/** Fewest descriptors that 1,024 centres can be learned from. */
const LEAST_DESCRIPTORS = 1024;
/** A word seen this often is too common to tell pictures apart. */
const STOP_FROM = 2;

const DECODING = {
  acceptedTypes: decodableTypes,
  maxImagePixels: 200_000_000,
} as const;

export interface Training {
  /** A folder; its files that are no pictures are passed over. */
  readonly pictures: string;
  readonly version: number;
  readonly seed: number;
  /** Called with a line of progress. */
  readonly report: (line: string) => void;
}

/**
 * The bytes of a vocabulary file.
 *
 * @throws {RangeError} when there are too few pictures
 */
export async function trainVocabulary({ pictures, version, seed, report }: Training): Promise<Uint8Array> {
  restrictDecoders(decodableTypes);
  const files = readdirSync(pictures, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => join(pictures, name))
    .toSorted();
  const random = seededRandom(seed);
  const { descriptors, pairs } = await collect(files, random, report);
  report(`${descriptors.length / DESCRIPTOR} descriptors, ${pairs.length / (2 * DESCRIPTOR)} pairs`);
  if (descriptors.length / DESCRIPTOR < LEAST_DESCRIPTORS || pairs.length === 0) {
    throw new RangeError("There are too few pictures to learn from.");
  }
  const learned = learn(descriptors, pairs, random, report);
  const words = await wordsOf(files, encodeVocabulary(version, learned, new Uint32Array(0)), report);
  const stopList = stopWords(words);
  report(`${stopList.length} stop words of ${words.length} points`);
  return encodeVocabulary(version, learned, stopList);
}

/** Descriptors and pairs of all pictures, of each an equal share of what memory is set aside for. */
async function collect(
  files: readonly string[],
  random: Random,
  report: (line: string) => void,
): Promise<{ descriptors: Float32Array; pairs: Float32Array }> {
  const descriptors = new Rows(DESCRIPTOR, Math.ceil(MAX_DESCRIPTORS / Math.max(1, files.length)));
  const pairs = new Rows(2 * DESCRIPTOR, Math.ceil(MAX_PAIRS / Math.max(1, files.length)));
  for await (const luma of lumasOf(files, "looking at", report)) {
    const points = await picturePoints(luma, random);
    descriptors.add(points.descriptors, random);
    pairs.add(points.pairs, random);
  }
  return { descriptors: descriptors.all(), pairs: pairs.all() };
}

/** Rows of numbers, of each picture no more than `share`, chosen by chance. */
class Rows {
  readonly #kept: Float32Array[] = [];
  readonly #length: number;
  readonly #share: number;

  constructor(length: number, share: number) {
    this.#length = length;
    this.#share = share;
  }

  add(rows: Float32Array, random: Random): void {
    const order = Array.from({ length: rows.length / this.#length }, (_, row) => ({ row, key: random() }));
    const chosen = order.toSorted((a, b) => a.key - b.key).slice(0, this.#share);
    const kept = new Float32Array(chosen.length * this.#length);
    for (const [at, { row }] of chosen.entries()) {
      kept.set(rows.subarray(row * this.#length, (row + 1) * this.#length), at * this.#length);
    }
    this.#kept.push(kept);
  }

  all(): Float32Array {
    const joined = new Float32Array(this.#kept.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const rows of this.#kept) {
      joined.set(rows, at);
      at += rows.length;
    }
    return joined;
  }
}

/** The first word of every point of every picture. */
async function wordsOf(
  files: readonly string[],
  vocabulary: Uint8Array,
  report: (line: string) => void,
): Promise<Int32Array> {
  const shared = new SharedArrayBuffer(vocabulary.length);
  new Uint8Array(shared).set(vocabulary);
  const reader = openVocabulary(shared, referenceNearestWords);
  const words: number[] = [];
  for await (const luma of lumasOf(files, "naming the points of", report)) {
    const nearest = reader.nearestWords(originalPoints(luma).descriptors);
    for (let at = 0; at < nearest.length; at += NEAREST_WORDS) words.push(nearest[at]!);
  }
  return Int32Array.from(words);
}

function stopWords(words: Int32Array): Uint32Array {
  const sorted = words.toSorted();
  return Uint32Array.from(
    sorted.filter((word, k) => word !== sorted[k - 1] && sorted[k + STOP_FROM - 1] === word),
  );
}

async function* lumasOf(
  files: readonly string[],
  doing: string,
  report: (line: string) => void,
): AsyncGenerator<Luma> {
  for (const [at, file] of files.entries()) {
    if (at % 20 === 0) report(`${doing} picture ${at + 1} of ${files.length}`);
    try {
      yield lumaOf(await decodeImage(readFileSync(file), DECODING), COMPARISON_SIDE);
    } catch (error) {
      if (!(error instanceof ImageDeclined)) throw error;
      report(`passing over ${file}`);
    }
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      pictures: { type: "string" },
      out: { type: "string" },
      version: { type: "string" },
      seed: { type: "string", default: "1" },
    },
  });
  const { pictures, out } = values;
  const [version, seed] = [Number(values.version), Number(values.seed)];
  if (pictures === undefined || out === undefined) {
    refuseCommandLine("--pictures DIR and --out FILE are required");
  }
  if (!(version >= 2 && version <= 65_535)) refuseCommandLine("--version is a number from 2 to 65535");
  writeFileSync(out, await trainVocabulary({ pictures, version, seed, report: printLine }));
}

if (import.meta.main) await main();
