import { describe, expect, test } from "vitest";
import { paintPicture } from "@colophon/testing/pictures.ts";
import { multiplyMaps, type PlanarMap } from "../../src/geometry/planar-map.ts";
import { rescalingMap } from "../../src/geometry/rescale.ts";
import { splitBands } from "../../src/image/blur.ts";
import type { Plane } from "../../src/image/plane.ts";
import { cubicWeight } from "../../src/image/resample.ts";
import { shrink } from "../../src/image/shrink.ts";
import { noiseOf } from "../../src/image/noise.ts";
import { vectorNoise } from "../../src/image/vector-noise.ts";
import { vectorShrink } from "../../src/image/vector-shrink.ts";
import { bandInto, finerInto } from "../../src/image/vector-split-bands.ts";
import type { Cells } from "../../src/image/part.ts";
import { sampleCells, type SamplesPerCell } from "../../src/matching/compare/sample-cells.ts";
import { measureBlocks } from "../../src/signature/block-measures.ts";
import { vectorMeasureBlocks } from "../../src/signature/vector-measure-blocks.ts";
import { sampleInto } from "../../src/matching/compare/vector-sample-cells.ts";
import { QueryPlanes } from "../../src/matching/compare/query-planes.ts";
import { bandOf, insideOf, lumaOf, sampleWindow } from "../../src/matching/compare/window.ts";
import { WindowRoom } from "../../src/matching/compare/window-room.ts";
import { LAYERS } from "../../src/signature/block-signature.ts";
import { agreeAtShifts, projectBlock } from "../../src/signature/project-block.ts";
import { NIBBLES_PER_BLOCK, Projections } from "../../src/signature/projections.ts";
import { BlockProjector } from "../../src/signature/vector-project-block.ts";
import { Arena, integersAt } from "../../src/wasm/arena.ts";
import { type PlaneAt, planeBytes, valuesAt } from "../../src/wasm/plane-at.ts";
import { PACKET_KEY } from "../matching/pictures.ts";

function painted(seed: number, width: number, height: number): Plane {
  const rgb = paintPicture(seed, width, height);
  return {
    width,
    height,
    data: Float32Array.from({ length: width * height }, (_, k) => rgb[3 * k]! + rgb[3 * k + 1]! / 3),
  };
}

/**
 * What the vector kernels sample on a window, twice in the same room: what one window leaves there does not show in the
 * next.
 */
function sampled(plane: Plane, map: PlanarMap, window: Cells, samples: SamplesPerCell): unknown {
  const [width, height] = [window.right - window.left, window.bottom - window.top];
  using room = new WindowRoom({ width: 2 * width, height: 2 * height });
  const everywhere = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  const larger = { left: 0, top: 0, right: 2 * width, bottom: 2 * height };
  const first = room.take();
  sampleInto(plane, everywhere, larger, 4, first);
  room.giveBack(first);
  const { luma, inside } = room.take();
  sampleInto(plane, map, window, samples, { luma, inside });
  return {
    luma: { width, height, data: valuesAt({ width, height, at: luma }).slice() },
    inside: integersAt(inside, (width + 1) * (height + 1)).slice(),
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
    const map = multiplyMaps(rescalingMap(query, plane), Float64Array.from(numbers));
    for (const samples of [1, 4] as const) {
      expect(sampled(plane, map, window, samples)).toEqual(sampleCells(plane, map, window, samples));
    }
  });
});

test("a window in a room that another one has left shows what it shows in a fresh one", () => {
  const rgb = paintPicture(3, 400, 300);
  const data = Uint8Array.from({ length: 400 * 300 }, (_, k) => rgb[3 * k]!);
  const planes = new QueryPlanes({ width: 400, height: 300, data }, 2);
  const [kind] = LAYERS;
  const layer = { kind: kind!, number: 0, width: 192, height: 144, columns: 0, bits: new Uint16Array(0) };
  const shown = (left: number, room: WindowRoom): unknown => {
    const window = sampleWindow(
      Float64Array.of(0.4, 0, left, 0, 0.4, 9, 0, 0, 1),
      0.4,
      planes,
      layer,
      4,
      room,
    )!;
    const { top, width, height } = window;
    const [luma, band] = [lumaOf(window), bandOf(window)].map((plane) => valuesAt(plane).slice());
    room.giveBack(window);
    return { left: window.left, top, width, height, luma, band, inside: insideOf(window).slice() };
  };
  using used = new WindowRoom(layer);
  shown(0, used);
  using fresh = new WindowRoom(layer);
  expect(shown(120, used)).toEqual(shown(120, fresh));
});

/** A cell whose samples all lie at one place of a row. */
function cell(data: Float32Array, x: number, y: number): number {
  const map = Float64Array.of(0, 0, x, 0, 0, y, 0, 0, 1);
  const window = { left: 0, top: 0, right: 1, bottom: 1 };
  return sampleCells({ width: data.length, height: 1, data }, map, window, 4).luma.data[0]!;
}

