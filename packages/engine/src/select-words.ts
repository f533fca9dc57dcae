import { NEAREST_WORDS, type Vocabulary } from "./vocabulary.ts";

/** Points of one query that may share their first two centres; more of them are lettering or a pattern. */
const MAX_ALIKE = 2;

/** The first two of the three centres that a word names. */
function coarseCell(word: number): number {
  return word >> 10;
}

/** The words under which an original is filed: each point's nearest, distinct, none of them heavy, strongest first. */
export function originalWords(nearest: Int32Array, vocabulary: Vocabulary): Int32Array {
  const words = new Set<number>();
  for (let at = 0; at < nearest.length; at += NEAREST_WORDS) {
    if (!vocabulary.isHeavy(nearest[at]!)) words.add(nearest[at]!);
  }
  return Int32Array.from(words);
}

/**
 * The words with which a query asks: all points' nearest in order of strength, then all their second nearest, and so
 * on, distinct, none of them heavy, at most `limit`. Points that look like more than one other are left out.
 */
export function queryWords(nearest: Int32Array, vocabulary: Vocabulary, limit: number): Int32Array {
  const alike = new Map<number, number>();
  const points: number[] = [];
  for (let at = 0; at < nearest.length; at += NEAREST_WORDS) {
    points.push(at);
    const cell = coarseCell(nearest[at]!);
    alike.set(cell, (alike.get(cell) ?? 0) + 1);
  }
  const kept = points.filter((at) => alike.get(coarseCell(nearest[at]!))! <= MAX_ALIKE);
  const words = new Set<number>();
  for (let rank = 0; rank < NEAREST_WORDS; rank++) {
    for (const at of kept) {
      if (words.size === limit) return Int32Array.from(words);
      const word = nearest[at + rank]!;
      if (!vocabulary.isHeavy(word)) words.add(word);
    }
  }
  return Int32Array.from(words);
}
