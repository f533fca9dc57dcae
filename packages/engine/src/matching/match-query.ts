import { isSign, type StoredOriginal } from "../packet/original.ts";
import type { Query } from "../packet/query.ts";
import { CandidateComparer, type Compared } from "./candidate-comparer.ts";
import { agreementOf, compareCandidate } from "./compare/compare-candidate.ts";
import { placementCorrespondences, wholeCorrespondences } from "./compare/correspondences.ts";
import type { Parts } from "./compare/parts.ts";
import { QueryPlanes } from "./compare/query-planes.ts";
import { type Decision, decide, decideWhole } from "./decide/decide.ts";
import type { Evidence, Layers } from "./decide/evidence.ts";
import { LIMITS } from "./limits.ts";
import { type Circumstances, type Located, locate } from "./locate/locate.ts";
import { straightenFeatures, straightenLuma } from "./place/lens.ts";
import {
  type PlacedCandidate,
  placeCandidate,
  placeSign,
  placeThroughLens,
} from "./place/place-candidate.ts";
import { QueryTurns, type WholeTurn, variantOf } from "./place/whole-picture.ts";
import { type Candidate, type RankedCandidate, rankCandidates } from "./rank/rank-candidates.ts";
import type { QueryIndex } from "./rank/ranking.ts";
import { isInverted } from "./rank/variants.ts";

const { placed: MAX_PLACED, firstPlaced, votesOfFirst, votesBeyond } = LIMITS.pipeline;
const { unplaced: MAX_UNPLACED, whole: MAX_WHOLE } = LIMITS.pipeline;

/** How a candidate was found to be an original of the query. */
export interface Finding {
  readonly id: number;
  /** `Placement.inliers`; 0 for a picture matched as a whole. */
  readonly inliers: number;
  readonly evidence: Evidence;
  /** What was compared place by place: all that a decision may look at. */
  readonly parts: Parts;
  readonly decision: Decision;
  readonly isMatch: boolean;
  /** Where a match lies; null for any other candidate. */
  readonly located: Located | null;
}

/** An original that the query derives from: the candidate's id, where it lies, and what the query shows of it. */
export interface Match extends Located {
  readonly id: number;
}

/** What finding where candidates lie took, and what comparing them place by place took, in seconds. */
export interface MatchSeconds {
  place: number;
  compare: number;
}

/** Whether nearly all blocks agree under a planar map, which leaves a lens nothing to explain. */
function isFlat({ coarse, fine }: Layers): boolean {
  const layers = [coarse, fine].flatMap((layer) => (layer === null ? [] : [layer.all]));
  return layers.length > 0 && layers.every(({ good, used }) => good >= LIMITS.lens.flatFrom * used);
}

/** A placement, and whether the comparison begins with a similarity. */
interface Way {
  readonly placed: PlacedCandidate;
  readonly isSimilarity: boolean;
}

type How = Pick<Circumstances, "lens" | "isInverted" | "isFoundAsWhole">;

/** One query being matched: its pixels and what is measured of them, each once and when first asked for. */
class QueryMatcher implements Disposable {
  readonly #query: Query;
  readonly #packetKey: Uint8Array;
  readonly #comparer: CandidateComparer;
  readonly index: QueryIndex;
  /** Cells sampled to choose among placements of signs. */
  #choosing = 0;
  #turns: QueryTurns | null = null;

  constructor(query: Query, index: QueryIndex, packetKey: Uint8Array, isAlwaysCloser: boolean) {
    this.#query = query;
    this.#packetKey = packetKey;
    this.index = index;
    this.#comparer = new CandidateComparer(query, index, packetKey, isAlwaysCloser);
  }

