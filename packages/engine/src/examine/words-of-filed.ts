import { DESCRIPTOR_LENGTH } from "../features/sift/descriptor.ts";
import { discard } from "../image/discard.ts";
import { NEAREST_WORDS } from "../words/nearest-words.ts";
import type { Vocabulary } from "../words/vocabulary.ts";
import type { FiledPoints } from "./main-raster.ts";

/**
 * `NEAREST_WORDS` words for each of the points to file. Many are among the query's first, whose words are known.
 * @param known the words of the query's first points in the main raster, in their order
 */
export function wordsOfFiled(
  { descriptors, amongAsked }: FiledPoints,
  known: Int32Array,
  { nearestWords }: Pick<Vocabulary, "nearestWords">,
): Int32Array {
  const words = new Int32Array(amongAsked.length * NEAREST_WORDS);
  const others: number[] = [];
  for (const [i, place] of amongAsked.entries()) {
    const at = place * NEAREST_WORDS;
    if (place < 0 || at >= known.length) others.push(i);
    else words.set(known.subarray(at, at + NEAREST_WORDS), i * NEAREST_WORDS);
  }
  const left = new Float32Array(others.length * DESCRIPTOR_LENGTH);
  for (const [k, i] of others.entries()) {
    left.set(descriptors.subarray(i * DESCRIPTOR_LENGTH, (i + 1) * DESCRIPTOR_LENGTH), k * DESCRIPTOR_LENGTH);
  }
  const found = nearestWords(left);
  discard(left);
  for (const [k, i] of others.entries()) {
    words.set(found.subarray(k * NEAREST_WORDS, (k + 1) * NEAREST_WORDS), i * NEAREST_WORDS);
  }
  return words;
}
