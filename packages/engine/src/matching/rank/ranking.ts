import { hamming } from "../../features/hamming.ts";
import { VARIANTS, type Variant, variantFeatures } from "./variants.ts";
import { PROBES_PER_POINT, type Query } from "../../packet/query.ts";
import { rankingTag, type StoredOriginal } from "../../packet/original.ts";
import { MAX_RANKING_POINTS, type Places, type RankingPart } from "../../packet/ranking-part.ts";
import type { Features } from "../../features/features.ts";
import { LIMITS } from "../limits.ts";

const { voteDistance, wholeVote, pairs: MAX_PAIRS, positionShare } = LIMITS.rank;

/** The eighth root of two, written out: powers may differ from machine to machine. */
const BY_BIT = 1.090_507_732_665_257_7;
/** What a pair counts by its distance: of those that share a word the true ones lie near, and each bit further makes chance as much likelier. */
const VOTE_AT: Float64Array = new Float64Array(voteDistance + 1).fill(1);
for (let d = wholeVote - 1; d >= 0; d -= 1) VOTE_AT[d] = VOTE_AT[d + 1]! * BY_BIT;
for (let d = wholeVote + 1; d <= voteDistance; d += 1) VOTE_AT[d] = VOTE_AT[d - 1]! / BY_BIT;

/** Word tags, which have 16 bits. */
const TAGS = 2 ** 16;
const ANGLE_BINS = 16;
const SCALE_STEP = Math.LN2;
/** Bins that one vote goes to: the nearest two of scale and turn, and four of position. */
const BINS_PER_VOTE = 16;
/** Cells of the hash table of bins, a power of two of which all votes together fill at most half. */
const TABLE_BITS: number = Math.ceil(Math.log2(2 * BINS_PER_VOTE * MAX_PAIRS));
const TABLE_SIZE = 2 ** TABLE_BITS;

/** Lowest bits of a ranking tag, which a word tag does not have. */
const REST_BITS = 6;
const REST: number = 2 ** REST_BITS - 1;

/** The query's four variants and, for each word tag, the query points that probe a word with it, and the rest of its ranking tag. */
export interface QueryIndex {
  readonly variants: readonly Features[];
  readonly start: Int32Array;
  readonly point: Int32Array;
  readonly rest: Uint8Array;
}

/** Indexes points by their ranking tags, `perPoint` a point; -1 where there is none. */
function indexTags(features: Features, tags: ArrayLike<number>, perPoint: number): QueryIndex {
  const start = new Int32Array(TAGS + 1);
  const total = features.count * perPoint;
  for (let k = 0; k < total; k += 1) if (tags[k]! >= 0) start[(tags[k]! >> REST_BITS) + 1]! += 1;
  for (let tag = 0; tag < TAGS; tag += 1) start[tag + 1]! += start[tag]!;
  const next = start.slice();
  const point = new Int32Array(start[TAGS]!);
  const rest = new Uint8Array(start[TAGS]!);
  for (let k = 0; k < total; k += 1) {
    const tag = tags[k]!;
    if (tag < 0) continue;
    const at = next[tag >> REST_BITS]!;
    point[at] = Math.floor(k / perPoint);
    rest[at] = tag & REST;
    next[tag >> REST_BITS] = at + 1;
  }
  return { variants: VARIANTS.map((variant) => variantFeatures(features, variant)), start, point, rest };
}

/** Indexes a query once for all its candidates. */
export function indexQuery({ features, probes }: Query): QueryIndex {
  const tags = probes.map((word) => (word < 0 ? -1 : rankingTag(word)));
  return indexTags(features, tags, PROBES_PER_POINT);
}

/** Indexes an original as if it were a query, by what its packet keeps of its words; for `score` alone, not for `scorePart`. */
export function indexOriginal({ placing: features, wordTags }: StoredOriginal): QueryIndex {
  const tags = Int32Array.from(wordTags, (tag) => tag << REST_BITS);
  return indexTags(features, tags, 1);
}

