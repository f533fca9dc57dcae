import { hamming } from "../../features/hamming.ts";
import { HoughVote, type VariantScores } from "./hough-vote.ts";
import { VARIANTS, type Variant, variantFeatures } from "./variants.ts";
import { PROBES_PER_POINT, type Query } from "../../packet/query.ts";
import { rankingTag, type StoredOriginal } from "../../packet/original.ts";
import { MAX_RANKING_POINTS, type Places, type RankingPart } from "../../packet/ranking-part.ts";
import type { Features } from "../../features/features.ts";
import { LIMITS } from "../limits.ts";

const { voteDistance, wholeVote } = LIMITS.rank;

/** The eighth root of two, written out: powers may differ from machine to machine. */
const BY_BIT = 1.090_507_732_665_257_7;
/**
 * What a pair counts by its distance: of those that share a word the true ones lie near, and each bit further makes
 * chance as much likelier.
 */
const VOTE_AT: Float64Array = new Float64Array(voteDistance + 1).fill(1);
for (let d = wholeVote - 1; d >= 0; d -= 1) VOTE_AT[d] = VOTE_AT[d + 1]! * BY_BIT;
for (let d = wholeVote + 1; d <= voteDistance; d += 1) VOTE_AT[d] = VOTE_AT[d - 1]! / BY_BIT;

/** Word tags, which have 16 bits. */
const TAGS = 2 ** 16;

/** Lowest bits of a ranking tag, which a word tag does not have. */
const REST_BITS = 6;
const REST: number = 2 ** REST_BITS - 1;

/**
 * The query's four variants and, for each word tag, the query points that probe a word with it, and the rest of its
 * ranking tag.
 */
export interface QueryIndex {
  readonly variants: readonly Features[];
  /** A bit for each word tag that some point probes: few do, and this stays in the processor's caches. */
  readonly probed: Uint8Array;
  readonly start: Int32Array;
  readonly point: Int32Array;
  readonly rest: Uint8Array;
}

/** Indexes points by their ranking tags, `perPoint` a point; -1 where there is none. */
function indexTags(features: Features, tags: ArrayLike<number>, perPoint: number): QueryIndex {
  const probed = new Uint8Array(TAGS / 8);
  // While points are put in, `start[tag + 1]` is where the next one of `tag` goes; at last that is where the next tag
  // begins.
  const start = new Int32Array(TAGS + 2);
  const total = features.count * perPoint;
  for (let k = 0; k < total; k += 1) if (tags[k]! >= 0) start[(tags[k]! >> REST_BITS) + 2]! += 1;
  for (let tag = 1; tag <= TAGS; tag += 1) start[tag + 1]! += start[tag]!;
  const point = new Int32Array(start[TAGS + 1]!);
  const rest = new Uint8Array(point.length);
  for (let k = 0; k < total; k += 1) {
    const tag = tags[k]! >> REST_BITS;
    if (tag < 0) continue;
    const at = start[tag + 1]!;
    point[at] = Math.floor(k / perPoint);
    rest[at] = tags[k]! & REST;
    start[tag + 1] = at + 1;
    probed[tag >> 3]! |= 1 << (tag & 7);
  }
  const variants = VARIANTS.map((variant) => variantFeatures(features, variant));
  return { variants, probed, start, point, rest };
}

function isProbed({ probed }: QueryIndex, tag: number): boolean {
  return (probed[tag >> 3]! & (1 << (tag & 7))) !== 0;
}

/** Indexes a query once for all its candidates. */
export function indexQuery({ features, probes }: Query): QueryIndex {
  const tags = probes.map((word) => (word < 0 ? -1 : rankingTag(word)));
  return indexTags(features, tags, PROBES_PER_POINT);
}

/**
 * Indexes an original as if it were a query, by what its packet keeps of its words; for `score` alone, not for
 * `scorePart`.
 */
export function indexOriginal({ placing: features, wordTags }: StoredOriginal): QueryIndex {
  const tags = Int32Array.from(wordTags, (tag) => tag << REST_BITS);
  return indexTags(features, tags, 1);
}

function places(count: number): Places {
  const column = (): Float32Array => new Float32Array(count);
  return { x: column(), y: column(), size: column(), angle: column() };
}

/**
 * Scores candidates by a Hough vote over pairs of points that share a word, the nearer ones counting more. Holds
 * scratch memory; one instance serves one query after another.
 */
export class Ranking {
  readonly #vote = new HoughVote();
  /** Of a ranking part: its tags, and the places of those points that vote. */
  readonly #tags = new Uint32Array(MAX_RANKING_POINTS);
  readonly #places = places(MAX_RANKING_POINTS);

  /** The best bin of each of the four variants; 0 where nothing votes. */
  score(index: QueryIndex, original: StoredOriginal): VariantScores {
    this.#vote.clear();
    this.#pair(index, original);
    this.#vote.share(original.placing.count, index.variants[0]!.count);
    return this.#vote.scores(index.variants, original.placing);
  }

  /**
   * The best bin for an original of which only the ranking part is at hand, to be compared with those of other parts
   * alone: its points have no descriptors, so that each pair votes in all four variants.
   */
  scorePart(index: QueryIndex, part: RankingPart): number {
    this.#vote.clear();
    this.#pairPart(index, part);
    this.#vote.share(MAX_RANKING_POINTS, index.variants[0]!.count);
    const { width, height } = part;
    return this.#vote.score(index.variants, { ...this.#places, width, height });
  }

  #pairPart(index: QueryIndex, part: RankingPart): void {
    part.readTags(this.#tags);
    let paired = 0;
    for (let i = 0; i < part.count; i += 1) {
      const tag = this.#tags[i]! >>> REST_BITS;
      if (!isProbed(index, tag)) continue;
      let previous = -1;
      for (let k = index.start[tag]!; k < index.start[tag + 1]!; k += 1) {
        const j = index.point[k]!;
        if (j === previous || index.rest[k] !== (this.#tags[i]! & REST)) continue;
        if (this.#vote.room < VARIANTS.length) return;
        if (previous === -1) part.readPlace(i, this.#places, paired);
        previous = j;
        for (const variant of VARIANTS) this.#vote.add(paired, j, variant, 1);
      }
      if (previous !== -1) paired += 1;
    }
  }

  #pair(index: QueryIndex, { placing: features, wordTags }: StoredOriginal): void {
    for (let i = 0; i < features.count; i += 1) {
      const tag = wordTags[i]!;
      if (!isProbed(index, tag)) continue;
      let previous = -1;
      for (let k = index.start[tag]!; k < index.start[tag + 1]!; k += 1) {
        const j = index.point[k]!;
        // One point's probes may share a tag; its entries are neighbours.
        if (j === previous) continue;
        previous = j;
        let best = voteDistance + 1;
        let bestVariant: Variant = 0;
        for (const variant of VARIANTS) {
          const distance = hamming(features.bits, i, index.variants[variant]!.bits, j);
          if (distance < best) {
            best = distance;
            bestVariant = variant;
          }
        }
        if (best <= voteDistance) this.#vote.add(i, j, bestVariant, VOTE_AT[best]!);
      }
    }
  }
}
