import type { Features } from "../../features/features.ts";
import type { Places } from "../../packet/ranking-part.ts";
import { LIMITS } from "../limits.ts";
import { VARIANTS, type Variant } from "./variants.ts";

const { pairs: MAX_PAIRS, positionShare } = LIMITS.rank;

const ANGLE_BINS = 16;
const SCALE_BINS = 16;
const SCALE_STEP = Math.LN2;
/** A frame is a variant with a bin of turn and one of scale. */
const FRAMES: number = VARIANTS.length * ANGLE_BINS * SCALE_BINS;
/** Frames that a pair votes for, and places in each: the nearest two on every axis. */
const FRAMES_PER_PAIR = 4;
const PLACES_PER_FRAME = 4;
/** Position bins on an axis, a power of two, after which they begin again. */
const POSITION_BITS = 11;
const POSITIONS: number = 2 ** POSITION_BITS - 1;

/** Scale bins whose size is at hand: from 2^-16 to 2^16 times. */
const FARTHEST_SCALE = 16;
const sizeAmid = (scaleBin: number): number => Math.exp((scaleBin + 0.5) * SCALE_STEP);
const SIZES: Float64Array = Float64Array.from({ length: 2 * FARTHEST_SCALE }, (_, k) =>
  sizeAmid(k - FARTHEST_SCALE),
);

/** How strongly one candidate's points agree on one placement, for each reading of the query. */
export type VariantScores = Float64Array;

/** Where an original's points lie in its raster. */
export type Placed = Places & Pick<Features, "width" | "height">;

/** Scratch, all zeros, of at least this length: the one at hand or a longer one. */
function atLeast(scratch: Uint16Array<ArrayBuffer>, length: number): Uint16Array<ArrayBuffer> {
  return scratch.length >= length ? scratch : new Uint16Array(length);
}

/** Bits of a hash table of which the places of so many pairs fill at most half. */
function tableBits(pairs: number): number {
  return Math.ceil(Math.log2(2 * PLACES_PER_FRAME * pairs));
}

/**
 * A four-parameter Hough vote (rotation, scale, place of the original's centre) of pairs of points. The places of a
 * frame are counted only where the frame has more votes than the best place that was found: none of its places has more
 * than it, rounded sums included, for both add up in the order of the pairs. Holds scratch memory; one instance serves
 * one candidate after another.
 */
export class HoughVote {
  #count = 0;
  readonly #original = new Int32Array(MAX_PAIRS);
  readonly #query = new Int32Array(MAX_PAIRS);
  readonly #variant = new Uint8Array(MAX_PAIRS);
  readonly #weight = new Float64Array(MAX_PAIRS);
  #originalUses = new Uint16Array(0);
  #queryUses = new Uint16Array(0);
  /** Where a pair sees the original's centre, in pixels of the query, and the lower of its scale bins. */
  readonly #x = new Float64Array(MAX_PAIRS);
  readonly #y = new Float64Array(MAX_PAIRS);
  readonly #scaleBin = new Int32Array(MAX_PAIRS);
  /**
   * The frames of each pair; what the votes for each frame come to, and a list of them in the order of the pairs, which
   * ends with -1.
   */
  readonly #frame = new Uint16Array(FRAMES_PER_PAIR * MAX_PAIRS);
  readonly #sums = new Float64Array(FRAMES);
  readonly #first = new Int32Array(FRAMES).fill(-1);
  readonly #next = new Int32Array(FRAMES_PER_PAIR * MAX_PAIRS);
  /**
   * A hash table of the places of a frame. It is used as far as its pairs need, and so stays in the processor's caches.
   */
  readonly #keys = new Int32Array(2 ** tableBits(MAX_PAIRS));
  readonly #stamps = new Int32Array(this.#keys.length);
  readonly #votes = new Float64Array(this.#keys.length);
  #stamp = 0;

  /** Pairs that there is room for. */
  get room(): number {
    return MAX_PAIRS - this.#count;
  }

  /** Forgets all pairs. */
  clear(): void {
    this.#count = 0;
  }

  /**
   * Adds a pair of points, if there is room. `variant`: in which the query shows the original's point; `weight`: what
   * the pair counts.
   */
  add(original: number, query: number, variant: Variant, weight: number): void {
    const k = this.#count;
    if (k === MAX_PAIRS) return;
    this.#original[k] = original;
    this.#query[k] = query;
    this.#variant[k] = variant;
    this.#weight[k] = weight;
    this.#count = k + 1;
  }

  /**
   * Divides each vote by the number of pairs that its two points take part in, so that letters and other repeated
   * detail cannot outvote a picture.
   */
  share(originalPoints: number, queryPoints: number): void {
    this.#originalUses = atLeast(this.#originalUses, originalPoints);
    this.#queryUses = atLeast(this.#queryUses, queryPoints);
    for (let k = 0; k < this.#count; k += 1) {
      this.#originalUses[this.#original[k]!]! += 1;
      this.#queryUses[this.#query[k]!]! += 1;
    }
    for (let k = 0; k < this.#count; k += 1) {
      this.#weight[k]! /= this.#originalUses[this.#original[k]!]! * this.#queryUses[this.#query[k]!]!;
    }
    for (let k = 0; k < this.#count; k += 1) {
      this.#originalUses[this.#original[k]!] = 0;
      this.#queryUses[this.#query[k]!] = 0;
    }
  }

