import type { Features } from "../features.ts";
import { type Pairs, hamming } from "./hamming.ts";
import {
  MAX_ANGLE_ERROR,
  MAX_LOG_SCALE_ERROR,
  type Similarities,
  angleBetween,
  similarities,
  strongestHypotheses,
} from "./hypotheses.ts";
import { type PlanarMap, type PointPairs, fitAffine, fitSimilarity } from "./least-squares.ts";

/** A placement of the original in the (posed) query that several pairs of points agree on. */
export interface Placement {
  /** Distinct 3 px cells that agreeing points occupy, in whichever of the two pictures has fewer. */
  readonly support: number;
  /** Query raster to original raster. */
  readonly map: PlanarMap;
  /** The agreeing points, `original[k]` with `query[k]`. */
  readonly original: Int32Array;
  readonly query: Int32Array;
}

/** Position tolerance as a share of the original's longer side; hypotheses get half as much again, the last rounds half. */
const TOLERANCE = 0.012;
const REFINED = 4;
const ROUNDS = 4;
/** Greatest ratio of the two singular values of a placement: stretching beyond it is not a derivation we follow. */
const MAX_STRETCH = 2.2;
const CELL = 3;
/** With less support than this, points that the placement predicts are looked for once more, without the ratio test. */
const ENOUGH = 12;
const LEAST_TO_EXTEND = 5;
const EXTENDED_DISTANCE = 38;

function hypothesisMap(s: Similarities, h: number): PlanarMap {
  return Float64Array.of(s.re[h]!, -s.im[h]!, s.tx[h]!, s.im[h]!, s.re[h]!, s.ty[h]!, 0, 0, 1);
}

function agreeingWith(
  map: PlanarMap,
  reach: number,
  h: number,
  original: Features,
  query: Features,
  pairs: Pairs,
  s: Similarities,
): Int32Array {
  const agreeing = new Int32Array(pairs.count);
  let count = 0;
  for (let k = 0; k < pairs.count; k += 1) {
    if (Math.abs(s.logScale[k]! - s.logScale[h]!) >= MAX_LOG_SCALE_ERROR) continue;
    if (angleBetween(s.turn[k]!, s.turn[h]!) >= MAX_ANGLE_ERROR) continue;
    const x = query.x[pairs.query[k]!]!;
    const y = query.y[pairs.query[k]!]!;
    const ex = map[0]! * x + map[1]! * y + map[2]! - original.x[pairs.original[k]!]!;
    const ey = map[3]! * x + map[4]! * y + map[5]! - original.y[pairs.original[k]!]!;
    if (ex * ex + ey * ey < reach * reach) {
      agreeing[count] = k;
      count += 1;
    }
  }
  return agreeing.subarray(0, count);
}

/** Points `i[k]` of the original and `j[k]` of the query as positions: query raster to original raster. */
export function pointPairs(original: Features, query: Features, i: Int32Array, j: Int32Array): PointPairs {
  return {
    count: i.length,
    px: Float64Array.from(j, (k) => query.x[k]!),
    py: Float64Array.from(j, (k) => query.y[k]!),
    qx: Float64Array.from(i, (k) => original.x[k]!),
    qy: Float64Array.from(i, (k) => original.y[k]!),
  };
}

/** Neither collapsed, nor blown up, nor stretched beyond `MAX_STRETCH`. */
function isPlausible(map: PlanarMap): boolean {
  const [a, b, , c, d] = map as unknown as [number, number, number, number, number];
  const determinant = Math.abs(a * d - b * c);
  if (!(determinant > 0.02 && determinant < 60)) return false;
  const square = a * a + b * b + c * c + d * d;
  const root = Math.sqrt(Math.max(0, square * square - 4 * determinant * determinant));
  return square + root < MAX_STRETCH * MAX_STRETCH * (square - root);
}

function distinctCells({ x, y }: Features, points: Int32Array): number {
  return new Set(Array.from(points, (k) => Math.floor(x[k]! / CELL) * 4096 + Math.floor(y[k]! / CELL))).size;
}

