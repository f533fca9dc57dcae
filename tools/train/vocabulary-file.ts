import { VOCABULARY_OFFSETS, vocabularyHeader } from "@colophon/engine/lab";
import type { Learned } from "./learn.ts";

/** The bytes of a vocabulary file. `stopWords`: the stop list, ascending. */
export function encodeVocabulary(version: number, learned: Learned, stopWords: Uint32Array): Uint8Array {
  const file = new Uint8Array(VOCABULARY_OFFSETS.stopWords + 4 * stopWords.length);
  const view = new DataView(file.buffer);
  file.set(vocabularyHeader(version));
  const put = (at: number, values: Float32Array): void => {
    for (const [k, value] of values.entries()) view.setFloat32(at + 4 * k, value, true);
  };
  put(VOCABULARY_OFFSETS.medians, learned.medians);
  put(VOCABULARY_OFFSETS.mean, learned.mean);
  put(VOCABULARY_OFFSETS.projection, learned.projection);
  put(VOCABULARY_OFFSETS.mirrorFold, learned.mirrorFold);
  put(VOCABULARY_OFFSETS.inversionFold, learned.inversionFold);
  for (const [part, centres] of learned.centres.entries()) {
    put(VOCABULARY_OFFSETS.centres + part * centres.byteLength, centres);
  }
  for (const [k, word] of stopWords.entries()) {
    view.setUint32(VOCABULARY_OFFSETS.stopWords + 4 * k, word, true);
  }
  return file;
}
