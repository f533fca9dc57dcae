import { LIMITS } from "../limits.ts";
import type { Candidate, RankedCandidate } from "../rank/rank-candidates.ts";
import type { QueryIndex } from "../rank/ranking.ts";
import { type Variant, VARIANTS } from "../rank/variants.ts";
import { lensStrength, straightenFeatures } from "./lens.ts";
import { matchDescriptors } from "./match-descriptors.ts";
import { type Placement, pointPairs } from "./placement.ts";
import { findPlacement } from "./find-placement.ts";

/** A candidate whose points fit a placement. */
export interface PlacedCandidate {
  readonly candidate: Candidate;
  readonly variant: Variant;
  readonly placement: Placement;
}

/** Of the placements of the two variants with most votes the one with more inliers; null when neither gives one. */
export function placeCandidate(
  index: QueryIndex,
  { candidate, scores }: RankedCandidate,
): PlacedCandidate | null {
  const likely = VARIANTS.toSorted((a, b) => scores[b]! - scores[a]! || a - b).slice(0, 2);
  let best: PlacedCandidate | null = null;
  for (const variant of likely) {
    if (scores[variant]! < LIMITS.pipeline.secondVariant * scores[likely[0]!]!) continue;
    const features = index.variants[variant]!;
    const pairs = matchDescriptors(candidate.original.features, features);
    const placement = findPlacement(candidate.original.features, features, pairs);
    if (placement !== null && placement.inliers > (best?.placement.inliers ?? 0)) {
      best = { candidate, variant, placement };
    }
  }
  return best;
}

/**
 * The placement of a query that a lens has bent against the original: the strength of the bend, and the placement of the
 * straightened query; null when no bend explains the points.
 */
export function placeThroughLens(
  index: QueryIndex,
  { candidate, variant, placement }: PlacedCandidate,
): { readonly strength: number; readonly placed: PlacedCandidate } | null {
  const original = candidate.original.features;
  const features = index.variants[variant]!;
  const pairs = matchDescriptors(original, features);
  let found: { readonly strength: number; readonly placed: PlacedCandidate } | null = null;
  let agreeing = placement;
  for (let round = 0; round < LIMITS.lens.rounds; round += 1) {
    const points = pointPairs(original, features, agreeing.original, agreeing.query);
    const strength = lensStrength(points, features);
    if (strength === null) break;
    const straight = findPlacement(original, straightenFeatures(features, strength), pairs);
    if (straight === null || straight.inliers < (found?.placed.placement.inliers ?? 0)) break;
    found = { strength, placed: { candidate, variant, placement: straight } };
    agreeing = straight;
  }
  return found;
}
