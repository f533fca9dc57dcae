import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paintPicture } from "@colophon/testing/pictures.ts";
import { enlargeLuma, lumaOf, resizeLuma, shrinkLuma } from "../../src/image/raster.ts";
import { referenceRowSums } from "../../src/image/row-sums.ts";

const pictures = fc
  .tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 70 }))
  .chain(([width, height]) =>
    fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      data: fc.uint8Array({ minLength: 3 * width * height, maxLength: 3 * width * height }),
    }),
  );

describe("raster", () => {
  it("is the same with vectors as without", () => {
    fc.assert(
      fc.property(pictures, fc.integer({ min: 1, max: 80 }), (picture, longest) => {
        expect(lumaOf(picture, longest)).toEqual(lumaOf(picture, longest, referenceRowSums));
      }),
    );
    fc.assert(
      fc.property(pictures, fc.double({ min: 0.02, max: 1, noNaN: true }), (picture, scale) => {
        const luma = lumaOf(picture, 80);
        const [width, height] = [luma.width, luma.height].map((side) => Math.ceil(scale * side)) as [
          number,
          number,
        ];
        expect(shrinkLuma(luma, width, height)).toEqual(shrinkLuma(luma, width, height, referenceRowSums));
      }),
    );
  });

  it("keeps grey grey at any size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 1, max: 99 }), (grey, side) => {
        const picture = { width: 99, height: 61, data: new Uint8Array(3 * 99 * 61).fill(grey) };
        const luma = lumaOf(picture, side);
        expect(Math.max(luma.width, luma.height)).toBe(side);
        expect(luma.data.every((value) => value === grey)).toBe(true);
        expect(enlargeLuma(luma, 2 * luma.width, 2 * luma.height).data.every((value) => value === grey)).toBe(
          true,
        );
      }),
    );
  });

  it("averages whole cells exactly", () => {
    const data = Uint8Array.from([10, 20, 30, 40, 50, 60, 70, 81]);
    expect(shrinkLuma({ width: 4, height: 2, data }, 2, 1).data).toEqual(Uint8Array.from([35, 55]));
  });

  it("weighs the colours as BT.601 does", () => {
    const data = Uint8Array.from([255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]);
    expect(lumaOf({ width: 4, height: 1, data }, 10).data).toEqual(Uint8Array.from([76, 150, 29, 255]));
  });

  it("shrinks and enlarges without moving the picture", () => {
    const luma = lumaOf({ width: 120, height: 90, data: paintPicture(21, 120, 90) }, 200);
    const again = shrinkLuma(enlargeLuma(luma, 240, 180), 120, 90);
    const error =
      luma.data.reduce((sum, value, i) => sum + Math.abs(value - again.data[i]!), 0) / luma.data.length;
    expect(error).toBeLessThan(2);
  });

  it("gives a copy, not the raster itself, where the size stays", () => {
    const luma = { width: 2, height: 1, data: Uint8Array.from([1, 2]) };
    const copy = resizeLuma(luma, 2, 1);
    copy.data.fill(0);
    expect(luma.data).toEqual(Uint8Array.from([1, 2]));
  });
});