  #found(
    { id, original }: Candidate,
    { comparisons, parts, evidence }: Compared,
    decision: Decision,
    how: How,
  ): Finding {
    const isAlike = (): boolean => this.#turnOf(original) !== null;
    const { isMatch } = decision;
    const located = isMatch
      ? locate(comparisons, original, { query: this.#query.luma, ...how, isAlike })
      : null;
    return { id, inliers: evidence.inliers, evidence, parts, decision, isMatch, located };
  }

  #turnOf({ whole }: StoredOriginal): WholeTurn | null {
    this.#turns ??= new QueryTurns(this.#query.terms);
    return this.#turns.best(whole);
  }

  /** Spent on comparing. */
  get compareSeconds(): number {
    return this.#comparer.seconds;
  }

  /**
   * Whether a look-up that has found so many matches has cost what it may; choosing among placements takes nothing of
   * that.
   */
  isSpent(matches: number): boolean {
    const { firstMatches, mostSampled, enoughSampled } = LIMITS.pipeline;
    const sampled = this.#comparer.planes.sampled - this.#choosing;
    return sampled >= (matches < firstMatches ? mostSampled : enoughSampled);
  }

  /**
   * What the points say of a candidate; null when too few agree. A sign that its own points do not place surely, or
   * where it does not match, is laid on the query in other ways, too, while choosing may cost more.
   */
  byPoints(ranked: RankedCandidate, isFirst: boolean): Finding | null {
    const placed = placeCandidate(this.index, ranked, isFirst);
    const { surelyPlaced, compared, choosing } = LIMITS.pipeline;
    const mayBeMany = isSign(ranked.candidate.original) && this.#choosing < choosing;
    const least = mayBeMany ? surelyPlaced : compared;
    const isPlaced = placed !== null && placed.placement.inliers >= least;
    const found = isPlaced ? this.#byPlacement({ placed, isSimilarity: false }) : null;
    if (!mayBeMany || found?.isMatch === true) return found;
    const ways = placeSign(this.index, ranked, isFirst).filter(
      ({ placement }) => placement.inliers >= compared,
    );
    const chosen = ways.length === 0 ? null : this.#byPlacement(this.#chosen(ways));
    return chosen?.isMatch === true ? chosen : (found ?? chosen);
  }

  /**
   * The way to lay a sign on the query that the blocks agree with most: few points bend a map that has room for it, so
   * that a similarity is among them.
   */
  #chosen(placements: readonly PlacedCandidate[]): Way {
    const began = performance.now();
    const { planes } = this.#comparer;
    const before = planes.sampled;
    const fits = placements.map((placed) => ({ placed, isSimilarity: false }));
    const ways: readonly Way[] = [{ placed: placements[0]!, isSimilarity: true }, ...fits];
    const agreements: number[] = [];
    for (const { placed, isSimilarity } of ways) {
      if (planes.sampled - before >= LIMITS.pipeline.choosingOfSign) break;
      const { original } = placed.candidate;
      const correspondences = placementCorrespondences(this.#query, placed);
      const manner = { isSimilarity, isRough: true };
      const rough = compareCandidate(planes, original, correspondences, this.#packetKey, manner);
      agreements.push(agreementOf(rough.coarse) + agreementOf(rough.fine));
    }
    this.#choosing += planes.sampled - before;
    this.#comparer.seconds += (performance.now() - began) / 1000;
    return ways[agreements.indexOf(Math.max(...agreements))]!;
  }

  #byPlacement({ placed, isSimilarity }: Way): Finding {
    const { candidate, variant, placement } = placed;
    const correspondences = placementCorrespondences(this.#query, placed);
    const manner = { isSimilarity, isRough: false };
    const looked = { view: this.#query, planes: this.#comparer.planes, manner };
    const lies = { correspondences, inliers: placement.inliers, variant };
    const compared = this.#comparer.compare(candidate, lies, looked);
    const decision = decide(compared.evidence);
    // What odds alone accept may be bent, and its place be told less exactly for it.
    const isPlain = decision.isMatch && (decision.rule !== "learned" || isFlat(compared.evidence));
    const mayBeBent = !isPlain && placement.inliers >= LIMITS.lens.inliers;
    const straightened = mayBeBent ? this.#throughLens(placed) : null;
    const how = { lens: null, isInverted: isInverted(variant), isFoundAsWhole: false };
    return straightened ?? this.#found(candidate, compared, decision, how);
  }

  /** The match once the distortion of a lens is taken out of the query; null without one. */
  #throughLens(bent: PlacedCandidate): Finding | null {
    const through = placeThroughLens(this.index, bent);
    if (through === null) return null;
    const { strength, placed } = through;
    const luma = straightenLuma(this.#query.luma, strength);
    const planes = new QueryPlanes(luma, this.#query.quantisation);
    using erasing = new DisposableStack();
    erasing.defer(() => this.#comparer.clear(planes, luma));
    const features = straightenFeatures(this.#query.features, strength);
    const view = { features, luma };
    const { candidate, variant, placement } = placed;
    const correspondences = placementCorrespondences(view, placed);
    const lies = { correspondences, inliers: placement.inliers, variant };
    const compared = this.#comparer.compare(candidate, lies, { view, planes });
    const decision = decide(compared.evidence);
    if (!decision.isMatch) return null;
    const lens = { strength, aspect: luma.width / luma.height };
    const how = { lens, isInverted: isInverted(variant), isFoundAsWhole: false };
    return this.#found(candidate, compared, decision, how);
  }

  /** What the picture as a whole says; null when the two are not alike. */
  asWhole(candidate: Candidate): Finding | null {
    const turned = this.#turnOf(candidate.original);
    if (turned === null) return null;
    const correspondences = wholeCorrespondences(this.#query.luma, turned.turn);
    const compared = this.#comparer.compare(candidate, {
      correspondences,
      inliers: 0,
      variant: variantOf(turned),
    });
    const how = { lens: null, isInverted: turned.isInverted, isFoundAsWhole: true };
    return this.#found(candidate, compared, decideWhole(compared.evidence), how);
  }

  [Symbol.dispose](): void {
    this.#comparer[Symbol.dispose]();
    this.#turns?.clear();
  }
}

/** Whether the candidate with the `at`-th most votes goes on to geometry. */
export function isWorthPlacing(at: number, { score }: RankedCandidate): boolean {
  return at < MAX_PLACED && score >= (at < firstPlaced ? votesOfFirst : votesBeyond);
}

function* findings(matcher: QueryMatcher, ranked: readonly RankedCandidate[]): Generator<Finding> {
  let wholes = 0;
  let matches = 0;
  let unplaced = 0;
  for (const [at, candidate] of ranked.entries()) {
    if (matcher.isSpent(matches)) return;
    const isTried = unplaced < MAX_UNPLACED && isWorthPlacing(at, candidate);
    const found = isTried ? matcher.byPoints(candidate, at === 0) : null;
    unplaced = found === null ? unplaced + 1 : 0;
    if (found !== null) yield found;
    if (found !== null && found.isMatch) {
      matches += 1;
      continue;
    }
    if (wholes === MAX_WHOLE) continue;
    const whole = matcher.asWhole(candidate.candidate);
    if (whole === null) continue;
    wholes += 1;
    if (whole.isMatch) matches += 1;
    yield whole;
  }
}

/**
 * All candidates that were looked at closely, with what was found: for evaluation; no figure of it leaves the engine.
 * @param seconds is added to
 * @param isAlwaysCloser looks closer at every candidate, not only where it is close, and keeps its tones: for training.
 * Decides as otherwise.
 */
export function examineCandidates(
  query: Query,
  candidates: readonly Candidate[],
  packetKey: Uint8Array,
  seconds: MatchSeconds = { place: 0, compare: 0 },
  isAlwaysCloser = false,
): readonly Finding[] {
  const began = performance.now();
  const { index, ranked } = rankCandidates(query, candidates);
  using matcher = new QueryMatcher(query, index, packetKey, isAlwaysCloser);
  const found = [...findings(matcher, ranked)];
  seconds.place += (performance.now() - began) / 1000 - matcher.compareSeconds;
  seconds.compare += matcher.compareSeconds;
  return found;
}

/**
 * The candidates that the query derives from, most inliers first; all of them within the bound of work, since a collage
 * derives from each of its parts. Pure and synchronous; the same query, candidates and key give the same answer in any
 * order and on any thread. `packetKey`: the 32 bytes under which the originals were registered. `seconds` is added to.
 */
export function matchQuery(
  query: Query,
  candidates: readonly Candidate[],
  packetKey: Uint8Array,
  seconds?: MatchSeconds,
): Match[] {
  return examineCandidates(query, candidates, packetKey, seconds)
    .toSorted((a, b) => b.inliers - a.inliers || a.id - b.id)
    .flatMap(({ id, located }) => (located === null ? [] : [{ id, ...located }]));
}
