import type { Features } from "../features.ts";
import type { Pairs } from "./hamming.ts";
import { type PlanarMap, type PointPairs, fitAffine, fitSimilarity } from "./least-squares.ts";

/** A placement of the original in the (posed) query that several pairs of points agree on. */
export interface Placement {
  /** Distinct 3 px cells that agreeing points occupy, in whichever of the two pictures has fewer. */
  readonly support: number;
  /** Query raster to original raster. */
  readonly map: PlanarMap;
  /** Indices of the agreeing pairs. */
  readonly agreeing: Int32Array;
}

/** Position tolerance as a share of the original's longer side; hypotheses get half as much again, the last rounds half. */
const TOLERANCE = 0.012;
const MAX_LOG_SCALE_ERROR = 0.7;
const MAX_ANGLE_ERROR = 0.6;
const MAX_HYPOTHESES = 400;
const REFINED = 4;
const ROUNDS = 4;
/** Greatest ratio of the two singular values of a placement: stretching beyond it is not a derivation we follow. */
const MAX_STRETCH = 2.2;
const CELL = 3;

interface Similarities {
  /** Query to original: (x, y) -> (re x - im y + tx, im x + re y + ty). */
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly tx: Float64Array;
  readonly ty: Float64Array;
  readonly logScale: Float64Array;
  readonly turn: Float64Array;
}

function similarities(original: Features, query: Features, pairs: Pairs): Similarities {
  const n = pairs.count;
  const s = {
    re: new Float64Array(n),
    im: new Float64Array(n),
    tx: new Float64Array(n),
    ty: new Float64Array(n),
    logScale: new Float64Array(n),
    turn: new Float64Array(n),
  };
  for (let k = 0; k < n; k += 1) {
    const i = pairs.original[k]!;
    const j = pairs.query[k]!;
    const scale = original.size[i]! / query.size[j]!;
    const turn = original.angle[i]! - query.angle[j]!;
    s.re[k] = scale * Math.cos(turn);
    s.im[k] = scale * Math.sin(turn);
    s.tx[k] = original.x[i]! - (s.re[k]! * query.x[j]! - s.im[k]! * query.y[j]!);
    s.ty[k] = original.y[i]! - (s.im[k]! * query.x[j]! + s.re[k]! * query.y[j]!);
    s.logScale[k] = Math.log(scale);
    s.turn[k] = turn;
  }
  return s;
}

/** Distance of two angles, 0..pi. */
function angleBetween(a: number, b: number): number {
  const turn = Math.abs(a - b) % (2 * Math.PI);
  return turn > Math.PI ? 2 * Math.PI - turn : turn;
}

/** The strongest similarity hypotheses: each is one pair's own, its strength the number of pairs that agree with it. */
function strongestHypotheses(original: Features, query: Features, pairs: Pairs, s: Similarities): number[] {
  const reach = (1.5 * TOLERANCE * Math.max(original.width, original.height)) ** 2;
  const order = Array.from({ length: pairs.count }, (_, k) => k).toSorted(
    (a, b) => pairs.distance[a]! - pairs.distance[b]! || a - b,
  );
  const counted = order.slice(0, MAX_HYPOTHESES).map((h) => {
    let agreeing = 0;
    for (let k = 0; k < pairs.count; k += 1) {
      if (Math.abs(s.logScale[k]! - s.logScale[h]!) >= MAX_LOG_SCALE_ERROR) continue;
      const x = query.x[pairs.query[k]!]!;
      const y = query.y[pairs.query[k]!]!;
      const ex = s.re[h]! * x - s.im[h]! * y + s.tx[h]! - original.x[pairs.original[k]!]!;
      const ey = s.im[h]! * x + s.re[h]! * y + s.ty[h]! - original.y[pairs.original[k]!]!;
      if (ex * ex + ey * ey < reach && angleBetween(s.turn[k]!, s.turn[h]!) < MAX_ANGLE_ERROR) agreeing += 1;
    }
    return { h, agreeing };
  });
  counted.sort((a, b) => b.agreeing - a.agreeing || a.h - b.h);
  return counted
    .slice(0, REFINED)
    .filter(({ agreeing }) => agreeing >= 3)
    .map(({ h }) => h);
}

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

/** The pairs `chosen` as points: query raster to original raster. */
export function pointPairs(
  original: Features,
  query: Features,
  pairs: Pairs,
  chosen: Int32Array,
): PointPairs {
  return {
    count: chosen.length,
    px: Float64Array.from(chosen, (k) => query.x[pairs.query[k]!]!),
    py: Float64Array.from(chosen, (k) => query.y[pairs.query[k]!]!),
    qx: Float64Array.from(chosen, (k) => original.x[pairs.original[k]!]!),
    qy: Float64Array.from(chosen, (k) => original.y[pairs.original[k]!]!),
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

function distinctCells(x: Float32Array, y: Float32Array, indices: Int32Array, chosen: Int32Array): number {
  const cells = new Set<number>();
  for (const k of chosen)
    cells.add(Math.floor(x[indices[k]!]! / CELL) * 4096 + Math.floor(y[indices[k]!]! / CELL));
  return cells.size;
}

function support(original: Features, query: Features, pairs: Pairs, chosen: Int32Array): number {
  return Math.min(
    distinctCells(original.x, original.y, pairs.original, chosen),
    distinctCells(query.x, query.y, pairs.query, chosen),
  );
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
  for (let round = 0; round < ROUNDS; round += 1) {
    if (agreeing.length < 3) return null;
    const points = pointPairs(original, query, pairs, agreeing);
    const fitted = agreeing.length >= 6 ? fitAffine(points) : fitSimilarity(points);
    if (fitted === null || !isPlausible(fitted)) return null;
    map = fitted;
    agreeing = agreeingWith(map, (round < 2 ? 1 : 0.5) * TOLERANCE * side, h, original, query, pairs, s);
  }
  if (agreeing.length < 3) return null;
  return { support: support(original, query, pairs, agreeing), map, agreeing };
}

/**
 * The placement of the original in the query that most matched points support, or null when none is plausible. Every
 * pair is a full similarity; all of them are tried, none is drawn at random.
 */
export function findPlacement(original: Features, query: Features, pairs: Pairs): Placement | null {
  if (pairs.count < 3) return null;
  const s = similarities(original, query, pairs);
  let best: Placement | null = null;
  for (const h of strongestHypotheses(original, query, pairs, s)) {
    const placement = refine(h, original, query, pairs, s);
    if (placement !== null && placement.support > (best?.support ?? 0)) best = placement;
  }
  return best;
}
