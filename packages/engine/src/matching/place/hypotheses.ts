import type { Features } from "../../features/features.ts";
import { LIMITS } from "../limits.ts";
import type { Pairs } from "./match-descriptors.ts";

/** The similarity that each pair of points is by itself, and where its points lie. */
export interface Similarities {
  /** Query to original: (x, y) -> (re x - im y + tx, im x + re y + ty). */
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly tx: Float64Array;
  readonly ty: Float64Array;
  readonly logScale: Float64Array;
  readonly turn: Float64Array;
  /** Positions of the pairs' points in the query and in the original. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly u: Float64Array;
  readonly v: Float64Array;
}

const { logScaleError, angleError, hypotheses: MAX_HYPOTHESES, votes: MIN_VOTES } = LIMITS.placement;

const WHOLE_TURN = 2 * Math.PI;
const TURN_BINS = 64;
/** Turns that differ by less than `angleError` lie at most this many bins apart. */
const BIN_REACH = Math.ceil((angleError / WHOLE_TURN) * TURN_BINS);
/** Pairs and votes must be fewer, so that two such numbers make one of 32 bits to sort by. */
const RADIX = 2 ** 16;

export function similarities(original: Features, query: Features, pairs: Pairs): Similarities {
  const n = pairs.count;
  const s = {
    re: new Float64Array(n),
    im: new Float64Array(n),
    tx: new Float64Array(n),
    ty: new Float64Array(n),
    logScale: new Float64Array(n),
    turn: new Float64Array(n),
    x: new Float64Array(n),
    y: new Float64Array(n),
    u: new Float64Array(n),
    v: new Float64Array(n),
  };
  for (let k = 0; k < n; k += 1) {
    const i = pairs.original[k]!;
    const j = pairs.query[k]!;
    const scale = original.size[i]! / query.size[j]!;
    const turn = original.angle[i]! - query.angle[j]!;
    s.x[k] = query.x[j]!;
    s.y[k] = query.y[j]!;
    s.u[k] = original.x[i]!;
    s.v[k] = original.y[i]!;
    s.re[k] = scale * Math.cos(turn);
    s.im[k] = scale * Math.sin(turn);
    s.tx[k] = s.u[k]! - (s.re[k]! * s.x[k]! - s.im[k]! * s.y[k]!);
    s.ty[k] = s.v[k]! - (s.im[k]! * s.x[k]! + s.re[k]! * s.y[k]!);
    s.logScale[k] = Math.log(scale);
    s.turn[k] = turn;
  }
  return s;
}

/** Distance of two angles, 0..pi. */
export function angleBetween(a: number, b: number): number {
  const turn = Math.abs(a - b) % WHOLE_TURN;
  return turn > Math.PI ? WHOLE_TURN - turn : turn;
}

function turnBin(turn: number): number {
  return Math.floor((turn / WHOLE_TURN) * TURN_BINS) & (TURN_BINS - 1);
}

/** Pairs bin by bin of their turn: those of bin `b` are `pair[start[b]]` to `pair[start[b + 1] - 1]`. */
interface TurnOrder {
  readonly start: Int32Array;
  readonly pair: Int32Array;
}

function orderByTurn(turn: Float64Array): TurnOrder {
  const start = new Int32Array(TURN_BINS + 1);
  for (let k = 0; k < turn.length; k += 1) start[turnBin(turn[k]!) + 1]! += 1;
  for (let bin = 0; bin < TURN_BINS; bin += 1) start[bin + 1]! += start[bin]!;
  const next = start.slice();
  const pair = new Int32Array(turn.length);
  for (let k = 0; k < turn.length; k += 1) {
    const bin = turnBin(turn[k]!);
    pair[next[bin]!] = k;
    next[bin]! += 1;
  }
  return { start, pair };
}

/** How many of `pair[from]` to `pair[to - 1]` agree with the hypothesis of pair `h`. */
function agreeingAmong(
  h: number,
  pair: Int32Array,
  from: number,
  to: number,
  reach: number,
  s: Similarities,
): number {
  const { x, y, u, v, logScale, turn } = s;
  const [re, im, tx, ty] = [s.re[h]!, s.im[h]!, s.tx[h]!, s.ty[h]!];
  let agreeing = 0;
  for (let slot = from; slot < to; slot += 1) {
    const k = pair[slot]!;
    const ex = re * x[k]! - im * y[k]! + tx - u[k]!;
    const ey = im * x[k]! + re * y[k]! + ty - v[k]!;
    if (ex * ex + ey * ey >= reach) continue;
    if (Math.abs(logScale[k]! - logScale[h]!) >= logScaleError) continue;
    if (angleBetween(turn[k]!, turn[h]!) < angleError) agreeing += 1;
  }
  return agreeing;
}

/** Pairs that agree with the hypothesis of pair `h`. Only those that lie near it in turn are looked at. */
function votesFor(h: number, { start, pair }: TurnOrder, reach: number, s: Similarities): number {
  const bin = turnBin(s.turn[h]!);
  const [first, last] = [bin - BIN_REACH, bin + BIN_REACH];
  const among = (from: number, to: number): number =>
    agreeingAmong(h, pair, start[Math.max(0, from)]!, start[Math.min(TURN_BINS, to)]!, reach, s);
  let agreeing = among(first, last + 1);
  if (first < 0) agreeing += among(first + TURN_BINS, TURN_BINS);
  if (last >= TURN_BINS) agreeing += among(0, last - TURN_BINS + 1);
  return agreeing;
}

/**
 * The `most` strongest similarity hypotheses, strongest first. Each is one pair's own, its strength the number of pairs
 * that agree with it: within `reach` pixels of the original, about as large, turned about as far. Of equal ones the
 * lower pair goes first.
 *
 * @throws {RangeError} for 65,536 pairs or more
 */
export function strongestHypotheses(pairs: Pairs, s: Similarities, reach: number, most: number): number[] {
  if (pairs.count >= RADIX) throw new RangeError("Too many pairs of points.");
  const order = orderByTurn(s.turn);
  const byDistance = new Uint32Array(pairs.count);
  for (let k = 0; k < pairs.count; k += 1) byDistance[k] = pairs.distance[k]! * RADIX + k;
  const nearest = byDistance.toSorted().subarray(0, MAX_HYPOTHESES);
  const byVotes = nearest.map((key) => {
    const h = key % RADIX;
    return (RADIX - 1 - votesFor(h, order, reach ** 2, s)) * RADIX + h;
  });
  return Array.from(byVotes.toSorted().subarray(0, most))
    .filter((key) => RADIX - 1 - Math.floor(key / RADIX) >= MIN_VOTES)
    .map((key) => key % RADIX);
}
