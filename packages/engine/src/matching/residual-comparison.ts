import {
  type PlanarMap,
  type PointPairs,
  fitAffine,
  fitHomography,
  invertMap,
  multiplyMaps,
} from "./least-squares.ts";
import { type Plane, splitBands } from "./plane.ts";
import {
  BITS_PER_BLOCK,
  BLOCK,
  NIBBLES_PER_BLOCK,
  type Projections,
  projectPatch,
  tableSize,
} from "./projections.ts";
import type { QueryPlanes } from "./query-plane.ts";
import { type ResidualLayer, blockStart, cutPatch } from "./residual-signature.ts";

/** How each comparable block of the original looks in the aligned query. */
export interface BlockReading {
  readonly count: number;
  /** Agreement of the signature bits in place, -1..1, and at the best shift of up to two cells. */
  readonly inPlace: Float64Array;
  readonly best: Float64Array;
  /** The best shift, cells, to a fraction of a cell. */
  readonly shiftX: Float64Array;
  readonly shiftY: Float64Array;
  /** Mean square of the query's band-pass map over the block: how much there is to compare. */
  readonly energy: Float64Array;
  /** Block centres, cells. */
  readonly x: Float64Array;
  readonly y: Float64Array;
}

export interface Comparison {
  readonly blocks: BlockReading;
  /** Blocks of the layer inside the overlap, textured or not, and blocks of the whole layer. */
  readonly overlapped: number;
  readonly total: number;
  /**
   * Energy of the query's detail finer than the compared band, as a share of the band's: low when the query is blurred or
   * too small for the map, high when it is noisy.
   */
  readonly fineness: number;
  /** Map cells for one query pixel: below 1 the query is finer than the map. */
  readonly cellsPerPixel: number;
}

/** Luma variance under which a block of the query says nothing. */
const MIN_VARIANCE = 16;
const FIRST_RADIUS = 3;
const RADIUS = 2;
const REFITS = 3;
/** Agreement from which a block takes part in refitting the alignment. */
const REFIT_FROM = 0.56;
const MAX_REFIT_BLOCKS = 140;
/** Cells beyond the overlap that the band-pass filter looks at. */
const HALO = 10;

/** The part of the original's map that the query covers, sampled from the query. */
interface Window {
  readonly left: number;
  readonly top: number;
  readonly luma: Plane;
  /** The compared band of `luma`, and what is finer than it. */
  readonly band: Plane;
  readonly fine: Plane;
  /** Summed-area table of the cells inside the query, (width + 1) x (height + 1). */
  readonly inside: Int32Array;
}

function apply(map: PlanarMap, x: number, y: number): [number, number] {
  const w = map[6]! * x + map[7]! * y + map[8]!;
  return [(map[0]! * x + map[1]! * y + map[2]!) / w, (map[3]! * x + map[4]! * y + map[5]!) / w];
}

function cubicWeights(t: number, into: Float64Array): void {
  into[0] = ((-0.5 * t + 1) * t - 0.5) * t;
  into[1] = (1.5 * t - 2.5) * t * t + 1;
  into[2] = ((-1.5 * t + 2) * t + 0.5) * t;
  into[3] = (0.5 * t - 0.5) * t * t;
}

const wx = new Float64Array(4);
const wy = new Float64Array(4);

/** Catmull-Rom sample; coordinates outside take the border. */
function sample(plane: Plane, x: number, y: number): number {
  const { width, height, data } = plane;
  const cx = Math.min(width - 1, Math.max(0, x));
  const cy = Math.min(height - 1, Math.max(0, y));
  const x0 = Math.floor(cx);
  const y0 = Math.floor(cy);
  cubicWeights(cx - x0, wx);
  cubicWeights(cy - y0, wy);
  let sum = 0;
  if (x0 >= 1 && y0 >= 1 && x0 + 2 < width && y0 + 2 < height) {
    let at = (y0 - 1) * width + x0 - 1;
    for (let r = 0; r < 4; r += 1) {
      sum +=
        wy[r]! *
        (wx[0]! * data[at]! + wx[1]! * data[at + 1]! + wx[2]! * data[at + 2]! + wx[3]! * data[at + 3]!);
      at += width;
    }
    return sum;
  }
  for (let r = 0; r < 4; r += 1) {
    const row = Math.min(height - 1, Math.max(0, y0 - 1 + r)) * width;
    for (let c = 0; c < 4; c += 1)
      sum += wy[r]! * wx[c]! * data[row + Math.min(width - 1, Math.max(0, x0 - 1 + c))]!;
  }
  return sum;
}