/** How strongly one candidate's points agree on one placement, for each reading of the query. */
export type VariantScores = Float64Array;

interface Votes {
  count: number;
  readonly original: Int32Array;
  readonly query: Int32Array;
  readonly variant: Uint8Array;
  readonly weight: Float64Array;
}

/** Scratch, all zeros, of at least this length: the one at hand or a longer one. */
function atLeast(scratch: Uint16Array<ArrayBuffer>, length: number): Uint16Array<ArrayBuffer> {
  return scratch.length >= length ? scratch : new Uint16Array(length);
}

function places(count: number): Places {
  const column = (): Float32Array => new Float32Array(count);
  return { x: column(), y: column(), size: column(), angle: column() };
}

/**
 * Scores candidates by a four-parameter Hough vote (rotation, scale, place of the original's centre) over pairs of points
 * that share a word, the nearer ones counting more. A pair's vote is divided by the number of pairs its two points take part in, so that letters and
 * other repeated detail cannot outvote a picture. Holds scratch memory; one instance serves one query after another.
 */
export class Ranking {
  readonly #votes: Votes = {
    count: 0,
    original: new Int32Array(MAX_PAIRS),
    query: new Int32Array(MAX_PAIRS),
    variant: new Uint8Array(MAX_PAIRS),
    weight: new Float64Array(MAX_PAIRS),
  };
  /** Of a ranking part: its tags, and the places of those points that vote. */
  readonly #tags = new Uint32Array(MAX_RANKING_POINTS);
  readonly #places = places(MAX_RANKING_POINTS);
  #queryUses = new Uint16Array(0);
  #originalUses = new Uint16Array(0);
  readonly #keys = new Int32Array(TABLE_SIZE);
  readonly #stamps = new Int32Array(TABLE_SIZE);
  readonly #sums = new Float64Array(TABLE_SIZE);
  #stamp = 0;

  /** The best bin of each of the four variants; 0 where nothing votes. */
  score(index: QueryIndex, original: StoredOriginal): VariantScores {
    this.#queryUses = atLeast(this.#queryUses, index.variants[0]!.count);
    this.#originalUses = atLeast(this.#originalUses, original.placing.count);
    this.#pair(index, original);
    this.#weigh();
    return this.#vote(index, original.placing);
  }

  /**
   * The best bin for an original of which only the ranking part is at hand, to be compared with those of other parts alone: its points have no
   * descriptors, so that each pair votes in all four variants.
   */
  scorePart(index: QueryIndex, part: RankingPart): number {
    this.#queryUses = atLeast(this.#queryUses, index.variants[0]!.count);
    this.#originalUses = atLeast(this.#originalUses, MAX_RANKING_POINTS);
    this.#pairPart(index, part);
    if (this.#votes.count === 0) return 0;
    this.#weigh();
    return Math.max(...this.#vote(index, { ...this.#places, width: part.width, height: part.height }));
  }

  #pairPart(index: QueryIndex, part: RankingPart): void {
    const votes = this.#votes;
    votes.count = 0;
    part.readTags(this.#tags);
    let paired = 0;
    for (let i = 0; i < part.count; i += 1) {
      const tag = this.#tags[i]! >>> REST_BITS;
      let previous = -1;
      for (let k = index.start[tag]!; k < index.start[tag + 1]!; k += 1) {
        const j = index.point[k]!;
        if (j === previous || index.rest[k] !== (this.#tags[i]! & REST)) continue;
        if (votes.count + VARIANTS.length > MAX_PAIRS) return;
        if (previous === -1) part.readPlace(i, this.#places, paired);
        previous = j;
        for (const variant of VARIANTS) {
          votes.original[votes.count] = paired;
          votes.query[votes.count] = j;
          votes.variant[votes.count] = variant;
          votes.weight[votes.count] = 1;
          votes.count += 1;
        }
      }
      if (previous !== -1) paired += 1;
    }
  }

  #pair(index: QueryIndex, original: StoredOriginal): void {
    const votes = this.#votes;
    const { placing: features, wordTags } = original;
    votes.count = 0;
    for (let i = 0; i < features.count; i += 1) {
      const tag = wordTags[i]!;
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
        if (best > voteDistance || votes.count === MAX_PAIRS) continue;
        votes.original[votes.count] = i;
        votes.query[votes.count] = j;
        votes.variant[votes.count] = bestVariant;
        votes.weight[votes.count] = VOTE_AT[best]!;
        votes.count += 1;
      }
    }
  }

  #weigh(): void {
    const { count, original, query, weight } = this.#votes;
    for (let k = 0; k < count; k += 1) {
      this.#originalUses[original[k]!]! += 1;
      this.#queryUses[query[k]!]! += 1;
    }
    for (let k = 0; k < count; k += 1) {
      weight[k]! /= this.#originalUses[original[k]!]! * this.#queryUses[query[k]!]!;
    }
    for (let k = 0; k < count; k += 1) {
      this.#originalUses[original[k]!] = 0;
      this.#queryUses[query[k]!] = 0;
    }
  }

  #vote(index: QueryIndex, original: Places & Pick<Features, "width" | "height">): VariantScores {
    const scores = new Float64Array(VARIANTS.length);
    const side = Math.max(original.width, original.height);
    const centreX = (original.width - 1) / 2;
    const centreY = (original.height - 1) / 2;
    const votes = this.#votes;
    this.#stamp += 1;
    for (let k = 0; k < votes.count; k += 1) {
      const variant = votes.variant[k]!;
      const query = index.variants[variant]!;
      const i = votes.original[k]!;
      const j = votes.query[k]!;
      const scale = query.size[j]! / original.size[i]!;
      const turn = query.angle[j]! - original.angle[i]!;
      const dx = (centreX - original.x[i]!) * scale;
      const dy = (centreY - original.y[i]!) * scale;
      const x = query.x[j]! + dx * Math.cos(turn) - dy * Math.sin(turn);
      const y = query.y[j]! + dx * Math.sin(turn) + dy * Math.cos(turn);
      const angleBin = (turn / (2 * Math.PI)) * ANGLE_BINS;
      const scaleBin = Math.log(scale) / SCALE_STEP;
      for (let s = Math.floor(scaleBin - 0.5), sEnd = s + 1; s <= sEnd; s += 1) {
        const cell = positionShare * side * Math.exp((s + 0.5) * SCALE_STEP);
        const xBin = Math.floor(x / cell - 0.5);
        const yBin = Math.floor(y / cell - 0.5);
        for (let a = Math.floor(angleBin - 0.5), aEnd = a + 1; a <= aEnd; a += 1) {
          const head = (((variant << 4) | (a & (ANGLE_BINS - 1))) << 4) | ((s + 8) & 15);
          for (let p = 0; p < 4; p += 1) {
            const key = (head << 22) | (((xBin + (p & 1)) & 0x7ff) << 11) | ((yBin + (p >> 1)) & 0x7ff);
            const sum = this.#add(key, votes.weight[k]!);
            if (sum > scores[variant]!) scores[variant] = sum;
          }
        }
      }
    }
    return scores;
  }

  /** Adds to the bin of `key` and gives its sum. */
  #add(key: number, weight: number): number {
    let slot = Math.imul(key ^ (key >>> 15), 0x9e3779b1) >>> (32 - TABLE_BITS);
    while (this.#stamps[slot] === this.#stamp && this.#keys[slot] !== key) {
      slot = (slot + 1) & (TABLE_SIZE - 1);
    }
    if (this.#stamps[slot] !== this.#stamp) {
      this.#stamps[slot] = this.#stamp;
      this.#keys[slot] = key;
      this.#sums[slot] = 0;
    }
    this.#sums[slot]! += weight;
    return this.#sums[slot]!;
  }
}
