import { type Placement, findPlacement, pointPairs } from "./geometry.ts";
import { type Pairs, matchDescriptors } from "./hamming.ts";
import type { PointPairs } from "./least-squares.ts";
import { type Pose, POSES } from "./pose.ts";
import { Projections } from "./projections.ts";
import { type QueryIndex, Ranking, indexQuery } from "./ranking.ts";
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
  readonly pairs: Pairs;
  readonly placement: Placement;
}

/** Candidates with at least `floor` votes for one placement, most first; ties by id. */
export function rank(
  query: Query,
  candidates: readonly Candidate[],
  floor: number,
): { index: QueryIndex; ranked: Ranked[] } {
  const index = indexQuery(query);
  const ranking = new Ranking();
  const ranked = candidates
    .map((candidate) => {
      const scores = ranking.score(index, candidate.original);
      return { candidate, scores, score: Math.max(...scores) };
    })
    .filter(({ score }) => score >= floor)
    .toSorted((a, b) => b.score - a.score || a.candidate.id - b.candidate.id);
  return { index, ranked };
}

/** The better supported placement of the two readings with most votes; null when neither gives one. */
export function place(index: QueryIndex, { candidate, scores }: Ranked): Placed | null {
  const likely = POSES.toSorted((a, b) => scores[b]! - scores[a]! || a - b).slice(0, 2);
  let best: Placed | null = null;
  for (const pose of likely) {
    if (scores[pose] === 0) continue;
    const features = index.poses[pose]!;
    const pairs = matchDescriptors(candidate.original.features, features);
    const placement = findPlacement(candidate.original.features, features, pairs);
    if (placement !== null && placement.support > (best?.placement.support ?? 0))
      best = { candidate, pose, pairs, placement };
  }
  return best;
}

/** Pixel positions of a raster of `from` pixels as positions of one of `to`; pixel centres at integers in both. */
function rescale(values: Float64Array, from: number, to: number): Float64Array {
  return values.map((value) => ((value + 0.5) * to) / from - 0.5);
}

/** Agreeing pairs as pixels of the query's luma and cells of the layer's map. */
function layerPoints(
  query: Query,
  { candidate, pairs, placement }: Placed,
  layer: ResidualLayer,
): PointPairs {
  const { features } = candidate.original;
  const points = pointPairs(features, query.features, pairs, placement.agreeing);
  return {
    count: points.count,
    px: rescale(points.px, query.features.width, query.luma.width),
    py: rescale(points.py, query.features.height, query.luma.height),
    qx: rescale(points.qx, features.width, layer.width),
    qy: rescale(points.qy, features.height, layer.height),
  };
}

/** Compares a placed candidate with the query on one layer of its signature; null when it has no such layer or no overlap. */
export function compare(
  query: Query,
  planes: QueryPlanes,
  placed: Placed,
  layerNumber: number,
  packetKey: Uint8Array,
): Comparison | null {
  const { original } = placed.candidate;
  const layer = readResidual(original.residual)?.[layerNumber];
  if (layer === undefined) return null;
  const projections = new Projections(packetKey, original.packetId, layer.number, layer.bits.length);
  return compareLayer(planes, layerPoints(query, placed, layer), layer, projections);
}
