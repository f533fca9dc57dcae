import type { Features } from "../../features/features.ts";
import type { Pairs } from "./match-descriptors.ts";
import { type Similarities, angleBetween, similarities, strongestHypotheses } from "./hypotheses.ts";
import { type PlanarMap, applyMap } from "../../geometry/planar-map.ts";
import { LIMITS } from "../limits.ts";
import { matchGuided } from "./guided-matching.ts";
import { type Placement, pointPairs, withInliers } from "./placement.ts";
import { fitAffine, fitSimilarity, isNarrow } from "../../geometry/fit.ts";

const limits = LIMITS.placement;

function hypothesisMap(s: Similarities, h: number): PlanarMap {
  return Float64Array.of(s.re[h]!, -s.im[h]!, s.tx[h]!, s.im[h]!, s.re[h]!, s.ty[h]!, 0, 0, 1);
}

/** The pairs that are as large and as turned as hypothesis `h` says. */
function pairsLike(h: number, { logScale, turn }: Similarities): Int32Array {
  const alike = new Int32Array(turn.length);
  let count = 0;
  for (let k = 0; k < turn.length; k += 1) {
    if (Math.abs(logScale[k]! - logScale[h]!) >= limits.logScaleError) continue;
    if (angleBetween(turn[k]!, turn[h]!) >= limits.angleError) continue;
    alike[count] = k;
    count += 1;
  }
  return alike.subarray(0, count);
}

/** Those of some pairs that a map brings within `reach` of each other. */
function inliersOf(
  map: PlanarMap,
  reach: number,
  among: Int32Array,
  original: Features,
  query: Features,
  pairs: Pairs,
): Int32Array {
  const inliers = new Int32Array(among.length);
  let count = 0;
  for (const k of among) {
    const predicted = applyMap(map, query.x[pairs.query[k]!]!, query.y[pairs.query[k]!]!);
    const ex = predicted.x - original.x[pairs.original[k]!]!;
    const ey = predicted.y - original.y[pairs.original[k]!]!;
    if (ex * ex + ey * ey < reach * reach) {
      inliers[count] = k;
      count += 1;
    }
  }
  return inliers.subarray(0, count);
}

/** Neither collapsed, nor blown up, nor stretched beyond the limits. */
function isPlausible(map: PlanarMap): boolean {
  const [a, b, , c, d] = map as unknown as [number, number, number, number, number];
  const determinant = Math.abs(a * d - b * c);
  if (!(determinant > limits.smallestArea && determinant < limits.largestArea)) return false;
  const square = a * a + b * b + c * c + d * d;
  const root = Math.sqrt(Math.max(0, square * square - 4 * determinant * determinant));
  return square + root < limits.stretch * limits.stretch * (square - root);
}

/** The placement that grows from hypothesis `h`, fitted to its inliers again and again. */
function refine(
  h: number,
  original: Features,
  query: Features,
  pairs: Pairs,
  s: Similarities,
): Placement | null {
  const side = Math.max(original.width, original.height);
  const alike = pairsLike(h, s);
  const within = (map: PlanarMap, times: number): Int32Array =>
    inliersOf(map, times * limits.tolerance * side, alike, original, query, pairs);
  let map = hypothesisMap(s, h);
  let inliers = within(map, limits.toleranceOfHypothesis);
  const ofOriginal = (k: number): number => pairs.original[k]!;
  const ofQuery = (k: number): number => pairs.query[k]!;
  for (let round = 0; round < limits.rounds; round += 1) {
    if (inliers.length < limits.similarityFrom) return null;
    const points = pointPairs(original, query, inliers.map(ofOriginal), inliers.map(ofQuery));
    const isAffine = inliers.length >= limits.affineFrom && !isNarrow(points);
    const fitted = isAffine ? fitAffine(points) : fitSimilarity(points);
    if (fitted === null || !isPlausible(fitted)) return null;
    map = fitted;
    inliers = within(map, round < limits.rounds - 2 ? 1 : limits.toleranceOfFit);
  }
  if (inliers.length < limits.similarityFrom) return null;
  return withInliers(map, original, query, inliers.map(ofOriginal), inliers.map(ofQuery));
}

/** A placement, the hypothesis that it grew from, and its pairs by name. */
interface Refined {
  readonly h: number;
  readonly placement: Placement;
  readonly pairs: ReadonlySet<number>;
}

/** One number for a point of the original and one of the query. */
const MOST_POINTS = 2 ** 16;
const nameOf = (original: number, query: number): number => original * MOST_POINTS + query;

/** Whether two placements have more than half of the pairs of one of them in common. */
function areSame({ pairs: a }: Refined, { pairs: b }: Refined): boolean {
  const common = Array.from(a).filter((pair) => b.has(pair)).length;
  return 2 * common > Math.min(a.size, b.size);
}

/**
 * Placements of the original in the query, most inliers first, each another one: `most` at most, since repeated marks
 * fit one another in many ways. Every pair is a full similarity; all of them are tried, none is drawn at random.
 */
export function findPlacements(original: Features, query: Features, pairs: Pairs, most: number): Placement[] {
  if (pairs.count < limits.similarityFrom) return [];
  const s = similarities(original, query, pairs);
  const reach = limits.toleranceOfHypothesis * limits.tolerance * Math.max(original.width, original.height);
  const isOne = most === 1;
  const refined: Refined[] = [];
  // Where several are looked for, pairs of a placement that was found so often lead to no other one.
  const isKnown = (h: number): boolean => {
    const name = nameOf(pairs.original[h]!, pairs.query[h]!);
    return !isOne && refined.filter(({ pairs: known }) => known.has(name)).length >= limits.refined;
  };
  for (const h of strongestHypotheses(pairs, s, reach, isOne ? limits.refined : limits.hypotheses)) {
    if (isKnown(h)) continue;
    const placement = refine(h, original, query, pairs, s);
    if (placement === null) continue;
    const names = Array.from(placement.query, (j, k) => nameOf(placement.original[k]!, j));
    refined.push({ h, placement, pairs: new Set(names) });
    if (refined.length === limits.refinedOfSign) break;
  }
  const kept: Refined[] = [];
  for (const each of refined.toSorted((a, b) => b.placement.inliers - a.placement.inliers)) {
    if (kept.length < most && !kept.some((other) => areSame(other, each))) kept.push(each);
  }
  return kept.map(({ h, placement }) => matchGuided(placement, original, query, s.logScale[h]!, s.turn[h]!));
}
