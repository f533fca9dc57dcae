import type { Luma } from "../features.ts";
import { DESCRIPTOR_LENGTH, frameOf } from "../sift/descriptor.ts";
import { BORDER, type Extremum, faintest, refineCandidates } from "../sift/extrema.ts";
import { BINS, peakAngles, windowOf } from "../sift/orientation.ts";
import {
  FIRST_BLUR,
  gaussianTaps,
  INTERVALS,
  LAYERS,
  layerBlur,
  type Octave,
  octaveSizes,
  type Pyramid,
} from "../sift/pyramid.ts";
import type { Sift } from "../sift/sift.ts";
import { bytesAt, floatsAt, integersAt, kernels, Room, roomFor } from "./kernel-memory.ts";

const MAX_RADIUS = 16;
const TAP_BYTES = 4 * (MAX_RADIUS + 1);

type Size = Omit<Octave, "layers">;

/** Bytes of one layer. */
function layerBytes({ width, height }: Size): number {
  return 4 * width * height;
}

/** Bytes that `blur` works in, for rows of this width and any kernel used here. */
function blurScratch(width: number): number {
  return 8 * (MAX_RADIUS + 1) + 4 * (width + 2 * MAX_RADIUS) + 128;
}

/** Pointer of a layer that lies in the kernels' memory. */
function pointerOf(layer: Float32Array): number {
  return layer.byteOffset;
}

/** Blurs between pointers; the taps are written before each blur. */
function blurrer(room: Room, width: number): (from: number, to: number, size: Size, sigma: number) => void {
  const taps = room.take(TAP_BYTES);
  const scratch = room.take(blurScratch(width));
  return (from, to, { width: columns, height }, sigma) => {
    const half = gaussianTaps(sigma);
    floatsAt(taps, half.length).set(half);
    kernels.blur(from, to, columns, height, taps, half.length - 1, scratch);
  };
}

/** Bytes for building a pyramid besides its layers. */
function buildRoom({ width, height }: Size): number {
  const raster = roomFor((width * height) / 4) + roomFor(layerBytes({ width, height }));
  return raster + roomFor(TAP_BYTES) + roomFor(blurScratch(width));
}

function fillLayers(luma: Luma, octaves: readonly Octave[]): void {
  const [first] = octaves;
  if (first === undefined) return;
  using room = new Room(buildRoom(first));
  const blur = blurrer(room, first.width);
  const [raster, enlarged] = [room.take(luma.data.length), room.take(layerBytes(first))];
  bytesAt(raster, luma.data.length).set(luma.data);
  kernels.double(raster, enlarged, luma.width, luma.height);
  blur(enlarged, pointerOf(first.layers[0]!), first, FIRST_BLUR);
  for (const [index, octave] of octaves.entries()) {
    const pointers = octave.layers.map(pointerOf);
    const below = octaves[index - 1];
    if (below !== undefined) {
      kernels.halve(pointerOf(below.layers[INTERVALS]!), pointers[0]!, below.width, below.height);
    }
    for (let i = 1; i < LAYERS; i++) blur(pointers[i - 1]!, pointers[i]!, octave, layerBlur(i));
  }
}

function buildPyramid(luma: Luma): Pyramid {
  const sizes = octaveSizes(luma);
  const bytes = sizes.reduce((sum, size) => sum + LAYERS * roomFor(layerBytes(size)), 0);
  const [largest] = sizes;
  const room = new Room(bytes, largest === undefined ? 0 : Math.max(buildRoom(largest), searchRoom(largest)));
  const octaves = sizes.map((size) => ({
    ...size,
    layers: Array.from({ length: LAYERS }, () =>
      floatsAt(room.take(layerBytes(size)), size.width * size.height),
    ),
  }));
  fillLayers(luma, octaves);
  return {
    octaves,
    [Symbol.dispose]: () => {
      kernels.clearDesk();
      room[Symbol.dispose]();
    },
  };
}

/** Extrema that are kept of one layer, as a share of its samples. */
const CANDIDATE_SHARE = 1 / 4;

function candidateLimit({ width, height }: Size): number {
  return Math.ceil(width * height * CANDIDATE_SHARE);
}

/** Bytes of a row of differences, as `findCandidates` lays them out. */
function rowStride(width: number): number {
  return roomFor(4 * width);
}

/** Bytes for searching an octave of this size. */
function searchRoom(size: Size): number {
  const rows = 3 * (LAYERS - 1) * rowStride(size.width);
  const lists = 4 * INTERVALS * candidateLimit(size);
  return roomFor(4 * LAYERS) + roomFor(rows) + roomFor(lists) + roomFor(4 * INTERVALS);
}

function findInOctave(octave: Octave, index: number, contrast: number): Extremum[] {
  const { width, height } = octave;
  using room = new Room(searchRoom(octave));
  const stride = rowStride(width);
  const limit = candidateLimit(octave);
  const layers = room.take(4 * LAYERS);
  const rows = room.take(3 * (LAYERS - 1) * stride);
  const lists = room.take(4 * INTERVALS * limit);
  const counts = room.take(4 * INTERVALS);
  integersAt(layers, LAYERS).set(octave.layers.map(pointerOf));
  const faint = faintest(contrast);
  kernels.findCandidates(layers, LAYERS, width, height, BORDER, faint, rows, stride, lists, limit, counts);
  const candidates = Array.from(integersAt(counts, INTERVALS), (count, i) =>
    integersAt(lists + 4 * limit * i, count),
  );
  return refineCandidates(octave, index, candidates, contrast);
}

function findExtrema(octaves: readonly Octave[], contrast: number): Extremum[] {
  return octaves.flatMap((octave, index) => findInOctave(octave, index, contrast));
}

/** Views on the kernels' results, made anew when the memory has moved. */
let results = resultViews();

function resultViews(): { readonly directions: Float32Array; readonly descriptor: Float32Array } {
  return {
    directions: floatsAt(kernels.directions.value, BINS),
    descriptor: floatsAt(kernels.descriptor.value, DESCRIPTOR_LENGTH),
  };
}

function currentResults(): typeof results {
  if (results.descriptor.length === 0) results = resultViews();
  return results;
}

function orientationsOf(octave: Octave, point: Extremum): number[] {
  const { radius, fall } = windowOf(point.scale);
  const layer = pointerOf(octave.layers[point.layer]!);
  const { width, height } = octave;
  const column = Math.round(point.column);
  const row = Math.round(point.row);
  kernels.directionHistogram(layer, width, height, column, row, radius, fall);
  return peakAngles(currentResults().directions);
}

function describe(octave: Octave, point: Extremum, angle: number, into: Float32Array): void {
  const { radius, turn, cos, sin } = frameOf(octave, point, angle);
  const layer = pointerOf(octave.layers[point.layer]!);
  const { width, height } = octave;
  const column = Math.round(point.column);
  const row = Math.round(point.row);
  kernels.describe(layer, width, height, column, row, radius, cos, sin, turn);
  into.set(currentResults().descriptor);
}

/** The steps as WebAssembly with 128-bit vectors. */
export const vectorSift: Sift = { buildPyramid, findExtrema, orientationsOf, describe };
