import { discard } from "../image/discard.ts";
import type { Luma } from "../image/luma.ts";
import { softenLuma } from "../image/soften.ts";
import type { StoredOriginal } from "../packet/original.ts";
import type { Query } from "../packet/query.ts";
import { MAX_PACKET_POINTS } from "../packet/registration-packet.ts";
import { textLikenessOf } from "../signature/whole-signature.ts";
import { type Comparisons, type Manner, compareCandidate } from "./compare/compare-candidate.ts";
import type { Correspondences } from "./compare/correspondences.ts";
import { describedBlocks } from "./compare/described-blocks.ts";
import { type Parts, lookAtParts, lookCloser, withoutTones } from "./compare/parts.ts";
import { QueryPlanes } from "./compare/query-planes.ts";
import { softnessOf } from "./compare/softness.ts";
import { resolvedFine } from "./compare/telling.ts";
import { areOddsToldByLittle } from "./decide/borne-out.ts";
import { foundAgain } from "./decide/described-again.ts";
import { type Evidence, type Layers, type Odds, layerEvidence } from "./decide/evidence.ts";
import { closerOddsOf, isClose, oddsOf } from "./decide/odds.ts";
import { isInset, shownOf, signsOf } from "./decide/signs.ts";
import { MIXED } from "./decide/situation.ts";
import { LIMITS } from "./limits.ts";
import type { Candidate } from "./rank/rank-candidates.ts";
import type { QueryIndex } from "./rank/ranking.ts";
import { type Variant, isInverted } from "./rank/variants.ts";

function summedUp({ coarse, fine }: Comparisons): Layers {
  return { coarse: coarse && layerEvidence(coarse), fine: fine && layerEvidence(fine) };
}

function describedEvidence(
  { coarse, fine }: Comparisons,
  { features }: StoredOriginal,
): Evidence["described"] {
  if (features.count >= MAX_PACKET_POINTS) return null;
  return summedUp({
    coarse: coarse && describedBlocks(coarse, features),
    fine: fine && describedBlocks(fine, features),
  });
}

/** A candidate compared, and all that the decision is made from. */
export interface Compared {
  readonly comparisons: Comparisons;
  readonly parts: Parts;
  readonly evidence: Evidence;
}

/** What is looked at of a query, and in which manner. */
export interface Looked {
  readonly view: Pick<Query, "features" | "luma">;
  readonly planes: QueryPlanes;
  readonly manner?: Manner;
}

/** How a candidate lies in the query. */
export interface Lies {
  readonly correspondences: Correspondences;
  readonly inliers: number;
  readonly variant: Variant;
}

/** What is seen of a candidate place by place, and what is made of it. */
interface Look {
  readonly comparisons: Comparisons;
  readonly layers: Layers;
  /** Whether a first look left it open, and a closer one was taken. */
  readonly isOpen: boolean;
  readonly parts: Parts;
  readonly signs: Uint8Array;
  readonly odds: Odds;
}

/** Compares candidates with one query: its pixels and what is measured of them, each once and when first asked for. */
export class CandidateComparer implements Disposable {
  readonly #query: Query;
  readonly #index: QueryIndex;
  readonly #packetKey: Uint8Array;
  readonly #isAlwaysCloser: boolean;
  readonly planes: QueryPlanes;
  /** Spent on comparing. */
  seconds = 0;
  /** Closer looks that may still be taken. */
  #closerLooks: number = LIMITS.pipeline.closerLooks;

  constructor(query: Query, index: QueryIndex, packetKey: Uint8Array, isAlwaysCloser: boolean) {
    this.#query = query;
    this.#index = index;
    this.#packetKey = packetKey;
    this.#isAlwaysCloser = isAlwaysCloser;
    this.planes = new QueryPlanes(query.luma, query.quantisation);
  }

