import { type Placement, findPlacement, pointPairs } from "./geometry.ts";
import { matchDescriptors } from "./hamming.ts";
import { type PointPairs, rescale } from "./least-squares.ts";
import { lensStrength, straightenFeatures } from "./lens.ts";
import { type Pose, POSES } from "./pose.ts";
import { Projections } from "./projections.ts";
import { type QueryIndex, Ranking, indexQuery } from "./ranking.ts";
import { type Start, startFromAligned, startFromPoints } from "./alignment.ts";
import { type Comparison, compareLayer } from "./residual-comparison.ts";
import { type ResidualLayer, readResidual } from "./residual-signature.ts";
import { QueryPlanes } from "./query-plane.ts";
import type { Query, StoredOriginal } from "./subjects.ts";

export interface Candidate {
  readonly id: number;
  readonly original: StoredOriginal;
}

/** A candidate with its Hough score in each reading of the query. */
export interface Ranked {
  readonly candidate: Candidate;
  readonly scores: Float64Array;
  readonly score: number;
}

/** A candidate whose points fit a placement. */
export interface Placed {
  readonly candidate: Candidate;
  readonly pose: Pose;
  readonly placement: Placement;
}

/** Candidates by their votes for one placement, most first; ties by id. */
export function rank(
  query: Query,
  candidates: readonly Candidate[],
): { index: QueryIndex; ranked: Ranked[] } {
  const index = indexQuery(query);
  const ranking = new Ranking();
  const ranked = candidates
    .map((candidate) => {
      const scores = ranking.score(index, candidate.original);
      return { candidate, scores, score: Math.max(...scores) };
    })
    .toSorted((a, b) => b.score - a.score || a.candidate.id - b.candidate.id);
  return { index, ranked };
}

/** A second reading is tried when it has this share of the first one's votes: symmetric pictures mislead the vote. */
const SECOND_READING = 0.5;

/** Estimates of a lens: each brings more points, farther from the centre, to the next. */
const LENS_ROUNDS = 3;

/** The better supported placement of the two readings with most votes; null when neither gives one. */
export function place(index: QueryIndex, { candidate, scores }: Ranked): Placed | null {
  const likely = POSES.toSorted((a, b) => scores[b]! - scores[a]! || a - b).slice(0, 2);
  let best: Placed | null = null;
  for (const pose of likely) {
    if (scores[pose]! < SECOND_READING * scores[likely[0]!]!) continue;
    const features = index.poses[pose]!;
    const pairs = matchDescriptors(candidate.original.features, features);
    const placement = findPlacement(candidate.original.features, features, pairs);
    if (placement !== null && placement.support > (best?.placement.support ?? 0))
      best = { candidate, pose, placement };
  }
  return best;
}

/**
 * The placement anew, of a query that a lens has bent against the original: the strength of the bend, and the points of the straightened query
 * that agree; null when no bend explains the points.
 */
export function placeThroughLens(
  index: QueryIndex,
  { candidate, pose, placement }: Placed,
): { readonly strength: number; readonly placed: Placed } | null {
  const original = candidate.original.features;
  const features = index.poses[pose]!;
  const pairs = matchDescriptors(original, features);
  let found: { readonly strength: number; readonly placed: Placed } | null = null;
  let agreeing = placement;
  for (let round = 0; round < LENS_ROUNDS; round += 1) {
    const points = pointPairs(original, features, agreeing.original, agreeing.query);
    const strength = lensStrength(points, features);
    if (strength === null) break;
    const straight = findPlacement(original, straightenFeatures(features, strength), pairs);
    if (straight === null || straight.support < (found?.placed.placement.support ?? 0)) break;
    found = { strength, placed: { candidate, pose, placement: straight } };
    agreeing = straight;
  }
  return found;
}

/** Where query and original show the same: pixels of the query's luma against cells of a layer's map. */
export type Alignment = (layer: ResidualLayer) => PointPairs;

/** The alignment that a placement's agreeing points give. */
export function placedAlignment(
  query: Pick<Query, "features" | "luma">,
  { candidate, placement }: Placed,
): Alignment {
  const { features } = candidate.original;
  const points = pointPairs(features, query.features, placement.original, placement.query);
  return (layer) => ({
    count: points.count,
    px: rescale(points.px, query.features.width, query.luma.width),
    py: rescale(points.py, query.features.height, query.luma.height),
    qx: rescale(points.qx, features.width, layer.width),
    qy: rescale(points.qy, features.height, layer.height),
  });
}

/** Blocks that must have been compared before the fine layer starts from the coarse one's alignment. */
const ENOUGH_TO_CARRY = 20;

/** A comparison on each layer; null for one that the original lacks, and without overlap. */
export interface Comparisons {
  readonly coarse: Comparison | null;
  readonly fine: Comparison | null;
}

/** Compares a candidate with the query on the layers of its signature. */
export function compare(
  planes: QueryPlanes,
  original: StoredOriginal,
  alignment: Alignment,
  packetKey: Uint8Array,
): Comparisons {
  const [coarseLayer, fineLayer] = readResidual(original.residual) ?? [];
  const on = (layer: ResidualLayer, start: Start | null): Comparison | null => {
    const projections = new Projections(packetKey, original.packetId, layer.number, layer.bits.length);
    return start === null ? null : compareLayer(planes, start, layer, projections);
  };
  if (coarseLayer === undefined) return { coarse: null, fine: null };
  const coarse = on(coarseLayer, startFromPoints(alignment(coarseLayer)));
  if (fineLayer === undefined) return { coarse, fine: null };
  const carry = coarse !== null && coarse.blocks.count >= ENOUGH_TO_CARRY;
  const start = carry ? startFromAligned(coarse, fineLayer) : startFromPoints(alignment(fineLayer));
  return { coarse, fine: on(fineLayer, start) };
}
