import {
  type Alignment,
  type Candidate,
  type Comparisons,
  type Placed,
  type Ranked,
  compare,
  place,
  placedAlignment,
  placeThroughLens,
  rank,
} from "./candidates.ts";
import { type Evidence, type Layers, MIN_SUPPORT, isDerived, isWhole } from "./decision.ts";
import { describedBlocks } from "./described-blocks.ts";
import { layerEvidence } from "./evidence.ts";
import { straightenFeatures, straightenLuma } from "./lens.ts";
import { noiseOf } from "./noise.ts";
import { QueryPlanes } from "./query-plane.ts";
import type { QueryIndex } from "./ranking.ts";
import { MAX_PACKET_POINTS } from "../registration-packet.ts";
import type { Query, StoredOriginal } from "./subjects.ts";
import { QueryTurns, wholeAlignment } from "./whole-placement.ts";
import { textnessOf } from "./whole-signature.ts";

/**
 * Candidates that go on to geometry, most votes first, and the fewest votes, in whole pairs, that make one worth a look. Chance
 * gives candidates 1 to 2 votes: true originals with so few are among the first if anywhere, the many parts of a collage have more.
 */
const MAX_PLACED = 20;
const FIRST_PLACED = 8;
const MIN_VOTES = 0.5;
const MIN_VOTES_BEYOND = 2;
/** Candidates that are tried as the whole picture though their points say nothing; most like the query first. */
const MAX_WHOLE = 10;

/** Support from which a candidate that does not match as it is may be the query seen through a lens. */
const LENS_SUPPORT = 40;

/** How a candidate was found to be an original of the query. */
export interface Finding {
  readonly id: number;
  /** Cells that agreeing points occupy; 0 for a picture matched as a whole. */
  readonly support: number;
  readonly evidence: Evidence;
  readonly isMatch: boolean;
}

function summedUp({ coarse, fine }: Comparisons): Layers {
  return { coarse: coarse && layerEvidence(coarse), fine: fine && layerEvidence(fine) };
}

function described(
  { coarse, fine }: Comparisons,
  { features }: StoredOriginal,
  view: Pick<Query, "features" | "luma">,
): Evidence["described"] {
  if (features.count >= MAX_PACKET_POINTS) return null;
  const large = coarse && describedBlocks(coarse, features, view);
  const small = fine && describedBlocks(fine, features, view);
  return {
    shown: summedUp({ coarse: large && large.shown, fine: small && small.shown }),
    demanded: summedUp({ coarse: large && large.demanded, fine: small && small.demanded }),
  };
}

/** One query at work: its pixels and what is measured of them, each once and when first asked for. */
class Work implements Disposable {
  readonly #query: Query;
  readonly #packetKey: Uint8Array;
  readonly #planes: QueryPlanes;
  readonly index: QueryIndex;
  #noise: number | null = null;
  #turns: QueryTurns | null = null;

  constructor(query: Query, index: QueryIndex, packetKey: Uint8Array) {
    this.#query = query;
    this.#packetKey = packetKey;
    this.#planes = new QueryPlanes(query.luma);
    this.index = index;
  }

  #evidence(
    { original }: Candidate,
    alignment: Alignment,
    support: number,
    view: Pick<Query, "features" | "luma"> = this.#query,
    planes: QueryPlanes = this.#planes,
  ): Evidence {
    const comparisons = compare(planes, original, alignment, this.#packetKey);
    this.#noise ??= noiseOf(this.#query.luma);
    return {
      support,
      ...summedUp(comparisons),
      described: described(comparisons, original, view),
      coarseness: this.#query.coarseness,
      noise: this.#noise,
      textness: textnessOf(original.whole),
    };
  }

  /** What the points say; null when too few agree. */
  byPoints(placed: Placed | null): Finding | null {
    if (placed === null || placed.placement.support < MIN_SUPPORT) return null;
    const { support } = placed.placement;
    const evidence = this.#evidence(placed.candidate, placedAlignment(this.#query, placed), support);
    const isMatch = isDerived(evidence);
    const straightened = isMatch || support < LENS_SUPPORT ? null : this.#throughLens(placed);
    return straightened ?? { id: placed.candidate.id, support, evidence, isMatch };
  }

  /** The match that the query is once the distortion of a lens is taken out of it; null when it is none. */
  #throughLens(bent: Placed): Finding | null {
    const through = placeThroughLens(this.index, bent);
    if (through === null) return null;
    const { strength, placed } = through;
    const luma = straightenLuma(this.#query.luma, strength);
    const planes = new QueryPlanes(luma);
    using erasing = new DisposableStack();
    erasing.defer(() => luma.data.fill(0));
    erasing.defer(() => planes.clear());
    const features = straightenFeatures(this.#query.features, strength);
    const view = { features, luma };
    const { support } = placed.placement;
    const evidence = this.#evidence(placed.candidate, placedAlignment(view, placed), support, view, planes);
    return isDerived(evidence) ? { id: placed.candidate.id, support, evidence, isMatch: true } : null;
  }

  /** What the picture as a whole says; null when the two are not alike. */
  asWhole(candidate: Candidate): Finding | null {
    this.#turns ??= new QueryTurns(this.#query.luma);
    const turn = this.#turns.best(candidate.original.whole);
    if (turn === null) return null;
    const evidence = this.#evidence(candidate, wholeAlignment(this.#query.luma, turn), 0);
    return { id: candidate.id, support: 0, evidence, isMatch: isWhole(evidence) };
  }

  [Symbol.dispose](): void {
    this.#planes.clear();
    this.#turns?.clear();
  }
}

/** Whether the candidate with the `at`-th most votes goes on to geometry. */
export function isWorthPlacing(at: number, { score }: Ranked): boolean {
  return at < MAX_PLACED && score >= (at < FIRST_PLACED ? MIN_VOTES : MIN_VOTES_BEYOND);
}

function* findings(work: Work, ranked: readonly Ranked[]): Generator<Finding> {
  let wholes = 0;
  for (const [at, candidate] of ranked.entries()) {
    const found = isWorthPlacing(at, candidate) ? work.byPoints(place(work.index, candidate)) : null;
    if (found !== null) yield found;
    if (found !== null && found.isMatch) continue;
    if (wholes === MAX_WHOLE) continue;
    const whole = work.asWhole(candidate.candidate);
    if (whole === null) continue;
    wholes += 1;
    yield whole;
  }
}

/** All candidates that were looked at closely, with what was found: for evaluation; no figure of it leaves the engine. */
export function examineCandidates(
  query: Query,
  candidates: readonly Candidate[],
  packetKey: Uint8Array,
): readonly Finding[] {
  const { index, ranked } = rank(query, candidates);
  using work = new Work(query, index, packetKey);
  return [...findings(work, ranked)];
}

/**
 * The ids of the candidates that the query derives from, best supported first; all of them, since a collage derives from each
 * of its parts. Pure and synchronous; the same query, candidates and key give the same answer in any order and on any
 * thread. `packetKey`: the 32 bytes under which the originals were registered.
 */
export function matchQuery(query: Query, candidates: readonly Candidate[], packetKey: Uint8Array): number[] {
  return examineCandidates(query, candidates, packetKey)
    .filter(({ isMatch }) => isMatch)
    .toSorted((a, b) => b.support - a.support || a.id - b.id)
    .map(({ id }) => id);
}
