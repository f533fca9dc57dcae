import type { NearestWords } from "./nearest-words.ts";
import { vectorNearestWords } from "./vector-nearest-words.ts";
import { type VocabularyTables, vocabularyTables } from "./vocabulary-tables.ts";

/**
 * Turns RootSIFT descriptors into 30-bit retrieval words. A descriptor is first folded, so that a mirrored or inverted
 * picture gives the same words; then projected to three parts of 16 numbers, each named by its nearest of 1,024
 * centres. All sums are float32 in a fixed order, so that every machine finds the same words.
 */
export interface Vocabulary {
  readonly nearestWords: NearestWords;
  /** Whether a word is on the stop list: too common to tell pictures apart, neither stored nor looked up. */
  readonly isStopWord: (word: number) => boolean;
}

function holds(ascending: Uint32Array, word: number): boolean {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < word) low = middle + 1;
    else high = middle;
  }
  return ascending[low] === word;
}

/**
 * Opens a vocabulary. `shared`: what `loadVocabulary` gives; `search`: how words are found, with the vector kernels
 * unless told.
 */
export function openVocabulary(
  shared: SharedArrayBuffer,
  search: (tables: VocabularyTables) => NearestWords = vectorNearestWords,
): Vocabulary {
  const tables = vocabularyTables(shared);
  return { nearestWords: search(tables), isStopWord: (word) => holds(tables.stopWords, word) };
}
