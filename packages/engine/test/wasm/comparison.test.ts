import { describe, expect, test } from "vitest";
import { paintPicture, seededRandom } from "@colophon/testing/pictures.ts";
import { splitBands } from "../../src/image/blur.ts";
import type { Plane } from "../../src/image/plane.ts";
import { vectorSplitBands } from "../../src/image/vector-split-bands.ts";
import { sampleCells } from "../../src/matching/compare/sample-cells.ts";
import { vectorSampleCells } from "../../src/matching/compare/vector-sample-cells.ts";
import {
  BITS_PER_BLOCK,
  NIBBLES_PER_BLOCK,
  projectPatch,
  tableSize,
} from "../../src/signature/projections.ts";
import { BlockProjector } from "../../src/signature/vector-projections.ts";

function painted(seed: number, width: number, height: number): Plane {
  const rgb = paintPicture(seed, width, height);
  return {
    width,
    height,
    data: Float32Array.from({ length: width * height }, (_, k) => rgb[3 * k]! + rgb[3 * k + 1]! / 3),
  };
}

describe("a window is sampled as the reference samples it", () => {
  const plane = painted(5, 301, 222);
  const query = { width: 602, height: 444 };
  const window = { left: 3, top: 0, right: 120, bottom: 91 };
  test.each([
    ["upright", [4.1, 0.2, 17, -0.3, 3.9, 11, 0, 0, 1]],
    ["far smaller than a cell", [0.4, 0, 200, 0, 0.4, 150, 0, 0, 1]],
    ["turned and mirrored", [-2.4, 3.1, 420, 3.2, 2.1, -60, 0, 0, 1]],
    ["in perspective", [4, 0.3, 5, 0.1, 3.7, 9, 0.0012, -0.0007, 1]],
    ["beyond all borders", [9, 0, -300, 0, 9, -250, 0, 0, 1]],
    ["across a horizon", [4, 0, 0, 0, 4, 0, -0.015, 0, 1]],
    ["with a negative scale", [-4.1, 0, -17, 0, -3.9, -11, 0, 0, -1]],
  ])("%s", (_, numbers) => {
    const map = Float64Array.from(numbers);
    expect(vectorSampleCells(plane, query, map, window)).toEqual(sampleCells(plane, query, map, window));
  });
});

test.each([
  [1, 1],
  [5, 3],
  [12, 40],
  [127, 33],
  [384, 288],
])("a plane of %i x %i is split into the same bands", (width, height) => {
  const plane = painted(width, Math.max(width, 8), Math.max(height, 8));
  const cut = { width, height, data: plane.data.slice(0, width * height) };
  expect(vectorSplitBands(cut)).toEqual(splitBands(cut));
});

test.each([0, 2, 3])("blocks are projected alike at shifts of up to %i cells", (radius) => {
  const random = seededRandom(radius);
  const side = 12 + 2 * radius;
  using projector = new BlockProjector(radius);
  for (let round = 0; round < 20; round += 1) {
    const patch = Float32Array.from({ length: side * side }, () => 200 * (random() - 0.5));
    const nibbles = Uint8Array.from({ length: NIBBLES_PER_BLOCK }, () => Math.floor(16 * random()));
    const products = new Float32Array(BITS_PER_BLOCK * (2 * radius + 1) ** 2);
    projectPatch(patch, radius, nibbles, new Float32Array(tableSize(radius)), products);
    projector.patch.set(patch);
    projector.nibbles.set(nibbles);
    projector.project();
    expect(projector.products).toEqual(products);
  }
});