function placed(
  map: PlanarMap,
  original: Features,
  query: Features,
  i: Int32Array,
  j: Int32Array,
): Placement {
  return {
    support: Math.min(distinctCells(original, i), distinctCells(query, j)),
    map,
    original: i,
    query: j,
  };
}

function refine(
  h: number,
  original: Features,
  query: Features,
  pairs: Pairs,
  s: Similarities,
): Placement | null {
  const side = Math.max(original.width, original.height);
  let map = hypothesisMap(s, h);
  let agreeing = agreeingWith(map, 1.5 * TOLERANCE * side, h, original, query, pairs, s);
  const ofOriginal = (k: number): number => pairs.original[k]!;
  const ofQuery = (k: number): number => pairs.query[k]!;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (agreeing.length < 3) return null;
    const points = pointPairs(original, query, agreeing.map(ofOriginal), agreeing.map(ofQuery));
    const fitted = agreeing.length >= 6 ? fitAffine(points) : fitSimilarity(points);
    if (fitted === null || !isPlausible(fitted)) return null;
    map = fitted;
    agreeing = agreeingWith(map, (round < 2 ? 1 : 0.5) * TOLERANCE * side, h, original, query, pairs, s);
  }
  if (agreeing.length < 3) return null;
  return placed(map, original, query, agreeing.map(ofOriginal), agreeing.map(ofQuery));
}

/**
 * Looks for all points where a placement predicts them, near in description but not necessarily nearer than any other: a
 * picture with repeated detail, or with few points, fails the ratio test in true places too.
 */
function extend(
  placement: Placement,
  original: Features,
  query: Features,
  logScale: number,
  turn: number,
): Placement {
  const { map } = placement;
  const reach = (0.5 * TOLERANCE * Math.max(original.width, original.height)) ** 2;
  const found: [number, number][] = [];
  for (let j = 0; j < query.count; j += 1) {
    const x = map[0]! * query.x[j]! + map[1]! * query.y[j]! + map[2]!;
    const y = map[3]! * query.x[j]! + map[4]! * query.y[j]! + map[5]!;
    let nearest = EXTENDED_DISTANCE + 1;
    let at = -1;
    for (let i = 0; i < original.count; i += 1) {
      if ((x - original.x[i]!) ** 2 + (y - original.y[i]!) ** 2 >= reach) continue;
      if (Math.abs(Math.log(original.size[i]! / query.size[j]!) - logScale) >= MAX_LOG_SCALE_ERROR) continue;
      if (angleBetween(original.angle[i]! - query.angle[j]!, turn) >= MAX_ANGLE_ERROR) continue;
      const distance = hamming(original.bits, i, query.bits, j);
      if (distance < nearest) {
        nearest = distance;
        at = i;
      }
    }
    if (at >= 0) found.push([at, j]);
  }
  const extended = placed(
    map,
    original,
    query,
    Int32Array.from(found, ([i]) => i),
    Int32Array.from(found, ([, j]) => j),
  );
  return extended.support > placement.support ? extended : placement;
}

/**
 * The placement of the original in the query that most matched points support, or null when none is plausible. Every
 * pair is a full similarity; all of them are tried, none is drawn at random.
 */
export function findPlacement(original: Features, query: Features, pairs: Pairs): Placement | null {
  if (pairs.count < 3) return null;
  const s = similarities(original, query, pairs);
  const reach = 1.5 * TOLERANCE * Math.max(original.width, original.height);
  let best: { readonly h: number; readonly placement: Placement } | null = null;
  for (const h of strongestHypotheses(pairs, s, reach, REFINED)) {
    const placement = refine(h, original, query, pairs, s);
    if (placement !== null && placement.support > (best?.placement.support ?? 0)) best = { h, placement };
  }
  if (best === null) return null;
  const { h, placement } = best;
  if (placement.support < LEAST_TO_EXTEND || placement.support >= ENOUGH) return placement;
  return extend(placement, original, query, s.logScale[h]!, s.turn[h]!);
}
