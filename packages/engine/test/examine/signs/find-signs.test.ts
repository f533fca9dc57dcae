import { describe, expect, it } from "vitest";
import { paintPicture, seededRandom } from "@colophon/testing/pictures.ts";
import { findSigns } from "../../../src/examine/signs/find-signs.ts";
import type { Luma } from "../../../src/image/luma.ts";
import { type Box, lumaOf } from "../../../src/image/raster.ts";

const SIZE = { width: 960, height: 640 };

/** A slope of light without anything on it. */
function slope(): Luma {
  const { width, height } = SIZE;
  const data = Uint8Array.from({ length: width * height }, (_, k) => 40 + ((k % width) * 160) / width);
  return { width, height, data };
}

/** Lays a white ground on a picture, with bars of 3 to 8 pixels across it. */
function withCode(luma: Luma, { x, y, width, height }: Box): Luma {
  const random = seededRandom(x + y + width);
  const data = luma.data.slice();
  for (let row = y; row < y + height; row += 1) {
    data.fill(250, row * luma.width + x, row * luma.width + x + width);
  }
  for (let at = x + 8; at < x + width - 16; at += 10 + Math.floor(8 * random())) {
    const wide = 3 + Math.floor(5 * random());
    for (let row = y + 8; row < y + height - 8; row += 1) {
      data.fill(15, row * luma.width + at, row * luma.width + at + wide);
    }
    at += wide;
  }
  return { ...luma, data };
}

/** Lays a white ground on a picture, with dots of ink all over it. */
function withDots(luma: Luma, { x, y, width, height }: Box): Luma {
  const random = seededRandom(width);
  const data = luma.data.slice();
  for (let row = y; row < y + height; row += 1) {
    data.fill(250, row * luma.width + x, row * luma.width + x + width);
  }
  for (let top = y + 4; top < y + height - 4; top += 10) {
    for (let left = x + 4; left < x + width - 4; left += 5 + Math.floor(15 * random())) {
      for (let row = top; row < top + 3; row += 1) {
        data.fill(15, row * luma.width + left, row * luma.width + left + 3);
      }
    }
  }
  return { ...luma, data };
}

describe("findSigns", () => {
  const painted = lumaOf({ ...SIZE, data: paintPicture(21, SIZE.width, SIZE.height) }, 1600);

  it.each([
    ["in the middle", { x: 400, y: 250, width: 200, height: 90 }],
    ["in a corner", { x: 740, y: 530, width: 200, height: 90 }],
    ["at the edge", { x: 0, y: 0, width: 960, height: 60 }],
  ])("finds a code on a ground of its own to the pixel, %s", (_, box) => {
    expect(findSigns(withCode(slope(), box))).toContainEqual(box);
    expect(findSigns(withCode(painted, box))).toContainEqual(box);
  });

  it("finds the two on which most is drawn", () => {
    const boxes = [
      { x: 60, y: 60, width: 120, height: 60 },
      { x: 300, y: 60, width: 300, height: 120 },
      { x: 60, y: 400, width: 240, height: 100 },
    ];
    expect(findSigns(boxes.reduce(withCode, slope()))).toEqual([boxes[1], boxes[2]]);
  });

  it("finds a bar across the picture first, and no more than the bar where its ground goes on", () => {
    const bar = { x: 0, y: 600, width: 960, height: 40 };
    const boxes = [
      { x: 60, y: 60, width: 240, height: 160 },
      { x: 400, y: 60, width: 300, height: 160 },
      bar,
    ];
    expect(findSigns(boxes.reduce(withCode, slope()))).toEqual([bar, boxes[1]]);
    const white = withDots(slope(), { x: 0, y: 0, width: 400, height: 600 });
    expect(findSigns(withCode(white, bar))).toEqual([bar]);
  });

  it("finds none on a slope, in what covers a sixth of a picture, and in one of a few pixels", () => {
    expect(findSigns(slope())).toEqual([]);
    expect(findSigns(withDots(slope(), { x: 100, y: 100, width: 300, height: 240 }))).toHaveLength(1);
    expect(findSigns(withDots(slope(), { x: 100, y: 100, width: 500, height: 240 }))).toEqual([]);
    expect(findSigns({ width: 3, height: 2, data: new Uint8Array(6) })).toEqual([]);
  });
});
