import { paintPicture } from "@colophon/testing/pictures.ts";
import { expect, it } from "vitest";
import { mainPoints, mainRaster } from "../../src/examine/main-raster.ts";
import { wordsOfFiled } from "../../src/examine/words-of-filed.ts";
import { DESCRIPTOR_LENGTH } from "../../src/features/sift/descriptor.ts";
import { lumaOf } from "../../src/image/raster.ts";
import { loadVocabulary } from "../../src/learned/vocabulary-file.ts";
import { openVocabulary } from "../../src/words/vocabulary.ts";

const vocabulary = openVocabulary(loadVocabulary());
const raster = lumaOf({ width: 480, height: 360, data: paintPicture(11, 480, 360) }, 1600);
const { asked, filed } = mainPoints(raster, true);
if (filed === null) throw new TypeError("Points to file were asked for.");

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

it.each([
  ["all of the query's points have", asked.features.count],
  ["some of them have", 40],
  ["none of them has", 0],
])("filed points have the same words where %s words already", (_, named) => {
  const known = vocabulary.nearestWords(asked.descriptors.subarray(0, named * DESCRIPTOR_LENGTH));
  expect(wordsOfFiled(filed, known, vocabulary)).toEqual(vocabulary.nearestWords(filed.descriptors));
});

it("a filed point is the same among those that the query has", () => {
  const { amongAsked, features } = filed;
  const common = Array.from(amongAsked.keys()).filter((i) => amongAsked[i]! >= 0);
  expect(common.length).toBeGreaterThan(50);
  for (const column of ["x", "y", "angle", "size"] as const) {
    expect(common.map((i) => features[column][i])).toEqual(
      common.map((i) => asked.features[column][amongAsked[i]!]),
    );
  }
});

it("the strongest points ask first, and a part of the others is spread over all of them", () => {
  const large = lumaOf({ width: 1200, height: 900, data: paintPicture(11, 1200, 900) }, 1600);
  const { features } = mainPoints(mainRaster(large), false).asked;
  const strengths = Array.from(
    features.response,
    (response, i) => response * Math.sqrt(Math.min(features.size[i]!, 16)),
  );
  const [first, others] = [strengths.slice(0, 500), strengths.slice(500)];
  expect(others.length).toBeGreaterThan(200);
  expect(mean(first)).toBeGreaterThan(1.5 * mean(others));
  for (const share of [0.25, 0.5]) {
    const part = mean(others.slice(0, share * others.length));
    expect(part / mean(others)).toBeCloseTo(1, 1);
  }
});
