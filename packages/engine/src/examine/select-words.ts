import { LIMITS } from "../matching/limits.ts";
import { MAX_PACKET_POINTS } from "../packet/registration-packet.ts";
import { NEAREST_WORDS } from "../words/nearest-words.ts";
import type { Vocabulary } from "../words/vocabulary.ts";

const { mainShare, signShare, cropPoints, alike: MAX_ALIKE, filedRanks: FILED_RANKS } = LIMITS.retrieval;

/** The first two of the three centres that a word names. */
function coarseCell(word: number): number {
  return word >> 10;
}

/**
 * The words under which an original is filed, distinct, none of them a stop word: each point's nearest, strongest
 * first. An original with few points, a sign or a drawing, leaves room for more: those of its small rasters, since in a
 * corner of a page it has hardly any other point, and then the second nearest of all.
 */
export function originalWords(
  nearest: Int32Array,
  inSmall: readonly Int32Array[],
  vocabulary: Vocabulary,
): Int32Array {
  const words = new Set<number>();
  for (let rank = 0; rank < FILED_RANKS; rank += 1) {
    for (const raster of [nearest, ...inSmall]) {
      for (let at = rank; at < raster.length && words.size < MAX_PACKET_POINTS; at += NEAREST_WORDS) {
        if (!vocabulary.isStopWord(raster[at]!)) words.add(raster[at]!);
      }
    }
  }
  return Int32Array.from(words);
}

/**
 * Words of one raster's `most` first points: all nearest in their order, then all second nearest, and so on, no stop
 * word among them. Of points that look alike only the first two ask.
 */
function* wordsInOrder(nearest: Int32Array, vocabulary: Vocabulary, most: number): Generator<number, void> {
  const alike = new Map<number, number>();
  const kept: number[] = [];
  for (let at = 0; at < nearest.length && kept.length < most; at += NEAREST_WORDS) {
    const cell = coarseCell(nearest[at]!);
    const count = (alike.get(cell) ?? 0) + 1;
    alike.set(cell, count);
    if (count <= MAX_ALIKE) kept.push(at);
  }
  for (let rank = 0; rank < NEAREST_WORDS; rank += 1) {
    for (const at of kept) {
      const word = nearest[at + rank]!;
      if (!vocabulary.isStopWord(word)) yield word;
    }
  }
}

/** `NEAREST_WORDS` words a point of a query's main raster, of its smaller ones, and of both of the signs in it. */
export interface AskingWords {
  readonly main: Int32Array;
  readonly small: readonly Int32Array[];
  readonly signs: readonly Int32Array[];
  readonly signsInSmall: readonly Int32Array[];
}

/**
 * The words with which a query asks, distinct, at most `limit`. The rasters take turns, each with its share of words.
 */
export function queryWords(
  { main, small, signs, signsInSmall }: AskingWords,
  vocabulary: Vocabulary,
  limit: number,
): Int32Array {
  const words = new Set<number>();
  const source = (nearest: Int32Array, share: number, most = Number.POSITIVE_INFINITY) => ({
    order: wordsInOrder(nearest, vocabulary, most),
    share,
  });
  let sources = [
    source(main, mainShare),
    ...[...small, ...signsInSmall].map((nearest) => source(nearest, 1, cropPoints)),
    ...signs.map((nearest) => source(nearest, signShare)),
  ];
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
