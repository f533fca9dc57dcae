import type { Features } from "../features.ts";
import { NEAREST_STRIDE, nearestTwo } from "../vector/nearest-two.ts";

/** Greatest distance, of 128 bits, at which two descriptors may be one point. */
const NEAR = 34;
/** The nearest must be clearly nearer than the second: d < RATIO x d2 + RATIO_SLACK. */
const RATIO = 0.92;
const RATIO_SLACK = 1;
/** From this distance on every second nearest is far enough for any nearest. */
const FAR = Math.floor((NEAR - RATIO_SLACK) / RATIO) + 1;

/** Pairs of points: `original[k]` of the original goes with `query[k]` of the query, `distance[k]` bits apart. */
export interface Pairs {
  readonly count: number;
  readonly original: Int32Array;
  readonly query: Int32Array;
  readonly distance: Uint8Array;
}

/** Number of ones in four 32-bit words. */
function ones(a: number, b: number, c: number, d: number): number {
  const v0 = a - ((a >>> 1) & 0x55555555);
  const v1 = b - ((b >>> 1) & 0x55555555);
  const v2 = c - ((c >>> 1) & 0x55555555);
  const v3 = d - ((d >>> 1) & 0x55555555);
  const low = (v0 & 0x33333333) + ((v0 >>> 2) & 0x33333333) + (v1 & 0x33333333) + ((v1 >>> 2) & 0x33333333);
  const high = (v2 & 0x33333333) + ((v2 >>> 2) & 0x33333333) + (v3 & 0x33333333) + ((v3 >>> 2) & 0x33333333);
  const bytes =
    (low & 0x0f0f0f0f) + ((low >>> 4) & 0x0f0f0f0f) + (high & 0x0f0f0f0f) + ((high >>> 4) & 0x0f0f0f0f);
  return Math.imul(bytes, 0x01010101) >>> 24;
}

/** Number of differing bits of descriptor `i` of `a` and descriptor `j` of `b`. */
export function hamming(a: Uint32Array, i: number, b: Uint32Array, j: number): number {
  const [p, q] = [4 * i, 4 * j];
  return ones(a[p]! ^ b[q]!, a[p + 1]! ^ b[q + 1]!, a[p + 2]! ^ b[q + 2]!, a[p + 3]! ^ b[q + 3]!);
}

/** For every query point its nearest point of the original, where it is near and distinctly nearer than the second nearest. */
export function matchDescriptors(original: Features, query: Features): Pairs {
  const pairs = {
    original: new Int32Array(query.count),
    query: new Int32Array(query.count),
    distance: new Uint8Array(query.count),
  };
  let count = 0;
  const found = nearestTwo(query.bits, original.bits, FAR);
  for (let j = 0; j < query.count; j += 1) {
    const nearest = found[NEAREST_STRIDE * j + 1]!;
    const second = found[NEAREST_STRIDE * j + 2]!;
    if (nearest > NEAR || nearest >= RATIO * second + RATIO_SLACK) continue;
    pairs.original[count] = found[NEAREST_STRIDE * j]!;
    pairs.query[count] = j;
    pairs.distance[count] = nearest;
    count += 1;
  }
  return {
    count,
    original: pairs.original.subarray(0, count),
    query: pairs.query.subarray(0, count),
    distance: pairs.distance.subarray(0, count),
  };
}