function windowBounds(
  toMap: PlanarMap,
  planes: QueryPlanes,
  layer: ResidualLayer,
): [number, number, number, number] | null {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const [x, y] of [
    [-0.5, -0.5],
    [planes.width - 0.5, -0.5],
    [-0.5, planes.height - 0.5],
    [planes.width - 0.5, planes.height - 0.5],
  ] as const) {
    // A corner behind the horizon: the overlap cannot be bounded, so take everything.
    if (toMap[6]! * x + toMap[7]! * y + toMap[8]! <= 1e-9) return [0, 0, layer.width, layer.height];
    const [u, v] = apply(toMap, x, y);
    left = Math.min(left, u);
    right = Math.max(right, u);
    top = Math.min(top, v);
    bottom = Math.max(bottom, v);
  }
  const bounds: [number, number, number, number] = [
    Math.max(0, Math.floor(left) - HALO),
    Math.max(0, Math.floor(top) - HALO),
    Math.min(layer.width, Math.ceil(right) + HALO),
    Math.min(layer.height, Math.ceil(bottom) + HALO),
  ];
  return bounds[2] - bounds[0] >= BLOCK && bounds[3] - bounds[1] >= BLOCK ? bounds : null;
}

/** Samples the query on the original's map, four samples a cell. */
function align(
  toMap: PlanarMap,
  cellsPerPixel: number,
  planes: QueryPlanes,
  layer: ResidualLayer,
): Window | null {
  const bounds = windowBounds(toMap, planes, layer);
  const toQuery = invertMap(toMap);
  if (bounds === null || toQuery === null) return null;
  const [left, top, right, bottom] = bounds;
  const plane = planes.atLeast(2 * cellsPerPixel);
  const sx = plane.width / planes.width;
  const sy = plane.height / planes.height;
  const width = right - left;
  const height = bottom - top;
  const data = new Float32Array(width * height);
  const inside = new Int32Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      let within = 0;
      for (let quarter = 0; quarter < 4; quarter += 1) {
        const u = left + x + (quarter & 1 ? 0.25 : -0.25);
        const v = top + y + (quarter & 2 ? 0.25 : -0.25);
        const w = toQuery[6]! * u + toQuery[7]! * v + toQuery[8]!;
        const qx = (toQuery[0]! * u + toQuery[1]! * v + toQuery[2]!) / w;
        const qy = (toQuery[3]! * u + toQuery[4]! * v + toQuery[5]!) / w;
        if (qx >= -0.5 && qy >= -0.5 && qx <= planes.width - 0.5 && qy <= planes.height - 0.5) within += 1;
        sum += sample(plane, (qx + 0.5) * sx - 0.5, (qy + 0.5) * sy - 0.5);
      }
      data[y * width + x] = sum / 4;
      if (within === 4) row += 1;
      inside[(y + 1) * (width + 1) + x + 1] = inside[y * (width + 1) + x + 1]! + row;
    }
  }
  const luma = { width, height, data };
  return { left, top, luma, inside, ...splitBands(luma) };
}

/** Whether the query covers all cells of the rectangle, its right and bottom edges excluded. */
function covers(window: Window, left: number, top: number, right: number, bottom: number): boolean {
  const x0 = left - window.left;
  const y0 = top - window.top;
  const x1 = right - window.left;
  const y1 = bottom - window.top;
  const stride = window.luma.width + 1;
  if (x0 < 0 || y0 < 0 || x1 > window.luma.width || y1 > window.luma.height) return false;
  const { inside } = window;
  const sum = (y: number, x: number): number => inside[y * stride + x]!;
  const cells = sum(y1, x1) - sum(y0, x1) - sum(y1, x0) + sum(y0, x0);
  return cells === (x1 - x0) * (y1 - y0);
}

