/**
 * Compares a vocabulary file with the one that ships, on pictures that neither should have learned from.
 *
 *     node bench/matching/vocabularies.ts --pictures DIR --vocabulary FILE [--limit N]
 *
 * Prints for each vocabulary: of points found again in an edited copy, the share whose first words are equal, and the
 * share whose first word is among the copy's first four; then, with all pictures registered and each asked for by a
 * crop of a quarter of its area, the words shared with the original (median) and with any other picture (mean), how
 * often the original shares most, and words filed.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import {
  COMPARISON_SIDE,
  decodableTypes,
  decodeImage,
  extractQuery,
  loadVocabulary,
  type Luma,
  lumaOf,
  mainPoints,
  mainRaster,
  NEAREST_WORDS,
  originalWords,
  PROBES_PER_POINT,
  queryWords,
  restrictDecoders,
  openVocabulary,
  referenceNearestWords,
  type Vocabulary,
} from "@colophon/engine/lab";
import { seededRandom } from "@colophon/testing/pictures.ts";
import { applyEdit, originalPoints, picturePoints } from "./true-pairs.ts";

const SEED = 1;
const MAX_WORDS = 1200;
const CROP = { scale: 0.8, turn: 0, kept: 0.5, gamma: 1, quality: 60 } as const;

interface Picture {
  readonly pairs: Float32Array;
  readonly luma: Luma;
  readonly crop: Luma;
}

async function readPictures(folder: string, limit: number): Promise<Picture[]> {
  restrictDecoders(decodableTypes);
  const random = seededRandom(SEED);
  const decoding = { acceptedTypes: decodableTypes, maxImagePixels: 200_000_000 };
  const pictures: Picture[] = [];
  for (const name of readdirSync(folder).toSorted().slice(0, limit)) {
    const luma = lumaOf(await decodeImage(readFileSync(join(folder, name)), decoding), COMPARISON_SIDE);
    const { pairs } = await picturePoints(luma, random);
    const { picture: crop } = await applyEdit(luma, CROP);
    pictures.push({ pairs, luma, crop });
  }
  return pictures;
}

/** Shares of pairs with equal first words, and with the first word among the copy's probes. */
function pairShares(pictures: readonly Picture[], vocabulary: Vocabulary): readonly [number, number] {
  let [count, equal, probed] = [0, 0, 0];
  for (const { pairs } of pictures) {
    const nearest = vocabulary.nearestWords(pairs);
    for (let at = 0; at < nearest.length; at += 2 * NEAREST_WORDS) {
      const copy = nearest.subarray(at + NEAREST_WORDS, at + NEAREST_WORDS + PROBES_PER_POINT);
      count += 1;
      if (copy[0] === nearest[at]) equal += 1;
      if (copy.includes(nearest[at]!)) probed += 1;
    }
  }
  return [equal / count, probed / count];
}

interface Retrieval {
  readonly own: number;
  readonly others: number;
  readonly first: number;
  readonly filed: number;
}

function retrieval(pictures: readonly Picture[], vocabulary: Vocabulary): Retrieval {
  const filed = pictures.map(({ luma }) => {
    const { descriptors } = originalPoints(luma);
    return new Set(originalWords(vocabulary.nearestWords(descriptors), [], vocabulary));
  });
  const own: number[] = [];
  let [others, first] = [0, 0];
  for (const [k, { crop }] of pictures.entries()) {
    const raster = mainRaster(crop);
    const { nearest } = extractQuery(crop, raster, mainPoints(raster, false).asked, vocabulary);
    const asked = queryWords(nearest, vocabulary, MAX_WORDS);
    const shared = filed.map((words) => asked.filter((word) => words.has(word)).length);
    own.push(shared[k]!);
    others += shared.reduce((sum, count) => sum + count, -shared[k]!) / (pictures.length - 1);
    if (shared.every((count, other) => other === k || count < shared[k]!)) first += 1;
  }
  return {
    own: own.toSorted((a, b) => a - b)[own.length >> 1]!,
    others: others / pictures.length,
    first: first / pictures.length,
    filed: filed.reduce((sum, { size }) => sum + size, 0) / pictures.length,
  };
}

function report(name: string, pictures: readonly Picture[], vocabulary: Vocabulary): void {
  const [equal, probed] = pairShares(pictures, vocabulary);
  const { own, others, first, filed } = retrieval(pictures, vocabulary);
  process.stdout.write(
    `${name}: pairs with equal words ${equal.toFixed(3)}, with one of four ${probed.toFixed(3)}; words shared with the original ` +
      `${own}, with another ${others.toFixed(2)}; original first ${first.toFixed(3)}; words filed ${filed.toFixed(0)}\n`,
  );
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      pictures: { type: "string" },
      vocabulary: { type: "string" },
      limit: { type: "string", default: "100" },
    },
  });
  const { pictures: folder, vocabulary: file } = values;
  if (folder === undefined || file === undefined) {
    refuseCommandLine("--pictures DIR and --vocabulary FILE are required");
  }
  const pictures = await readPictures(folder, Number(values.limit));
  report("shipped", pictures, openVocabulary(loadVocabulary(), referenceNearestWords));
  const bytes = readFileSync(file);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  report("given", pictures, openVocabulary(shared, referenceNearestWords));
}

if (import.meta.main) await main();
