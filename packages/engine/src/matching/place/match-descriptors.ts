import type { Features } from "../../features/features.ts";
import { LIMITS } from "../limits.ts";
import { NEAREST_STRIDE, nearestTwo } from "../../features/nearest-two.ts";

const { near, ratio, slack } = LIMITS.descriptors;

/** From this distance on every second nearest is far enough for any nearest. */
const FAR = Math.floor((near - slack) / ratio) + 1;

/** Pairs of points: `original[k]` of the original goes with `query[k]` of the query, `distance[k]` bits apart. */
export interface Pairs {
  readonly count: number;
  readonly original: Int32Array;
  readonly query: Int32Array;
  readonly distance: Uint8Array;
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
    if (nearest > near || nearest >= ratio * second + slack) continue;
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
