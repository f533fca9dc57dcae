import { expect, test } from "vitest";
import { seededRandom } from "@colophon/testing/pictures.ts";
import { blur } from "../../src/image/blur.ts";
import type { Luma } from "../../src/image/luma.ts";
import { softenLuma } from "../../src/image/soften.ts";

/** A raster of pseudo-random levels. */
function noise(width: number, height: number): Luma {
  const random = seededRandom(width * 1000 + height);
  return {
    width,
    height,
    data: Uint8Array.from({ length: width * height }, () => Math.floor(256 * random())),
  };
}

test.each([
  [1, 1],
  [1, 300],
  [300, 2],
  [3, 5],
  [16, 7],
  [61, 40],
])("a raster of %i x %i pixels is blurred as it is", (width, height) => {
  const luma = noise(width, height);
  for (const sigma of [0.4, 1, 2]) {
    const exact = blur({ width, height, data: Float32Array.from(luma.data) }, sigma);
    expect(softenLuma(luma, sigma)).toEqual({ width, height, data: Uint8Array.from(exact.data, Math.round) });
  }
  expect(luma).toEqual(noise(width, height));
});

test.each([
  [1, 1],
  [300, 2],
  [640, 480],
])("one of %i x %i keeps its size and its levels, however much it is blurred", (width, height) => {
  const level = { width, height, data: new Uint8Array(width * height).fill(93) };
  expect(softenLuma(level, 9)).toEqual(level);
});
