import type { Features } from "../features.ts";

/** Greatest distance, of 128 bits, at which two descriptors may be one point. */
export const NEAR = 34;
/** The nearest must be clearly nearer than the second: d < RATIO x d2 + RATIO_SLACK. */
const RATIO = 0.92;
const RATIO_SLACK = 1;
const ABSENT = 129;

/** Pairs of points: `original[k]` of the original goes with `query[k]` of the query, `distance[k]` bits apart. */
export interface Pairs {
  readonly count: number;
  readonly original: Int32Array;
  readonly query: Int32Array;
  readonly distance: Uint8Array;
}

/** Number of differing bits of descriptor `i` of `a` and descriptor `j` of `b`. */
export function hamming(a: Uint32Array, i: number, b: Uint32Array, j: number): number {
  let v0 = a[4 * i]! ^ b[4 * j]!;
  let v1 = a[4 * i + 1]! ^ b[4 * j + 1]!;
  let v2 = a[4 * i + 2]! ^ b[4 * j + 2]!;
  let v3 = a[4 * i + 3]! ^ b[4 * j + 3]!;
  v0 -= (v0 >>> 1) & 0x55555555;
  v1 -= (v1 >>> 1) & 0x55555555;
  v2 -= (v2 >>> 1) & 0x55555555;
  v3 -= (v3 >>> 1) & 0x55555555;
  const low = (v0 & 0x33333333) + ((v0 >>> 2) & 0x33333333) + (v1 & 0x33333333) + ((v1 >>> 2) & 0x33333333);
  const high = (v2 & 0x33333333) + ((v2 >>> 2) & 0x33333333) + (v3 & 0x33333333) + ((v3 >>> 2) & 0x33333333);
  const bytes =
    (low & 0x0f0f0f0f) + ((low >>> 4) & 0x0f0f0f0f) + (high & 0x0f0f0f0f) + ((high >>> 4) & 0x0f0f0f0f);
  return Math.imul(bytes, 0x01010101) >>> 24;
}

/** For every query point its nearest point of the original, where it is near and distinctly nearer than the second nearest. */
export function matchDescriptors(original: Features, query: Features): Pairs {
  const pairs = {
    original: new Int32Array(query.count),
    query: new Int32Array(query.count),
    distance: new Uint8Array(query.count),
  };
  let count = 0;
  for (let j = 0; j < query.count; j += 1) {
    let nearest = ABSENT;
    let second = ABSENT;
    let at = -1;
    for (let i = 0; i < original.count; i += 1) {
      const distance = hamming(original.bits, i, query.bits, j);
      if (distance < nearest) {
        second = nearest;
        nearest = distance;
        at = i;
      } else if (distance < second) second = distance;
    }
    if (nearest > NEAR || nearest >= RATIO * second + RATIO_SLACK) continue;
    pairs.original[count] = at;
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
