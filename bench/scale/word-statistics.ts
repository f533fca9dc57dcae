/**
 * Compares generated originals with real ones by how common their words are: rows an original, words by the number of
 * originals that have them, and what pictures that were kept out of the population touch and share.
 *
 *     node bench/scale/word-statistics.ts --data DIR [--seed 1] [--cache FILE]
 */
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { loadVocabulary, openVocabulary } from "@colophon/engine/lab";
import { splitPictures, readDonors } from "./donors.ts";
import { Population } from "./population.ts";

/** Two pictures with so many words in common show the same; the later one is left out. */
const RELATED = 12;

export interface WordStatistics {
  readonly originals: number;
  /** Rows an original. */
  readonly rows: number;
  /** Words by the number of originals that have them: 1, 2, 3 or 4, more. */
  readonly byOriginals: readonly number[];
  /** Originals that have the most common word. */
  readonly most: number;
  /** Postings that a query's words touch, for each original there is: mean, and nineteen of twenty queries. */
  readonly touched: number;
  readonly touched95: number;
  /** Share of originals that have at least two words of a query, and at least three. */
  readonly shareTwo: number;
  readonly shareThree: number;
}

/** Counts what the words of `queries` meet among `originals`. */
export function wordStatistics(
  originals: readonly Int32Array[],
  queries: readonly Int32Array[],
): WordStatistics {
  const postings = new Map<number, number[]>();
  for (const [n, words] of originals.entries()) {
    for (const word of words) {
      const posting = postings.get(word);
      if (posting === undefined) postings.set(word, [n]);
      else posting.push(n);
    }
  }
  const byOriginals = [0, 0, 0, 0];
  let [rows, most] = [0, 0];
  for (const { length } of postings.values()) {
    rows += length;
    most = Math.max(most, length);
    byOriginals[length < 3 ? length - 1 : length < 5 ? 2 : 3]! += 1;
  }
  const touched: number[] = [];
  let [two, three] = [0, 0];
  for (const words of queries) {
    const shared = new Map<number, number>();
    for (const word of words) {
      for (const n of postings.get(word) ?? []) shared.set(n, (shared.get(n) ?? 0) + 1);
    }
    const counts = [...shared.values()];
    touched.push(counts.reduce((sum, count) => sum + count, 0) / originals.length);
    two += counts.filter((count) => count >= 2).length;
    three += counts.filter((count) => count >= 3).length;
  }
  const pairs = originals.length * queries.length;
  return {
    originals: originals.length,
    rows: rows / originals.length,
    byOriginals,
    most,
    touched: touched.reduce((sum, value) => sum + value, 0) / queries.length,
    touched95: touched.toSorted((a, b) => a - b)[Math.floor(0.95 * queries.length)] ?? 0,
    shareTwo: two / pairs,
    shareThree: three / pairs,
  };
}

/** Without those that share many words with an earlier one. */
function unrelated(pictures: readonly Int32Array[]): Int32Array[] {
  const kept: Int32Array[] = [];
  for (const words of pictures) {
    const own = new Set(words);
    const related = kept.some((other) => other.filter((word) => own.has(word)).length >= RELATED);
    if (!related) kept.push(words);
  }
  return kept;
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      seed: { type: "string", default: "1" },
      cache: { type: "string" },
    },
  });
  if (values.data === undefined) refuseCommandLine("--data DIR is required");
  const seed = Number(values.seed);
  const files = splitPictures(values.data);
  const donors = await readDonors(files.donors, seed, values.cache ?? null);
  const asking = await readDonors(files.asking, seed, null);
  const vocabulary = openVocabulary(loadVocabulary());
  const filed = (words: Int32Array): Int32Array =>
    Int32Array.from(new Set(words.filter((word) => !vocabulary.isStopWord(word))));
  const real = unrelated(donors.words.map(filed));
  const queries = unrelated([...real, ...asking.words.map(filed)]).slice(real.length);
  const population = new Population(donors, seed);
  const generated = (count: number): Int32Array[] =>
    Array.from({ length: count }, (_, n) => population.original(n).words.filter((word) => word >= 0));
  process.stdout.write(`${JSON.stringify({ real: wordStatistics(real, queries) })}\n`);
  for (const times of [1, 10, 100]) {
    const statistics = wordStatistics(generated(times * real.length), queries);
    process.stdout.write(`${JSON.stringify({ generated: statistics })}\n`);
  }
}

if (import.meta.main) await main();
