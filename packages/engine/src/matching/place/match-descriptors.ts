import { BITS_STRIDE } from "../../features/binarise.ts";
import type { StoredOriginal } from "../../packet/original.ts";
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

/**
 * For every query point its nearest point of the original, where it is near and distinctly nearer than the second
 * nearest.
 */
export function matchDescriptors(original: Pick<Features, "bits">, query: Features): Pairs {
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

/** The same for a stored original, by the points of its main raster. */
export function ownPairs({ features }: StoredOriginal, query: Features): Pairs {
  return matchDescriptors(features, query);
}

/**
 * The same by all that it is placed by, numbered as in `placing`. Points of its main raster and of its small ones show
 * the same spots: they are nearest or second nearest among themselves.
 */
export function allPairs(original: StoredOriginal, query: Features): Pairs {
  const { features, placing } = original;
  const own = ownPairs(original, query);
  const small = matchDescriptors({ bits: placing.bits.subarray(BITS_STRIDE * features.count) }, query);
  return {
    count: own.count + small.count,
    original: Int32Array.of(...own.original, ...small.original.map((i) => i + features.count)),
    query: Int32Array.of(...own.query, ...small.query),
    distance: Uint8Array.of(...own.distance, ...small.distance),
  };
}
