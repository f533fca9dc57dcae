import type { Features } from "../../features/features.ts";
import { hamming } from "../../features/hamming.ts";
import { applyMap } from "../../geometry/planar-map.ts";
import { angleBetween } from "./hypotheses.ts";
import { LIMITS } from "../limits.ts";
import { type Placement, withInliers } from "./placement.ts";

const limits = LIMITS.placement;
const { from, enough, distance: MAX_DISTANCE } = LIMITS.guided;

/**
 * Looks for all points where a placement predicts them, near in description but not necessarily nearer than any other:
 * a picture with repeated detail, or with few points, fails the ratio test in true places too. A placement with too few
 * inliers for that, or enough of them, stays as it is.
 */
export function matchGuided(
  placement: Placement,
  original: Features,
  query: Features,
  logScale: number,
  turn: number,
): Placement {
  if (placement.inliers < from || placement.inliers >= enough) return placement;
  const { map } = placement;
  const side = limits.toleranceOfFit * limits.tolerance * Math.max(original.width, original.height);
  const reach = side * side;
  const across = acrossOf(original);
  // A little more than is asked for, whatever is rounded.
  const width = side + 1;
  const found: [number, number][] = [];
  for (let j = 0; j < query.count; j += 1) {
    const { x, y } = applyMap(map, query.x[j]!, query.y[j]!);
    if (x < -side || y < -side || x > original.width + side || y > original.height + side) continue;
    let nearest = MAX_DISTANCE + 1;
    let at = -1;
    for (let k = firstFrom(across.x, x - width); k < original.count && across.x[k]! <= x + width; k += 1) {
      const i = across.point[k]!;
      const [dx, dy] = [x - original.x[i]!, y - original.y[i]!];
      if (dx * dx + dy * dy >= reach) continue;
      if (Math.abs(Math.log(original.size[i]! / query.size[j]!) - logScale) >= limits.logScaleError) continue;
      if (angleBetween(original.angle[i]! - query.angle[j]!, turn) >= limits.angleError) continue;
      const distance = hamming(original.bits, i, query.bits, j);
      if (distance < nearest || (distance === nearest && i < at)) {
        nearest = distance;
        at = i;
      }
    }
    if (at >= 0) found.push([at, j]);
  }
  const extended = withInliers(
    map,
    original,
    query,
    Int32Array.from(found, ([i]) => i),
    Int32Array.from(found, ([, j]) => j),
  );
  return extended.inliers > placement.inliers ? extended : placement;
}

/** Points from left to right, and where each is. */
interface Across {
  readonly point: Uint16Array;
  readonly x: Float32Array;
}

function acrossOf({ x, count }: Features): Across {
  const point = Uint16Array.from({ length: count }, (_, i) => i).toSorted((a, b) => x[a]! - x[b]!);
  return { point, x: Float32Array.from(point, (i) => x[i]!) };
}

/** The first of ascending numbers that is not below `least`; their count when all are. */
function firstFrom(ascending: Float32Array, least: number): number {
  let [first, end] = [0, ascending.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    if (ascending[middle]! < least) first = middle + 1;
    else end = middle;
  }
  return first;
}
