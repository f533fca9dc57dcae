import { LIMITS } from "../matching/limits.ts";
import { NEAREST_WORDS } from "../words/nearest-words.ts";
import type { Vocabulary } from "../words/vocabulary.ts";

const { mainShare, cropPoints, alike: MAX_ALIKE } = LIMITS.retrieval;

/** The first two of the three centres that a word names. */
function coarseCell(word: number): number {
  return word >> 10;
}

/** The words under which an original is filed: each point's nearest, distinct, none of them a stop word, strongest first. */
export function originalWords(nearest: Int32Array, vocabulary: Vocabulary): Int32Array {
  const words = new Set<number>();
  for (let at = 0; at < nearest.length; at += NEAREST_WORDS) {
    if (!vocabulary.isStopWord(nearest[at]!)) words.add(nearest[at]!);
  }
  return Int32Array.from(words);
}

/**
 * Words of one raster's `most` strongest points: all nearest in order of strength, then all second nearest, and so on, no
 * stop word among them. Points that look like more than one other of the raster are left out.
 */
function* wordsInOrder(nearest: Int32Array, vocabulary: Vocabulary, most: number): Generator<number, void> {
  const alike = new Map<number, number>();
  const points: number[] = [];
  for (let at = 0; at < nearest.length; at += NEAREST_WORDS) {
    points.push(at);
    const cell = coarseCell(nearest[at]!);
    alike.set(cell, (alike.get(cell) ?? 0) + 1);
  }
  const kept = points.filter((at) => alike.get(coarseCell(nearest[at]!))! <= MAX_ALIKE).slice(0, most);
  for (let rank = 0; rank < NEAREST_WORDS; rank += 1) {
    for (const at of kept) {
      const word = nearest[at + rank]!;
      if (!vocabulary.isStopWord(word)) yield word;
    }
  }
}

/**
 * The words with which a query asks, distinct, at most `limit`. `rasters`: the nearest words of the points of each raster of the
 * query, the main one first; they take turns, the main one with `mainShare` words.
 */
export function queryWords(
  rasters: readonly Int32Array[],
  vocabulary: Vocabulary,
  limit: number,
): Int32Array {
  const words = new Set<number>();
  let sources = rasters.map((nearest, k) => ({
    order: wordsInOrder(nearest, vocabulary, k === 0 ? Number.POSITIVE_INFINITY : cropPoints),
    share: k === 0 ? mainShare : 1,
  }));
  while (sources.length > 0 && words.size < limit) {
    sources = sources.filter(({ order, share }) => {
      for (let taken = 0; taken < share; taken += 1) {
        const next = order.next();
        if (next.done === true) return false;
        words.add(next.value);
      }
      return true;
    });
  }
  return Int32Array.from(words).slice(0, limit);
}