function variance(plane: Plane, left: number, top: number): number {
  let sum = 0;
  let squares = 0;
  for (let y = top; y < top + BLOCK; y += 1) {
    for (let x = left; x < left + BLOCK; x += 1) {
      const value = plane.data[y * plane.width + x]!;
      sum += value;
      squares += value * value;
    }
  }
  const n = BLOCK * BLOCK;
  return squares / n - (sum / n) ** 2;
}

/** Offset of the top of the parabola through three equidistant values, the middle one the greatest. */
function peakOffset(before: number, at: number, after: number): number {
  const bend = before - 2 * at + after;
  return Math.abs(bend) > 1e-9 ? (0.5 * (before - after)) / bend : 0;
}

interface Usable {
  readonly blocks: number[];
  readonly overlapped: number;
}

function usableBlocks(window: Window, layer: ResidualLayer, radius: number): Usable {
  const blocks: number[] = [];
  let overlapped = 0;
  for (let block = 0; block < layer.bits.length; block += 1) {
    const left = blockStart(block % layer.columns, layer.kind);
    const top = blockStart(Math.floor(block / layer.columns), layer.kind);
    const right = Math.min(layer.width, left + BLOCK + radius);
    const bottom = Math.min(layer.height, top + BLOCK + radius);
    if (!covers(window, Math.max(0, left - radius), Math.max(0, top - radius), right, bottom)) continue;
    overlapped += 1;
    if (variance(window.luma, left - window.left, top - window.top) >= MIN_VARIANCE) blocks.push(block);
  }
  return { blocks, overlapped };
}

function readBlocks(
  window: Window,
  layer: ResidualLayer,
  projections: Projections,
  radius: number,
  blocks: readonly number[],
): BlockReading {
  const { band } = window;
  const reach = 2 * radius + 1;
  const shifts = reach * reach;
  const side = BLOCK + 2 * radius;
  const patch = new Float32Array(side * side);
  const nibbles = new Uint8Array(NIBBLES_PER_BLOCK);
  const table = new Float32Array(tableSize(radius));
  const products = new Float32Array(BITS_PER_BLOCK * shifts);
  const agreement = new Float64Array(shifts);
  const column = (): Float64Array => new Float64Array(blocks.length);
  const reading = {
    count: blocks.length,
    inPlace: column(),
    best: column(),
    shiftX: column(),
    shiftY: column(),
    energy: column(),
    x: column(),
    y: column(),
  };
  for (let k = 0; k < blocks.length; k += 1) {
    const block = blocks[k]!;
    const left = blockStart(block % layer.columns, layer.kind);
    const top = blockStart(Math.floor(block / layer.columns), layer.kind);
    cutPatch(band, left - window.left - radius, top - window.top - radius, side, patch);
    for (let y = radius; y < radius + BLOCK; y += 1)
      for (let x = radius; x < radius + BLOCK; x += 1)
        reading.energy[k]! += patch[y * side + x]! ** 2 / (BLOCK * BLOCK);
    projections.nibbles(block, nibbles);
    projectPatch(patch, radius, nibbles, table, products);
    let peak = 0;
    for (let shift = 0; shift < shifts; shift += 1) {
      let along = 0;
      let total = 1e-3;
      for (let bit = 0; bit < BITS_PER_BLOCK; bit += 1) {
        const product = products[bit * shifts + shift]!;
        along += (layer.bits[block]! >> bit) & 1 ? product : -product;
        total += Math.abs(product);
      }
      agreement[shift] = along / total;
      if (agreement[shift]! > agreement[peak]!) peak = shift;
    }
    const px = peak % reach;
    const py = Math.floor(peak / reach);
    const isInner = px > 0 && py > 0 && px < reach - 1 && py < reach - 1;
    reading.inPlace[k] = agreement[radius * reach + radius]!;
    reading.best[k] = agreement[peak]!;
    reading.shiftX[k] =
      px - radius + (isInner ? peakOffset(agreement[peak - 1]!, agreement[peak]!, agreement[peak + 1]!) : 0);
    reading.shiftY[k] =
      py -
      radius +
      (isInner ? peakOffset(agreement[peak - reach]!, agreement[peak]!, agreement[peak + reach]!) : 0);
    reading.x[k] = left + (BLOCK - 1) / 2;
    reading.y[k] = top + (BLOCK - 1) / 2;
  }
  return reading;
}