test("a cell shows what its samples weigh together; edges are held, of the smallest planes too", () => {
  const data = Float32Array.of(3, 14, 15, 92);
  for (const t of [0, 0.01, 0.25, 0.6, 0.999]) {
    const weighed = data.reduce((sum, value, i) => sum + cubicWeight(Math.abs(1 + t - i)) * value, 0);
    expect(cell(data, 1 + t, 0)).toBeCloseTo(weighed, 4);
  }
  for (const at of [-5, 0, 0.5, 9]) expect(cell(Float32Array.of(7), at, at)).toBeCloseTo(7, 5);
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
  const bytes = planeBytes(width * height);
  using arena = new Arena({ luma: bytes, band: bytes, fine: bytes });
  const placed = (at: number): PlaneAt => ({ width, height, at });
  const [luma, band, fine] = [placed(arena.at.luma), placed(arena.at.band), placed(arena.at.fine)];
  valuesAt(luma).set(cut.data);
  bandInto(luma, band.at);
  finerInto(luma, fine.at);
  const expected = splitBands(cut);
  expect(valuesAt(band)).toEqual(expected.band.data);
  expect(valuesAt(fine)).toEqual(expected.fine.data);
});

test.each([
  [301, 222, 64, 64],
  [301, 222, 300, 221],
  [301, 223, 301, 100],
  [7, 5, 3, 1],
  [640, 481, 192, 144],
  [9, 9, 9, 9],
])("a raster of %i x %i is shrunk to %i x %i as the reference shrinks it", (width, height, across, down) => {
  const rgb = paintPicture(11, Math.max(width, 8), Math.max(height, 8));
  const luma = { width, height, data: Uint8Array.from({ length: width * height }, (_, k) => rgb[3 * k]!) };
  expect(vectorShrink(luma, across, down)).toEqual(shrink(luma, across, down));
});

test.each([
  [301, 222],
  [18, 18],
  [17, 40],
  [5, 3],
  [1024, 683],
])("the noise of %i x %i pixels is the reference's", (width, height) => {
  const { data } = painted(width, Math.max(width, 8), Math.max(height, 8));
  const luma = { width, height, data: Uint8Array.from(data.subarray(0, width * height)) };
  expect(vectorNoise(luma)).toBe(noiseOf(luma));
});

describe("blocks are measured as the reference measures them", () => {
  const rgb = paintPicture(9, 320, 240);
  const luma = {
    width: 320,
    height: 240,
    data: Uint8Array.from({ length: 320 * 240 }, (_, k) => rgb[3 * k]!),
  };
  const x = Array.from({ length: 60 }, (_, k) => 7.5 + 8 * (k % 10));
  const y = Array.from({ length: 60 }, (_, k) => 7.5 + 8 * Math.floor(k / 10));
  test.each([
    ["upright", [0.3, 0, 0, 0, 0.3, 0, 0, 0, 1]],
    ["coarser than a cell", [2, 0, 0, 0, 2, 0, 0, 0, 1]],
    ["turned", [0.2, 0.21, -3, -0.2, 0.19, 40, 0, 0, 1]],
    ["in perspective", [0.3, 0.01, 2, 0.02, 0.28, 1, 0.0004, -0.0003, 1]],
    ["beyond the borders", [0.3, 0, 40, 0, 0.3, -30, 0, 0, 1]],
    ["across a horizon", [0.3, 0, 0, 0, 0.3, 0, 0.02, 0, 1]],
    ["of no extent", [0, 0, 0, 0, 0, 0, 0, 0, 1]],
  ])("%s", (_, numbers) => {
    const map = Float64Array.from(numbers);
    expect(vectorMeasureBlocks({ x, y }, map, luma)).toEqual(measureBlocks({ x, y }, map, luma));
  });
  test("none", () => {
    const none = vectorMeasureBlocks({ x: [], y: [] }, Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), luma);
    expect(none.contrast).toHaveLength(0);
  });
});

test.each([0, 2, 3])("blocks are projected alike at shifts of up to %i cells, at borders too", (radius) => {
  const band = painted(radius, 60, 40);
  for (const [k, value] of band.data.entries()) band.data[k] = 1.37 * (value - 160);
  const projections = new Projections(PACKET_KEY, new Uint8Array(16), 0, 20);
  const { width, height } = band;
  using arena = new Arena({ placed: planeBytes(width * height) });
  const placed = { width, height, at: arena.at.placed };
  valuesAt(placed).set(band.data);
  using projector = new BlockProjector(placed, projections, radius);
  const nibbles = new Uint8Array(NIBBLES_PER_BLOCK);
  for (let block = 0; block < 20; block += 1) {
    const [left, top] = [(12 * (block % 5)) % 49, 9 * Math.floor(block / 5)];
    const bits = (40_503 * (block + 1)) & 65_535;
    projections.nibbles(block, nibbles);
    const expected = projectBlock(band, left, top, radius, nibbles);
    projector.project(block, left, top);
    projector.agree(bits);
    const { patch, energy, products, agreement } = projector;
    expect({ patch, energy, products }).toEqual(expected);
    expect(agreement).toEqual(agreeAtShifts(bits, expected.products));
  }
});