  /** The votes for the best place in each variant; 0 where there is none. `variants`: the query's. */
  scores(variants: readonly Features[], original: Placed): VariantScores {
    return this.#elect(variants, original, new Float64Array(VARIANTS.length));
  }

  /** The votes for the best place in any variant. */
  score(variants: readonly Features[], original: Placed): number {
    return this.#elect(variants, original, new Float64Array(1))[0]!;
  }

  /** Raises `best`, which has a number for each variant or one for all. */
  #elect(variants: readonly Features[], original: Placed, best: Float64Array): Float64Array {
    this.#predict(variants, original);
    const entries = FRAMES_PER_PAIR * this.#count;
    for (let entry = 0; entry < entries; entry += 1) {
      this.#sums[this.#frame[entry]!]! += this.#weight[Math.floor(entry / FRAMES_PER_PAIR)]!;
    }
    for (let entry = entries - 1; entry >= 0; entry -= 1) {
      const frame = this.#frame[entry]!;
      this.#next[entry] = this.#first[frame]!;
      this.#first[frame] = entry;
    }
    const side = Math.max(original.width, original.height);
    for (let entry = 0; entry < entries; entry += 1) {
      const frame = this.#frame[entry]!;
      const first = this.#first[frame]!;
      if (first < 0) continue;
      const of = Math.floor(frame / (ANGLE_BINS * SCALE_BINS)) % best.length;
      if (this.#sums[frame]! > best[of]!) best[of] = Math.max(best[of]!, this.#bestPlace(first, side));
      this.#first[frame] = -1;
      this.#sums[frame] = 0;
    }
    return best;
  }

  /** Where each pair sees the original's centre, and its frames. */
  #predict(variants: readonly Features[], original: Placed): void {
    const centreX = (original.width - 1) / 2;
    const centreY = (original.height - 1) / 2;
    let [scale, scaleBin] = [1, 0];
    for (let k = 0; k < this.#count; k += 1) {
      const variant = this.#variant[k]!;
      const query = variants[variant]!;
      const i = this.#original[k]!;
      const j = this.#query[k]!;
      // The same two points may vote in several variants, one after the other, and are as large in each.
      if (k === 0 || i !== this.#original[k - 1] || j !== this.#query[k - 1]) {
        scale = query.size[j]! / original.size[i]!;
        scaleBin = Math.floor(Math.log(scale) / SCALE_STEP - 0.5);
      }
      const turn = query.angle[j]! - original.angle[i]!;
      const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
      const dx = (centreX - original.x[i]!) * scale;
      const dy = (centreY - original.y[i]!) * scale;
      this.#x[k] = query.x[j]! + dx * cos - dy * sin;
      this.#y[k] = query.y[j]! + dx * sin + dy * cos;
      this.#scaleBin[k] = scaleBin;
      const angleBin = Math.floor((turn / (2 * Math.PI)) * ANGLE_BINS - 0.5);
      for (let n = 0; n < FRAMES_PER_PAIR; n += 1) {
        const ofTurn = (angleBin + (n & 1)) & (ANGLE_BINS - 1);
        const ofScale = (scaleBin + (n >> 1)) & (SCALE_BINS - 1);
        this.#frame[FRAMES_PER_PAIR * k + n] = (variant * ANGLE_BINS + ofTurn) * SCALE_BINS + ofScale;
      }
    }
  }

  /** The votes for the best place of a frame, whose list begins with `first`. */
  #bestPlace(first: number, side: number): number {
    let pairs = 0;
    for (let entry = first; entry >= 0; entry = this.#next[entry]!) pairs += 1;
    if (pairs === 1) return this.#weight[Math.floor(first / FRAMES_PER_PAIR)]!;
    const bits = tableBits(pairs);
    this.#stamp += 1;
    let best = 0;
    for (let entry = first; entry >= 0; entry = this.#next[entry]!) {
      const k = Math.floor(entry / FRAMES_PER_PAIR);
      const scaleBin = this.#scaleBin[k]! + ((entry >> 1) & 1);
      const cell = positionShare * side * (SIZES[scaleBin + FARTHEST_SCALE] ?? sizeAmid(scaleBin));
      const xBin = Math.floor(this.#x[k]! / cell - 0.5);
      const yBin = Math.floor(this.#y[k]! / cell - 0.5);
      for (let p = 0; p < PLACES_PER_FRAME; p += 1) {
        const [x, y] = [(xBin + (p & 1)) & POSITIONS, (yBin + (p >> 1)) & POSITIONS];
        const votes = this.#addTo((x << POSITION_BITS) | y, bits, this.#weight[k]!);
        if (votes > best) best = votes;
      }
    }
    return best;
  }

  /** Adds to a place and gives what its votes come to. */
  #addTo(place: number, bits: number, weight: number): number {
    let slot = Math.imul(place ^ (place >>> 15), 0x9e37_79b1) >>> (32 - bits);
    while (this.#stamps[slot] === this.#stamp && this.#keys[slot] !== place) {
      slot = (slot + 1) & (2 ** bits - 1);
    }
    if (this.#stamps[slot] !== this.#stamp) {
      this.#stamps[slot] = this.#stamp;
      this.#keys[slot] = place;
      this.#votes[slot] = 0;
    }
    this.#votes[slot]! += weight;
    return this.#votes[slot]!;
  }
}
