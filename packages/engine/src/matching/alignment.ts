import { align, apply } from "./aligned-window.ts";
import { type BlockReading, coveredBlocks, readBlocks } from "./block-reading.ts";
import { type PlanarMap, type PointPairs, fitAffine, fitHomography, multiplyMaps } from "./least-squares.ts";
import type { Projections } from "./projections.ts";
import type { QueryPlanes } from "./query-plane.ts";
import type { ResidualLayer } from "./residual-signature.ts";

const FIRST_RADIUS = 3;
/** Cells across and down by which a block may be found shifted. */
export const RADIUS = 2;
const REFITS = 3;
/** A correction that moves no corner of the overlap by more than this, in cells, ends the refitting. */
const SETTLED = 0.04;
/** Agreement from which a block takes part in refitting the alignment. */
const REFIT_FROM = 0.56;
const MAX_REFIT_BLOCKS = 140;

/** A query aligned with a layer of an original. */
export interface Aligned {
  readonly layer: ResidualLayer;
  /** Pixels of the query's luma to cells. */
  readonly map: PlanarMap;
  /** Map cells for one query pixel: below 1 the query is finer than the map. */
  readonly cellsPerPixel: number;
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

/** Starts on a layer where the alignment with another one ended. */
export function startFromAligned({ map, cellsPerPixel, layer: from }: Aligned, to: ResidualLayer): Start {
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

/**
 * Corrects the map by the blocks read under it, again and again until it hardly moves; of all maps on the way, the one under which
 * they agree most exactly.
 */
export function corrected(
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
    if (window === null) return best.map;
    const { shown } = coveredBlocks(window, layer, radius);
    if (shown.length < 8) return best.map;
    const reading = readBlocks(window, layer, projections, radius, thin(shown));
    const reached = exactness(reading);
    if (reached > best.exactness) best = { map, exactness: reached };
    const refit = round < rounds ? correction(reading, radius) : null;
    const isSettled = refit === null || (radius === RADIUS && movement(refit, reading) <= SETTLED);
    if (isSettled) return best.map;
    map = multiplyMaps(refit, map);
  }
}
