import { describe, expect, it } from "vitest";
import { paintPicture, seededRandom } from "@colophon/testing/pictures.ts";
import { extractFeatures } from "../../src/examine/extract-features.ts";
import { extractQuery } from "../../src/examine/extract-query.ts";
import { findSigns } from "../../src/examine/signs/find-signs.ts";
import { mainPoints, mainRaster } from "../../src/examine/main-raster.ts";
import type { Features } from "../../src/features/features.ts";
import { BITS_STRIDE } from "../../src/features/binarise.ts";
import { rescale } from "../../src/geometry/rescale.ts";
import type { Luma } from "../../src/image/luma.ts";
import { type Box, fittedSize, lumaOf, shrinkLuma } from "../../src/image/raster.ts";
import { loadVocabulary } from "../../src/learned/vocabulary-file.ts";
import { openVocabulary } from "../../src/words/vocabulary.ts";

const [WIDTH, HEIGHT] = [960, 640];
const LEFT = 240;
const TOP = 330;
const vocabulary = openVocabulary(loadVocabulary());

/** A light bar with blocks of ink on it. */
function bar(): Luma {
  const [width, height] = [600, 60];
  const random = seededRandom(5);
  const data = new Uint8Array(width * height).fill(245);
  for (let left = 20; left < width - 40; left += 18 + Math.floor(40 * random())) {
    const [wide, high] = [6 + Math.floor(8 * random()), 10 + Math.floor(22 * random())];
    for (let y = 14; y < 14 + high; y += 1) data.fill(20, y * width + left, y * width + left + wide);
  }
  return { width, height, data };
}

/** A painted picture with a sign laid on it. */
function carrying(sign: Luma): Luma {
  const painted = lumaOf({ width: WIDTH, height: HEIGHT, data: paintPicture(21, WIDTH, HEIGHT) }, WIDTH);
  for (let y = 0; y < sign.height; y += 1) {
    const row = sign.data.subarray(y * sign.width, (y + 1) * sign.width);
    painted.data.set(row, (TOP + y) * WIDTH + LEFT);
  }
  return painted;
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly description: string;
}

/** Points of what is shown in a box of a picture, in the picture's pixels. */
function pointsIn(box: Box, { width, height, count, x, y, bits }: Features): Point[] {
  return Array.from({ length: count }, (_, k) => ({
    x: box.x + rescale(x[k]!, width, box.width),
    y: box.y + rescale(y[k]!, height, box.height),
    description: bits.subarray(k * BITS_STRIDE, (k + 1) * BITS_STRIDE).join(),
  }));
}

const areOne = (a: Point, b: Point): boolean =>
  a.description === b.description && Math.hypot(a.x - b.x, a.y - b.y) < 0.5;

describe("a sign on a picture", () => {
  it("is described in the picture as it is where it is registered by itself, and in small", () => {
    const sign = bar();
    const whole = { x: 0, y: 0, width: WIDTH, height: HEIGHT };
    const place = { x: LEFT, y: TOP, width: sign.width, height: sign.height };
    const picture = carrying(sign);
    expect(findSigns(picture)).toContainEqual(place);
    const raster = mainRaster(picture);
    const asked = extractQuery(picture, raster, mainPoints(raster, false).asked, vocabulary);
    const found = pointsIn(whole, asked.features);

    const own = mainRaster(sign);
    const { width, height } = fittedSize(own.width, own.height, 214);
    for (const [filed, limit] of [
      [own, 300],
      [shrinkLuma(own, width, height), 25],
    ] as const) {
      const { features } = extractFeatures(filed, { limit, thinBursts: false });
      expect(features.count).toBeGreaterThan(10);
      const points = pointsIn(place, features);
      expect(points.filter((point) => !found.some((each) => areOne(each, point)))).toEqual([]);
    }
  });
});
