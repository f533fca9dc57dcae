import { type Window, sampleWindow } from "./window.ts";
import type { WindowRoom } from "./window-room.ts";
import { applyMap, type PlanarMap, type Position, multiplyMaps } from "../../geometry/planar-map.ts";
import {
  type BlockReading,
  type CoveredBlocks,
  coveredBlocks,
  coveredOf,
  readBlocks,
} from "./read-blocks.ts";
import { type PointPairs, fitAffine, fitHomography, fitSimilarity, isNarrow } from "../../geometry/fit.ts";
import { rescalingMap } from "../../geometry/rescale.ts";
import { LIMITS } from "../limits.ts";
import type { Projections } from "../../signature/projections.ts";
import type { QueryPlanes } from "./query-planes.ts";
import type { SamplesPerCell } from "./sample-cells.ts";
import type { ResidualLayer } from "../../signature/block-signature.ts";

const limits = LIMITS.alignment;

/** A query aligned with a layer of an original. */
export interface Alignment {
  readonly layer: ResidualLayer;
  /** Pixels of the query's luma to cells. */
  readonly map: PlanarMap;
  /** Map cells for one query pixel: below 1 the query is finer than the map. */
  readonly cellsPerPixel: number;
}

/** The correction that moves what was found shifted back to its place; null when too few blocks tell. */
function correction(reading: BlockReading, radius: number): PlanarMap | null {
  const told: number[] = [];
  for (let k = 0; k < reading.count; k += 1) {
    if (
      reading.best[k]! > limits.tellingFrom &&
      Math.hypot(reading.shiftX[k]!, reading.shiftY[k]!) < radius + limits.beyondRadius
    ) {
      told.push(k);
    }
  }
  if (told.length < limits.fewestBlocks) return null;
  const pairs: PointPairs = {
    count: told.length,
    px: Float64Array.from(told, (k) => reading.x[k]! + reading.shiftX[k]!),
    py: Float64Array.from(told, (k) => reading.y[k]! + reading.shiftY[k]!),
    qx: Float64Array.from(told, (k) => reading.x[k]!),
    qy: Float64Array.from(told, (k) => reading.y[k]!),
  };
  if (isNarrow(pairs)) return fitSimilarity(pairs);
  return told.length >= limits.refitHomographyFrom
    ? fitHomography(pairs, limits.refitTolerance)
    : fitAffine(pairs);
}

const thin = (blocks: readonly number[]): readonly number[] => {
  const step = Math.ceil(blocks.length / limits.blocks);
  return step <= 1 ? blocks : blocks.filter((_, k) => k % step === 0);
};

const distance = (a: Position, b: Position): number => Math.hypot(b.x - a.x, b.y - a.y);

/** Cells for one query pixel about a place. */
function localScale(map: PlanarMap, x: number, y: number): number {
  const across = distance(applyMap(map, x - 4, y), applyMap(map, x + 4, y));
  const down = distance(applyMap(map, x, y - 4), applyMap(map, x, y + 4));
  return Math.sqrt((across * down) / 64);
}

const middle = (values: Float64Array): number => values.toSorted()[values.length >> 1]!;

/** Where a comparison starts: query pixels to cells, and the size of a query pixel there. */
export interface InitialAlignment {
  readonly map: PlanarMap;
  readonly cellsPerPixel: number;
  /** The map comes from another layer's comparison and needs little correction. */
  readonly isClose: boolean;
  /** Whether blocks may agree exactly, by what another layer said of them. */
  readonly mayBeExact: boolean;
}

/** The map that pairs of points fit. Those that lie on a line tell nothing of what is across it. */
function mapOf(points: PointPairs, isSimilarity: boolean): PlanarMap | null {
  if (isSimilarity || isNarrow(points)) return fitSimilarity(points);
  return points.count >= limits.homographyFrom ? fitHomography(points, limits.tolerance) : fitAffine(points);
}

/** Starts from pairs of points, pixels of the query's luma against cells; null when they fit no map. */
export function initialFromPoints(points: PointPairs, isSimilarity: boolean): InitialAlignment | null {
  const map = mapOf(points, isSimilarity);
  if (map === null) return null;
  return {
    map,
    cellsPerPixel: localScale(map, middle(points.px), middle(points.py)),
    isClose: false,
    mayBeExact: true,
  };
}

/** An alignment, and the blocks read under it. */
interface Aligned extends Alignment {
  readonly blocks: BlockReading;
}

