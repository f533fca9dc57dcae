import type { Features } from "../../features/features.ts";
import type { StoredOriginal } from "../../packet/original.ts";
import { LIMITS } from "../limits.ts";
import type { Candidate, RankedCandidate } from "../rank/rank-candidates.ts";
import type { QueryIndex } from "../rank/ranking.ts";
import { type Variant, VARIANTS } from "../rank/variants.ts";
import { lensStrength, straightenFeatures } from "./lens.ts";
import { allPairs, ownPairs, type Pairs } from "./match-descriptors.ts";
import { type Placement, pointPairs } from "./placement.ts";
import { findPlacements } from "./find-placement.ts";

/** A candidate whose points fit a placement. */
export interface PlacedCandidate {
  readonly candidate: Candidate;
  readonly variant: Variant;
  readonly placement: Placement;
}

/** The variants in which a candidate is placed, most votes first; `isFirst`: whether no other candidate has more. */
function likelyVariants({ scores, score }: RankedCandidate, isFirst: boolean): readonly Variant[] {
  const { secondVariant, votesBeyond } = LIMITS.pipeline;
  const [best, second] = VARIANTS.toSorted((a, b) => scores[b]! - scores[a]! || a - b) as [Variant, Variant];
  const isUnsure = (isFirst || score >= votesBeyond) && scores[second]! >= secondVariant * scores[best]!;
  return isUnsure ? [best, second] : [best];
}

/** Placements of a candidate in some variants, most inliers first, `most` at most. */
function placementsBy(
  pairsWith: (original: StoredOriginal, query: Features) => Pairs,
  index: QueryIndex,
  candidate: Candidate,
  variants: readonly Variant[],
  most: number,
): readonly PlacedCandidate[] {
  const { original } = candidate;
  return variants
    .flatMap((variant) => {
      const features = index.variants[variant]!;
      const placements = findPlacements(original.placing, features, pairsWith(original, features), most);
      return placements.map((placement) => ({ candidate, variant, placement }));
    })
    .toSorted((a, b) => b.placement.inliers - a.placement.inliers)
    .slice(0, most);
}

/**
 * Where the points of a candidate's main raster put it; null where too few agree.
 * @param isFirst whether no other candidate has more votes
 */
export function placeCandidate(
  index: QueryIndex,
  ranked: RankedCandidate,
  isFirst: boolean,
): PlacedCandidate | null {
  return placementsBy(ownPairs, index, ranked.candidate, likelyVariants(ranked, isFirst), 1)[0] ?? null;
}

/**
 * Where a sign may lie by all points that are kept of it, most inliers first: repeated marks fit mirrored or elsewhere,
 * too. `isFirst` as above.
 */
export function placeSign(
  index: QueryIndex,
  ranked: RankedCandidate,
  isFirst: boolean,
): readonly PlacedCandidate[] {
  const variants = likelyVariants(ranked, isFirst);
  return placementsBy(allPairs, index, ranked.candidate, variants, LIMITS.pipeline.placementsOfSign);
}

/**
 * The placement of a query that a lens has bent against the original: the strength of the bend, and the placement of
 * the straightened query; null when no bend explains the points.
 */
export function placeThroughLens(
  index: QueryIndex,
  { candidate, variant, placement }: PlacedCandidate,
): { readonly strength: number; readonly placed: PlacedCandidate } | null {
  const original = candidate.original.placing;
  const features = index.variants[variant]!;
  const pairs = ownPairs(candidate.original, features);
  let found: { readonly strength: number; readonly placed: PlacedCandidate } | null = null;
  let agreeing = placement;
  for (let round = 0; round < LIMITS.lens.rounds; round += 1) {
    const points = pointPairs(original, features, agreeing.original, agreeing.query);
    const strength = lensStrength(points, features);
    if (strength === null) break;
    const [straight] = findPlacements(original, straightenFeatures(features, strength), pairs, 1);
    if (straight === undefined || straight.inliers < (found?.placed.placement.inliers ?? 0)) break;
    found = { strength, placed: { candidate, variant, placement: straight } };
    agreeing = straight;
  }
  return found;
}
