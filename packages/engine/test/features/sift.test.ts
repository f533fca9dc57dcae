import { describe, expect, it } from "vitest";
import { paintPicture } from "@colophon/testing/pictures.ts";
import { extractFeatures } from "../../src/examine/extract-features.ts";
import type { Luma } from "../../src/image/luma.ts";
import { lumaOf } from "../../src/image/raster.ts";
import { DESCRIPTOR_LENGTH } from "../../src/features/sift/descriptor.ts";
import { referenceSift } from "../../src/features/sift/sift.ts";
import { vectorSift } from "../../src/features/sift/vector-sift.ts";

function painted(seed: number, width: number, height: number): Luma {
  return lumaOf({ width, height, data: paintPicture(seed, width, height) }, 1600);
}

const rasters = [painted(1, 157, 118), painted(2, 64, 240), painted(3, 33, 35)];

describe("vectorised kernels against the reference", () => {
  it("build the same pyramid to the last bit", () => {
    for (const raster of rasters) {
      using expected = referenceSift.buildPyramid(raster);
      using pyramid = vectorSift.buildPyramid(raster);
      expect(pyramid.octaves.length).toBe(expected.octaves.length);
      for (const [i, octave] of expected.octaves.entries()) {
        for (const [k, layer] of octave.layers.entries()) {
          expect(pyramid.octaves[i]!.layers[k]).toEqual(layer);
        }
      }
    }
  });

  it("find the same extrema", () => {
    for (const raster of rasters) {
      using expected = referenceSift.buildPyramid(raster);
      using pyramid = vectorSift.buildPyramid(raster);
      for (const contrast of [0.01, 0.004]) {
        const found = vectorSift.findExtrema(pyramid.octaves, contrast);
        expect(found.length).toBeGreaterThan(10);
        expect(found).toEqual(referenceSift.findExtrema(expected.octaves, contrast));
      }
    }
  });

  it("orient and describe points alike, to rounding", () => {
    const options = { limit: 3000, thinBursts: false };
    let bits = 0;
    let flipped = 0;
    for (const raster of rasters) {
      const expected = extractFeatures(raster, options, referenceSift);
      const { features, descriptors } = extractFeatures(raster, options, vectorSift);
      expect(features.x).toEqual(expected.features.x);
      expect(features.y).toEqual(expected.features.y);
      const turns = features.angle.map((angle, i) => Math.abs(angle - expected.features.angle[i]!));
      expect(Math.max(...turns.map((turn) => Math.min(turn, 2 * Math.PI - turn)))).toBeLessThan(0.01);
      const errors = descriptors.map((value, i) => Math.abs(value - expected.descriptors[i]!));
      expect(Math.max(...errors)).toBeLessThan(0.01);
      bits += features.count * DESCRIPTOR_LENGTH;
      for (const [i, word] of expected.features.bits.entries()) {
        flipped += (features.bits[i]! ^ word).toString(2).replaceAll(/[^1]/g, "").length;
      }
    }
    expect(flipped / bits).toBeLessThan(1e-3);
  });
});

describe("features", () => {
  it("are the same for the same raster, whatever was looked at before", () => {
    const options = { limit: 600, thinBursts: true };
    const first = extractFeatures(rasters[0]!, options);
    extractFeatures(rasters[1]!, options);
    expect(extractFeatures(rasters[0]!, options)).toEqual(first);
  });

  it("keep to the limit and to the raster", () => {
    const raster = rasters[0]!;
    const { features } = extractFeatures(raster, { limit: 50, thinBursts: false });
    expect(features.count).toBe(50);
    for (let i = 0; i < features.count; i += 1) {
      expect(features.x[i]).toBeGreaterThanOrEqual(-0.5);
      expect(features.x[i]).toBeLessThan(raster.width);
      expect(features.y[i]).toBeLessThan(raster.height);
    }
  });

  it("of a picture and of its larger copy lie at the same places", () => {
    const [small, large] = [painted(5, 160, 120), painted(5, 320, 240)];
    const few = extractFeatures(small, { limit: 40, thinBursts: false }).features;
    const many = extractFeatures(large, { limit: 3000, thinBursts: false }).features;
    let found = 0;
    for (let i = 0; i < few.count; i += 1) {
      for (let k = 0; k < many.count; k += 1) {
        const dx = (many.x[k]! + 0.5) / 2 - (few.x[i]! + 0.5);
        const dy = (many.y[k]! + 0.5) / 2 - (few.y[i]! + 0.5);
        if (Math.hypot(dx, dy) < 1 && Math.abs(Math.log2(many.size[k]! / few.size[i]!) - 1) < 0.3) {
          found += 1;
          break;
        }
      }
    }
    expect(found).toBeGreaterThan(0.6 * few.count);
  });

  it("of tiny and of even pictures are few or none", () => {
    for (const [width, height] of [
      [1, 1],
      [1, 300],
      [5, 7],
      [640, 2],
    ] as const) {
      const raster = { width, height, data: new Uint8Array(width * height).map((_, i) => (i * 37) & 255) };
      expect(extractFeatures(raster, { limit: 600, thinBursts: true }).features.count).toBeLessThan(5);
    }
    const even = { width: 200, height: 100, data: new Uint8Array(20_000).fill(77) };
    expect(extractFeatures(even, { limit: 600, thinBursts: true }).features.count).toBe(0);
  });
});