/** Starts on a layer where the alignment with another one ended. */
export function initialFromAlignment(
  { map, cellsPerPixel, layer: from, blocks }: Aligned,
  to: ResidualLayer,
): InitialAlignment {
  const larger = (to.width / from.width) * (to.height / from.height);
  return {
    map: multiplyMaps(rescalingMap(from, to), map),
    cellsPerPixel: cellsPerPixel * Math.sqrt(larger),
    isClose: true,
    mayBeExact: exactness(blocks) >= limits.promisesExact,
  };
}

/** The least and the greatest of some values. */
function ends(values: Float64Array): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let k = 0; k < values.length; k += 1) {
    least = Math.min(least, values[k]!);
    most = Math.max(most, values[k]!);
  }
  return [least, most];
}

/** Greatest distance by which a correction moves a corner of the blocks read, cells. */
function movement(refit: PlanarMap, blocks: BlockReading): number {
  const [left, right] = ends(blocks.x);
  const [top, bottom] = ends(blocks.y);
  const corners = [
    [left, top],
    [right, top],
    [left, bottom],
    [right, bottom],
  ] as const;
  return Math.max(...corners.map(([x, y]) => distance({ x, y }, applyMap(refit, x, y))));
}

/** How well the blocks agree in place, 0..1; few exact agreements count more than many rough ones. */
function exactness({ count, inPlace }: BlockReading): number {
  let sum = 0;
  for (let k = 0; k < count; k += 1) sum += Math.max(0, inPlace[k]!) ** 4;
  return sum / Math.max(1, count);
}

/** A map, and what of the original's map the query covers under it. */
export interface RefinedAlignment {
  readonly map: PlanarMap;
  readonly window: Window;
  readonly covered: CoveredBlocks;
}

/** What is aligned, and room for windows. */
export interface Alignable {
  readonly planes: QueryPlanes;
  readonly layer: ResidualLayer;
  readonly projections: Projections;
  readonly room: WindowRoom;
}

/**
 * Corrects the map by the blocks read under it, again and again until they agree exactly, it hardly moves, or they
 * agree no more exactly than before; the map under which they agree most exactly, with its window. Null when query and
 * original do not overlap.
 * @param isRough reads once, with as few samples as may do, and corrects nothing
 */
export function refineAlignment(
  { map: first, cellsPerPixel, isClose, mayBeExact }: InitialAlignment,
  { planes, layer, projections, room }: Alignable,
  isRough: boolean,
): RefinedAlignment | null {
  let map = first;
  let best: (RefinedAlignment & { readonly exactness: number }) | null = null;
  // Of cells no larger than a pixel one sample tells whether blocks agree exactly; anything less is judged by four.
  let samples: SamplesPerCell = cellsPerPixel >= 1 && mayBeExact ? 1 : 4;
  const usual = isClose ? limits.refitsOfClose : limits.refits;
  const settled = isClose ? limits.settledOfClose : limits.settled;
  const rounds = isRough ? 0 : usual;
  for (let round = 0; ; round += 1) {
    const radius = !isClose && round === 0 ? limits.firstRadius : limits.radius;
    const window = sampleWindow(map, cellsPerPixel, planes, layer, samples, room);
    if (window === null) return best;
    const covered = coveredBlocks(window, layer, limits.radius);
    const shown = radius === limits.radius ? covered.shown : coveredOf(covered.shown, window, layer, radius);
    const isLittle = shown.length < limits.fewestBlocks;
    const read = thin(shown);
    // How they agree where they are costs a sixth of where they would agree best, which a correction alone asks for.
    const reached = exactness(readBlocks(window, layer, projections, 0, read));
    const isExact = !isLittle && reached >= limits.exactEnough;
    if (samples === 1 && !isExact && !isRough) {
      room.giveBack(window);
      samples = 4;
      round -= 1;
      continue;
    }
    if (isLittle && best === null) return { map, window, covered };
    if (best !== null) {
      const isBetter = !isLittle && reached > best.exactness;
      room.giveBack(isBetter ? best.window : window);
      if (!isBetter) return best;
    }
    best = { map, window, covered, exactness: reached };
    if (isExact || round === rounds) return best;
    const reading = readBlocks(window, layer, projections, radius, read);
    const refit = correction(reading, radius);
    if (refit === null || movement(refit, reading) <= settled) return best;
    map = multiplyMaps(refit, map);
  }
}
