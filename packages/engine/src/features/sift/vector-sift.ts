import type { Luma } from "../../image/luma.ts";
import { DESCRIPTOR_LENGTH, frameOf } from "./descriptor.ts";
import { BORDER, distinctExtrema, type Extremum, faintest, type Peak } from "./extrema.ts";
import { BINS, peakAngles, windowOf } from "./orientation.ts";
import {
  FIRST_TAPS,
  INTERVALS,
  LAYERS,
  LAYER_TAPS,
  type Octave,
  octaveSizes,
  type Pyramid,
} from "./pyramid.ts";
import type { Sift } from "./sift.ts";
import {
  Arena,
  arenaBytes,
  bytesAt,
  doublesAt,
  floatsAt,
  integersAt,
  pieceBytes,
  type Pieces,
  samplesAt,
} from "../../wasm/arena.ts";
import { kernels } from "../../wasm/kernels.ts";

const MAX_TAPS = 16;
const TAP_BYTES = 2 * MAX_TAPS;

type Size = Omit<Octave, "layers">;

/** Bytes of one layer. */
function layerBytes({ width, height }: Size): number {
  return 2 * width * height;
}

/** Bytes that `blur` works in, for rows of this width and any kernel used here. */
function blurScratch(width: number): number {
  return 16 * MAX_TAPS + 2 * (width + 2 * MAX_TAPS) + 64;
}

/** Pointer of a layer that lies in the kernels' memory. */
function pointerOf(layer: Int16Array): number {
  return layer.byteOffset;
}

/** What building a pyramid takes beside its layers, of which the first have this size: twice the raster's. */
function buildPieces(first: Size): Pieces<"raster" | "enlarged" | "taps" | "scratch"> {
  return {
    raster: (first.width * first.height) / 4,
    enlarged: layerBytes(first),
    taps: TAP_BYTES,
    scratch: blurScratch(first.width),
  };
}

function fillLayers(luma: Luma, octaves: readonly Octave[]): void {
  const [first] = octaves;
  if (first === undefined) return;
  using arena = new Arena(buildPieces(first));
  const { raster, enlarged, taps, scratch } = arena.at;
  const blur = (from: number, to: number, { width, height }: Size, half: Int16Array): void => {
    samplesAt(taps, half.length).set(half);
    kernels.blur(from, to, width, height, taps, half.length, scratch);
  };
  bytesAt(raster, luma.data.length).set(luma.data);
  kernels.double(raster, enlarged, luma.width, luma.height);
  blur(enlarged, pointerOf(first.layers[0]!), first, FIRST_TAPS);
  for (const [index, octave] of octaves.entries()) {
    const pointers = octave.layers.map(pointerOf);
    const below = octaves[index - 1];
    if (below !== undefined) {
      kernels.halve(pointerOf(below.layers[INTERVALS]!), pointers[0]!, below.width, below.height);
    }
    for (let i = 1; i < LAYERS; i += 1) blur(pointers[i - 1]!, pointers[i]!, octave, LAYER_TAPS[i - 1]!);
  }
}

function buildPyramid(luma: Luma): Pyramid {
  const sizes = octaveSizes(luma);
  const [largest] = sizes;
  const above = largest && Math.max(arenaBytes(buildPieces(largest)), arenaBytes(searchPieces(largest)));
  // A piece for each octave: its layers, one after the other.
  const arena = new Arena<number>(
    sizes.map((size) => LAYERS * pieceBytes(layerBytes(size))),
    above,
  );
  const octaves = sizes.map((size, index) => ({
    ...size,
    layers: Array.from({ length: LAYERS }, (_, layer) =>
      samplesAt(arena.at[index]! + layer * pieceBytes(layerBytes(size)), size.width * size.height),
    ),
  }));
  fillLayers(luma, octaves);
  return {
    octaves,
    [Symbol.dispose]: () => {
      kernels.clearScratch();
      arena[Symbol.dispose]();
    },
  };
}

/** Extrema that are kept of one layer, as a share of its samples. */
const CANDIDATE_SHARE = 1 / 4;

function candidateLimit({ width, height }: Size): number {
  return Math.ceil(width * height * CANDIDATE_SHARE);
}

/** Candidates that are refined at a time, and numbers (float64) that say what became of one. */
const PORTION = 1024;
const PEAK_NUMBERS = 7;

/** Bytes of a row of differences, as `findCandidates` lays them out. */
function rowStride(width: number): number {
  return pieceBytes(2 * width);
}

/** What searching an octave of this size takes. */
function searchPieces(size: Size): Pieces<"layers" | "rows" | "lists" | "counts" | "peaks"> {
  return {
    layers: 4 * LAYERS,
    rows: 3 * (LAYERS - 1) * rowStride(size.width),
    lists: 4 * INTERVALS * candidateLimit(size),
    counts: 4 * INTERVALS,
    peaks: 8 * PEAK_NUMBERS * PORTION,
  };
}

/**
 * Where one octave's search keeps what it finds: pointers of its layers, of each scale's candidates, and of room for
 * peaks.
 */
interface Search {
  readonly octave: Octave;
  readonly layers: number;
  readonly lists: number;
  readonly limit: number;
  readonly peaks: number;
}

function* refined(
  { octave, layers, lists, limit, peaks }: Search,
  counts: Int32Array,
  contrast: number,
): Generator<Peak> {
  const { width, height } = octave;
  for (const [i, count] of counts.entries()) {
    for (let first = 0; first < count; first += PORTION) {
      const indices = lists + 4 * (limit * i + first);
      const portion = Math.min(PORTION, count - first);
      const kept = kernels.refineExtrema(
        layers,
        LAYERS,
        width,
        height,
        BORDER,
        i + 1,
        indices,
        portion,
        contrast,
        peaks,
      );
      const numbers = doublesAt(peaks, PEAK_NUMBERS * kept);
      for (let at = 0; at < numbers.length; at += PEAK_NUMBERS) {
        yield {
          layer: numbers[at]!,
          row: numbers[at + 1]!,
          column: numbers[at + 2]!,
          dx: numbers[at + 3]!,
          dy: numbers[at + 4]!,
          ds: numbers[at + 5]!,
          response: numbers[at + 6]!,
        };
      }
    }
  }
}

function findInOctave(octave: Octave, index: number, contrast: number): Extremum[] {
  const { width, height } = octave;
  using arena = new Arena(searchPieces(octave));
  const { layers, rows, lists, counts, peaks } = arena.at;
  const stride = rowStride(width);
  const limit = candidateLimit(octave);
  integersAt(layers, LAYERS).set(octave.layers.map(pointerOf));
  const faint = faintest(contrast);
  kernels.findCandidates(layers, LAYERS, width, height, BORDER, faint, rows, stride, lists, limit, counts);
  const search = { octave, layers, lists, limit, peaks };
  return distinctExtrema(octave, index, refined(search, integersAt(counts, INTERVALS), contrast));
}

function findExtrema(octaves: readonly Octave[], contrast: number): Extremum[] {
  return octaves.flatMap((octave, index) => findInOctave(octave, index, contrast));
}

/** Views on the kernels' results, made again when the memory has moved. */
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