  /**
   * Compares a candidate that lies so with what is looked at of the query, and looks closer where that leaves it open.
   */
  #look(
    { original }: Candidate,
    { correspondences, inliers, variant }: Lies,
    { view, planes, manner }: Looked,
  ): Look {
    const comparisons = compareCandidate(planes, original, correspondences, this.#packetKey, manner);
    const first = lookAtParts(comparisons, original, view, this.#index.variants[variant]!.bits);
    const signsOfParts = (parts: Parts): Uint8Array =>
      signsOf(parts, textLikenessOf(original.whole), inliers);
    const signs = signsOfParts(first);
    const odds = oddsOf(signs);
    const layers = summedUp(comparisons);
    const isOpen = isClose(odds);
    const isCloser = isOpen || areOddsToldByLittle(odds, inliers, layers) || this.#isAlwaysCloser;
    if (this.#closerLooks === 0 || !isCloser) {
      return { comparisons, layers, isOpen: false, parts: first, signs, odds };
    }
    this.#closerLooks -= 1;
    const parts = lookCloser(first, original, this.#packetKey, planes, isInverted(variant));
    const closerSigns = signsOfParts(parts);
    return {
      comparisons,
      layers,
      isOpen,
      parts: this.#isAlwaysCloser ? parts : withoutTones(parts),
      signs: closerSigns,
      odds: isOpen ? closerOddsOf(odds, closerSigns) : odds,
    };
  }

  /**
   * Compares a candidate place by place, where that leaves it open with a query as much blurred as the original was
   * when it was registered.
   */
  compare(
    candidate: Candidate,
    lies: Lies,
    looked: Looked = { view: this.#query, planes: this.planes },
  ): Compared {
    const began = performance.now();
    const look = this.#look(candidate, lies, looked);
    const softness =
      look.isOpen && this.#closerLooks > 0 ? this.#softnessOf(candidate, lies, looked, look) : 0;
    const compared =
      softness === 0
        ? this.#summedUp(candidate, lies, looked, look)
        : this.#compareSoftened(candidate, lies, looked, softness);
    this.seconds += (performance.now() - began) / 1000;
    return compared;
  }

  /** By how much more the original is blurred, pixels of the query. */
  #softnessOf({ original }: Candidate, { variant }: Lies, { planes }: Looked, { parts }: Look): number {
    const finest = resolvedFine(parts) ?? parts.coarse;
    if (finest === null || parts.describedAgain === null) return 0;
    return softnessOf(original.features, parts.describedAgain, finest, planes, isInverted(variant));
  }

  #compareSoftened(candidate: Candidate, lies: Lies, { view, manner }: Looked, softness: number): Compared {
    const luma = softenLuma(view.luma, softness);
    const planes = new QueryPlanes(luma, this.#query.quantisation);
    using erasing = new DisposableStack();
    erasing.defer(() => this.clear(planes, luma));
    const looked = { view: { ...view, luma }, planes, ...(manner && { manner }) };
    return this.#summedUp(candidate, lies, looked, this.#look(candidate, lies, looked));
  }

  /** Clears a picture that was made of the query, and counts what it has cost. */
  clear(planes: QueryPlanes, luma: Luma): void {
    discard(luma.data);
    this.planes.sampled += planes.sampled + luma.data.length / LIMITS.pipeline.straightenedPerCell;
    planes.clear();
  }

  #summedUp({ original }: Candidate, { inliers }: Lies, { planes }: Looked, look: Look): Compared {
    const { comparisons, layers, parts, signs, odds } = look;
    const textLikeness = textLikenessOf(original.whole);
    const inset = isInset(signs);
    const evidence = {
      inliers,
      ...layers,
      described: inset ? describedEvidence(comparisons, original) : null,
      quantisation: this.#query.quantisation,
      noise: planes.noise,
      textLikeness,
      areBothPrinted: textLikeness > MIXED && planes.textLikeness > MIXED,
      odds,
      again: foundAgain(parts.describedAgain),
      shown: shownOf(signs),
      isInset: inset,
    };
    return { comparisons, parts, evidence };
  }

  [Symbol.dispose](): void {
    this.planes.clear();
  }
}
