import { describe, expect, it } from "vitest";
import { paintPicture } from "@colophon/testing/pictures.ts";
import { extractFeatures } from "../../src/examine/extract-features.ts";
import type { Luma } from "../../src/image/luma.ts";
import { lumaOf } from "../../src/image/raster.ts";
import { originalWords, queryWords } from "../../src/examine/select-words.ts";
import { NEAREST_WORDS, referenceNearestWords } from "../../src/words/nearest-words.ts";
import { loadVocabulary } from "../../src/learned/vocabulary-file.ts";
import { openVocabulary } from "../../src/words/vocabulary.ts";

const shared = loadVocabulary();
const reference = openVocabulary(shared, referenceNearestWords);
const vocabulary = openVocabulary(shared);
const raster = lumaOf({ width: 320, height: 240, data: paintPicture(11, 320, 240) }, 1600);

function wordsOf(luma: Luma): Int32Array {
  return vocabulary.nearestWords(extractFeatures(luma, { limit: 600, thinBursts: true }).descriptors);
}

describe("vocabulary", () => {
  const nearest = wordsOf(raster);

  it("finds the same words with vectors as without", () => {
    const { descriptors } = extractFeatures(raster, { limit: 600, thinBursts: true });
    expect(vocabulary.nearestWords(descriptors)).toEqual(reference.nearestWords(descriptors));
  });

  it("names points with distinct 30-bit words, nearest first", () => {
    expect(nearest.length % NEAREST_WORDS).toBe(0);
    expect(nearest.every((word) => word >= 0 && word < 2 ** 30)).toBe(true);
    expect(new Set(nearest.subarray(0, NEAREST_WORDS)).size).toBe(NEAREST_WORDS);
  });

  it("gives a mirrored and a dark-for-light picture mostly the same words", () => {
    const filed = new Set(originalWords(nearest, vocabulary));
    const { width, height, data } = raster;
    const mirrored = data.map((_, i) => data[i - (i % width) + width - 1 - (i % width)]!);
    const negative = data.map((value) => 255 - value);
    for (const changed of [mirrored, negative]) {
      const words = queryWords([wordsOf({ width, height, data: changed })], vocabulary, 1500);
      expect(words.filter((word) => filed.has(word)).length).toBeGreaterThan(0.4 * filed.size);
    }
  });

  it("never files or asks for stop words or repeated ones, and keeps to the limit", () => {
    const filed = originalWords(nearest, vocabulary);
    const asked = queryWords([nearest], vocabulary, 700);
    expect(asked.length).toBe(700);
    for (const words of [filed, asked]) {
      expect(new Set(words).size).toBe(words.length);
      expect(words.some((word) => vocabulary.isStopWord(word))).toBe(false);
    }
  });

  it("leaves out of a query the points that look like several others", () => {
    const one = nearest.slice(0, NEAREST_WORDS);
    const burst = Int32Array.from([...one, ...one, ...one, ...nearest.slice(0, 2 * NEAREST_WORDS)]);
    const asked = queryWords([burst], vocabulary, 1500);
    expect(asked.includes(one[0]!)).toBe(false);
    expect(asked.length).toBeGreaterThan(0);
  });
});
