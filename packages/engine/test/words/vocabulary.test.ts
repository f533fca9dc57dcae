import { describe, expect, it } from "vitest";
import { paintPicture } from "@colophon/testing/pictures.ts";
import { extractFeatures } from "../../src/examine/extract-features.ts";
import type { Luma } from "../../src/image/luma.ts";
import { lumaOf } from "../../src/image/raster.ts";
import { type AskingWords, originalWords, queryWords } from "../../src/examine/select-words.ts";
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

/** Those of a picture without smaller rasters. */
function alone(main: Int32Array): AskingWords {
  return { main, small: [], signs: [], signsInSmall: [] };
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
    const filed = new Set(originalWords(nearest, [], vocabulary));
    const { width, height, data } = raster;
    const mirrored = data.map((_, i) => data[i - (i % width) + width - 1 - (i % width)]!);
    const negative = data.map((value) => 255 - value);
    for (const changed of [mirrored, negative]) {
      const words = queryWords(alone(wordsOf({ width, height, data: changed })), vocabulary, 1500);
      expect(words.filter((word) => filed.has(word)).length).toBeGreaterThan(0.4 * filed.size);
    }
  });

  it("never files or asks for stop words or repeated ones, and keeps to the limit", () => {
    const filed = originalWords(nearest, [], vocabulary);
    const asked = queryWords(alone(nearest), vocabulary, 700);
    expect(asked.length).toBe(700);
    for (const words of [filed, asked]) {
      expect(new Set(words).size).toBe(words.length);
      expect(words.some((word) => vocabulary.isStopWord(word))).toBe(false);
    }
  });

  it("files a sign as it looks in small, too, and under second nearest words, as far as there is room", () => {
    const firstsOf = (points: Int32Array, rank: number): number[] =>
      [...points].filter((word, at) => at % NEAREST_WORDS === rank && !vocabulary.isStopWord(word));
    const sign = nearest.slice(0, 40 * NEAREST_WORDS);
    const inSmall = nearest.slice(100 * NEAREST_WORDS, 140 * NEAREST_WORDS);
    const filed = [...originalWords(sign, [inSmall], vocabulary)];
    expect(filed).toEqual([
      ...new Set([0, 1].flatMap((rank) => [sign, inSmall].flatMap((each) => firstsOf(each, rank)))),
    ]);
    const many = Int32Array.from({ length: 700 * NEAREST_WORDS }, (_, k) => (k * 1_000_003) % 2 ** 30);
    const full = originalWords(many, [inSmall], vocabulary);
    expect([...full]).toEqual(firstsOf(many, 0).slice(0, 600));
  });

  it("asks for two of the points that look alike", () => {
    const [one = 0] = [...nearest.keys()].filter(
      (at) => at % NEAREST_WORDS === 0 && !vocabulary.isStopWord(nearest[at]!),
    );
    const point = Array.from(nearest.subarray(one, one + NEAREST_WORDS));
    // In one coarse cell with it, and with words of its own.
    const alike = (k: number): number[] => point.map((word) => (word & ~1023) | ((word + k) & 1023));
    const asked = [...queryWords(alone(Int32Array.from([0, 1, 2, 3].flatMap(alike))), vocabulary, 1500)];
    const expected = [0, 1].map((k) => alike(k)[0]!).filter((word) => !vocabulary.isStopWord(word));
    expect(asked.slice(0, expected.length)).toEqual(expected);
    expect(asked).not.toContain(alike(2)[0]);
    expect(asked).not.toContain(alike(3)[0]);
  });
});
