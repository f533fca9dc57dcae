import { hamming } from "./hamming.ts";
import { POSES, type Pose, poseFeatures } from "./pose.ts";
import { PROBES_PER_POINT, type Query, type StoredOriginal, wordTag } from "./subjects.ts";
import type { Features } from "../features.ts";

/** Farthest two descriptors with a word in common may be to vote. */
const VOTE_DISTANCE = 42;
/** Most pairs of one candidate that vote; more say nothing more. */
const MAX_PAIRS = 1024;
const ANGLE_BINS = 16;
const SCALE_STEP = Math.LN2;
/** Side of a position bin as a share of the original's projected longer side. */
const POSITION_SHARE = 0.25;
const TABLE_SIZE = 1 << 15;

/** The query's four readings and, for each word tag, the query points that probe a word with it. */
export interface QueryIndex {
  readonly poses: readonly Features[];
  readonly start: Int32Array;
  readonly point: Int32Array;
}

/** Indexes a query once for all its candidates. */
export function indexQuery(query: Query): QueryIndex {
  const { features, probes } = query;
  const start = new Int32Array(65537);
  const total = features.count * PROBES_PER_POINT;
  for (let k = 0; k < total; k += 1) if (probes[k]! >= 0) start[wordTag(probes[k]!) + 1]! += 1;
  for (let tag = 0; tag < 65536; tag += 1) start[tag + 1]! += start[tag]!;
  const next = start.slice();
  const point = new Int32Array(start[65536]!);
  for (let k = 0; k < total; k += 1) {
    if (probes[k]! < 0) continue;
    const tag = wordTag(probes[k]!);
    point[next[tag]!] = Math.floor(k / PROBES_PER_POINT);
    next[tag]! += 1;
  }
  return { poses: POSES.map((pose) => poseFeatures(features, pose)), start, point };
}

/** How strongly one candidate's points agree on one placement, for each reading of the query. */
export type PoseScores = Float64Array;

interface Votes {
  count: number;
  readonly original: Int32Array;
  readonly query: Int32Array;
  readonly pose: Uint8Array;
  readonly weight: Float64Array;
}

/**
 * Scores candidates by a four-parameter Hough vote (rotation, scale, place of the original's centre) over pairs of points
 * that share a word. A pair's vote is divided by the number of pairs its two points take part in, so that letters and
 * other repeated detail cannot outvote a picture. Holds scratch memory; one instance serves one query after another.
 */
export class Ranking {
  readonly #votes: Votes = {
    count: 0,
    original: new Int32Array(MAX_PAIRS),
    query: new Int32Array(MAX_PAIRS),
    pose: new Uint8Array(MAX_PAIRS),
    weight: new Float64Array(MAX_PAIRS),
  };
  readonly #queryUses = new Uint16Array(4096);
  readonly #originalUses = new Uint16Array(4096);
  readonly #keys = new Int32Array(TABLE_SIZE);
  readonly #stamps = new Int32Array(TABLE_SIZE);
  readonly #sums = new Float64Array(TABLE_SIZE);
  #stamp = 0;

  /** The best bin of each of the four readings; 0 where nothing votes. */
  score(index: QueryIndex, original: StoredOriginal): PoseScores {
    this.#pair(index, original);
    this.#weigh();
    return this.#vote(index, original.features);
  }

  #pair(index: QueryIndex, original: StoredOriginal): void {
    const votes = this.#votes;
    const { features, wordTags } = original;
    votes.count = 0;
    for (let i = 0; i < features.count; i += 1) {
      const tag = wordTags[i]!;
      let previous = -1;
      for (let k = index.start[tag]!; k < index.start[tag + 1]!; k += 1) {
        const j = index.point[k]!;
        // One point's probes may share a tag; its entries are neighbours.
        if (j === previous) continue;
        previous = j;
        let best = VOTE_DISTANCE + 1;
        let bestPose: Pose = 0;
        for (const pose of POSES) {
          const distance = hamming(features.bits, i, index.poses[pose]!.bits, j);
          if (distance < best) {
            best = distance;
            bestPose = pose;
          }
        }
        if (best > VOTE_DISTANCE || votes.count === MAX_PAIRS) continue;
        votes.original[votes.count] = i;
        votes.query[votes.count] = j;
        votes.pose[votes.count] = bestPose;
        votes.weight[votes.count] = 1 - best / (2 * VOTE_DISTANCE);
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
    for (let k = 0; k < count; k += 1)
      weight[k]! /= this.#originalUses[original[k]!]! * this.#queryUses[query[k]!]!;
    for (let k = 0; k < count; k += 1) {
      this.#originalUses[original[k]!] = 0;
      this.#queryUses[query[k]!] = 0;
    }
  }

  #vote(index: QueryIndex, original: Features): PoseScores {
    const scores = new Float64Array(POSES.length);
    const side = Math.max(original.width, original.height);
    const centreX = (original.width - 1) / 2;
    const centreY = (original.height - 1) / 2;
    const votes = this.#votes;
    this.#stamp += 1;
    for (let k = 0; k < votes.count; k += 1) {
      const pose = votes.pose[k]!;
      const query = index.poses[pose]!;
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
        const cell = POSITION_SHARE * side * Math.exp((s + 0.5) * SCALE_STEP);
        const xBin = Math.floor(x / cell - 0.5);
        const yBin = Math.floor(y / cell - 0.5);
        for (let a = Math.floor(angleBin - 0.5), aEnd = a + 1; a <= aEnd; a += 1) {
          const head = (((pose << 4) | (a & (ANGLE_BINS - 1))) << 4) | ((s + 8) & 15);
          for (let p = 0; p < 4; p += 1) {
            const key = (head << 22) | (((xBin + (p & 1)) & 0x7ff) << 11) | ((yBin + (p >> 1)) & 0x7ff);
            const sum = this.#add(key, votes.weight[k]!);
            if (sum > scores[pose]!) scores[pose] = sum;
          }
        }
      }
    }
    return scores;
  }

  /** Adds to the bin of `key` and gives its sum. */
  #add(key: number, weight: number): number {
    let slot = Math.imul(key ^ (key >>> 15), 0x9e3779b1) >>> 17;
    while (this.#stamps[slot] === this.#stamp && this.#keys[slot] !== key)
      slot = (slot + 1) & (TABLE_SIZE - 1);
    if (this.#stamps[slot] !== this.#stamp) {
      this.#stamps[slot] = this.#stamp;
      this.#keys[slot] = key;
      this.#sums[slot] = 0;
    }
    this.#sums[slot]! += weight;
    return this.#sums[slot]!;
  }
}
