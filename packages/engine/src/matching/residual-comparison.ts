import { type Window, align, apply, containment, covers } from "./aligned-window.ts";
import { type PlanarMap, type PointPairs, fitAffine, fitHomography, multiplyMaps } from "./least-squares.ts";
import type { Plane } from "./plane.ts";
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
  readonly layer: ResidualLayer;
  readonly blocks: BlockReading;
  /** Centres, cells, of the blocks that the query covers but shows nothing in. */
  readonly plain: { readonly x: Float64Array; readonly y: Float64Array };
  /** The alignment found: pixels of the query's luma to cells. */
  readonly map: PlanarMap;
  /** `containment` of the two pictures under that alignment. */
  readonly containment: number;
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
/** A correction that moves no corner of the overlap by more than this, in cells, ends the refitting. */
const SETTLED = 0.04;
/** Agreement from which a block takes part in refitting the alignment. */
const REFIT_FROM = 0.56;
const MAX_REFIT_BLOCKS = 140;

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

/** The blocks that the query covers, a few cells around them included: those it has something to show in, and the plain ones. */
function coveredBlocks(
  window: Window,
  layer: ResidualLayer,
  radius: number,
): { readonly shown: number[]; readonly plain: number[] } {
  const shown: number[] = [];
  const plain: number[] = [];
  for (let block = 0; block < layer.bits.length; block += 1) {
    const left = blockStart(block % layer.columns, layer.kind);
    const top = blockStart(Math.floor(block / layer.columns), layer.kind);
    const right = Math.min(layer.width, left + BLOCK + radius);
    const bottom = Math.min(layer.height, top + BLOCK + radius);
    if (!covers(window, Math.max(0, left - radius), Math.max(0, top - radius), right, bottom)) continue;
    const isShown = variance(window.luma, left - window.left, top - window.top) >= MIN_VARIANCE;
    (isShown ? shown : plain).push(block);
  }
  return { shown, plain };
}

/** Centre of a block, cells. */
const blockX = (block: number, { columns, kind }: ResidualLayer): number =>
  blockStart(block % columns, kind) + (BLOCK - 1) / 2;
const blockY = (block: number, { columns, kind }: ResidualLayer): number =>
  blockStart(Math.floor(block / columns), kind) + (BLOCK - 1) / 2;

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
    reading.x[k] = blockX(block, layer);
    reading.y[k] = blockY(block, layer);
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

/** Where a comparison starts: query pixels to cells, and the size of a query pixel there. */
export interface Start {
  readonly map: PlanarMap;
  readonly cellsPerPixel: number;
  /** The map comes from another layer's comparison and needs little correction. */
  readonly isClose: boolean;
}

/** Starts from pairs of points, pixels of the query's luma against cells; null when they fit no map. */
export function startFromPoints(points: PointPairs): Start | null {
  const map = points.count >= 10 ? fitHomography(points, 0.5) : fitAffine(points);
  if (map === null) return null;
  return { map, cellsPerPixel: localScale(map, middle(points.px), middle(points.py)), isClose: false };
}

/** Starts on a layer where the comparison on another one ended. */
export function startFromComparison(
  { map, cellsPerPixel, layer: from }: Comparison,
  to: ResidualLayer,
): Start {
  const across = to.width / from.width;
  const down = to.height / from.height;
  const between = Float64Array.of(across, 0, (across - 1) / 2, 0, down, (down - 1) / 2, 0, 0, 1);
  return {
    map: multiplyMaps(between, map),
    cellsPerPixel: cellsPerPixel * Math.sqrt(across * down),
    isClose: true,
  };
}

/** Greatest distance by which a correction moves a corner of the blocks read, cells. */
function movement(refit: PlanarMap, { x, y }: BlockReading): number {
  const corners = [
    [Math.min(...x), Math.min(...y)],
    [Math.max(...x), Math.min(...y)],
    [Math.min(...x), Math.max(...y)],
    [Math.max(...x), Math.max(...y)],
  ] as const;
  return Math.max(
    ...corners.map(([u, v]) => {
      const [movedU, movedV] = apply(refit, u, v);
      return Math.hypot(movedU - u, movedV - v);
    }),
  );
}

/** How well the blocks agree in place, 0..1; few exact agreements count more than many rough ones. */
function exactness({ count, inPlace }: BlockReading): number {
  return inPlace.reduce((sum, value) => sum + Math.max(0, value) ** 4, 0) / Math.max(1, count);
}

/** The map and those that correct it by the blocks read under it, one after the other, as long as they move. */
function corrected(
  { map: first, cellsPerPixel, isClose }: Start,
  planes: QueryPlanes,
  layer: ResidualLayer,
  projections: Projections,
): PlanarMap {
  let map = first;
  let best = { map: first, exactness: -1 };
  const rounds = isClose ? 1 : REFITS;
  for (let round = 0; ; round += 1) {
    const radius = rounds === REFITS && round === 0 ? FIRST_RADIUS : RADIUS;
    const window = align(map, cellsPerPixel, planes, layer);
    const { shown } = window === null ? { shown: [] } : coveredBlocks(window, layer, radius);
    if (window === null || shown.length < 8) return best.map;
    const reading = readBlocks(window, layer, projections, radius, thin(shown));
    const reached = exactness(reading);
    if (reached > best.exactness) best = { map, exactness: reached };
    const refit = round < rounds ? correction(reading, radius) : null;
    const isSettled = refit === null || (radius === RADIUS && movement(refit, reading) <= SETTLED);
    if (isSettled) return best.map;
    map = multiplyMaps(refit, map);
  }
}

/**
 * Aligns the query with one layer of an original and compares block by block. The alignment is corrected by the blocks themselves, unless
 * they agree less exactly after it: blocks of what was laid over a picture lead astray. Null when the two do not overlap.
 */
export function compareLayer(
  planes: QueryPlanes,
  start: Start,
  layer: ResidualLayer,
  projections: Projections,
): Comparison | null {
  const { cellsPerPixel } = start;
  const map = corrected(start, planes, layer, projections);
  const window = align(map, cellsPerPixel, planes, layer);
  if (window === null) return null;
  const { shown, plain } = coveredBlocks(window, layer, RADIUS);
  return {
    layer,
    blocks: readBlocks(window, layer, projections, RADIUS, shown),
    plain: {
      x: Float64Array.from(plain, (block) => blockX(block, layer)),
      y: Float64Array.from(plain, (block) => blockY(block, layer)),
    },
    map,
    fineness: fineness(window, layer, shown),
    containment: containment(map, planes, layer),
    cellsPerPixel,
  };
}