function fineness(window: Window, layer: ResidualLayer, blocks: readonly number[]): number {
  let fine = 0;
  let band = 1e-6;
  for (const block of blocks) {
    const left = blockStart(block % layer.columns, layer.kind) - window.left;
    const top = blockStart(Math.floor(block / layer.columns), layer.kind) - window.top;
    for (let y = top; y < top + BLOCK; y += 1)
      for (let x = left; x < left + BLOCK; x += 1) {
        fine += window.fine.data[y * window.luma.width + x]! ** 2;
        band += window.band.data[y * window.luma.width + x]! ** 2;
      }
  }
  return fine / band;
}

/** The correction that moves what was found shifted back to its place; null when too few blocks tell. */
function correction(reading: BlockReading, radius: number): PlanarMap | null {
  const told: number[] = [];
  for (let k = 0; k < reading.count; k += 1)
    if (reading.best[k]! > REFIT_FROM && Math.hypot(reading.shiftX[k]!, reading.shiftY[k]!) < radius + 0.3)
      told.push(k);
  if (told.length < 8) return null;
  const pairs: PointPairs = {
    count: told.length,
    px: Float64Array.from(told, (k) => reading.x[k]! + reading.shiftX[k]!),
    py: Float64Array.from(told, (k) => reading.y[k]! + reading.shiftY[k]!),
    qx: Float64Array.from(told, (k) => reading.x[k]!),
    qy: Float64Array.from(told, (k) => reading.y[k]!),
  };
  return told.length >= 16 ? fitHomography(pairs, 0.35) : fitAffine(pairs);
}

const thin = (blocks: readonly number[]): readonly number[] => {
  const step = Math.ceil(blocks.length / MAX_REFIT_BLOCKS);
  return step <= 1 ? blocks : blocks.filter((_, k) => k % step === 0);
};

function localScale(map: PlanarMap, x: number, y: number): number {
  const [x0, y0] = apply(map, x - 4, y);
  const [x1, y1] = apply(map, x + 4, y);
  const [x2, y2] = apply(map, x, y - 4);
  const [x3, y3] = apply(map, x, y + 4);
  return Math.sqrt((Math.hypot(x1 - x0, y1 - y0) * Math.hypot(x3 - x2, y3 - y2)) / 64);
}

const middle = (values: Float64Array): number => values.toSorted()[values.length >> 1]!;

/**
 * Aligns the query with one layer of an original and compares block by block. `points`: agreeing pairs, pixels of the
 * query's luma to cells of the layer's map, from which the alignment starts. Null when the two do not overlap.
 */
export function compareLayer(
  planes: QueryPlanes,
  points: PointPairs,
  layer: ResidualLayer,
  projections: Projections,
): Comparison | null {
  let map = points.count >= 10 ? fitHomography(points, 0.5) : fitAffine(points);
  if (map === null) return null;
  const cellsPerPixel = localScale(map, middle(points.px), middle(points.py));
  for (let round = 0; round <= REFITS; round += 1) {
    const window = align(map, cellsPerPixel, planes, layer);
    if (window === null) return null;
    const radius = round === 0 ? FIRST_RADIUS : RADIUS;
    const { blocks, overlapped } = usableBlocks(window, layer, radius);
    if (round < REFITS && blocks.length >= 8) {
      const refit = correction(readBlocks(window, layer, projections, radius, thin(blocks)), radius);
      if (refit !== null) {
        map = multiplyMaps(refit, map);
        continue;
      }
    }
    const reading = readBlocks(window, layer, projections, RADIUS, blocks);
    return {
      blocks: reading,
      fineness: fineness(window, layer, blocks),
      overlapped,
      total: layer.bits.length,
      cellsPerPixel,
    };
  }
  return null;
}
