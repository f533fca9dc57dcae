import type { Features } from "../../features/features.ts";
import { hamming } from "../../features/hamming.ts";
import { applyMap } from "../../geometry/planar-map.ts";
import { angleBetween } from "./hypotheses.ts";
import { LIMITS } from "../limits.ts";
import { type Placement, withInliers } from "./placement.ts";

const limits = LIMITS.placement;
const { from, enough, distance: MAX_DISTANCE } = LIMITS.guided;

/**
 * Looks for all points where a placement predicts them, near in description but not necessarily nearer than any other: a
 * picture with repeated detail, or with few points, fails the ratio test in true places too. A placement with too few inliers for
 * that, or enough of them, stays as it is.
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
  const reach = side ** 2;
  const found: [number, number][] = [];
  for (let j = 0; j < query.count; j += 1) {
    const { x, y } = applyMap(map, query.x[j]!, query.y[j]!);
    if (x < -side || y < -side || x > original.width + side || y > original.height + side) continue;
    let nearest = MAX_DISTANCE + 1;
    let at = -1;
    for (let i = 0; i < original.count; i += 1) {
      if ((x - original.x[i]!) ** 2 + (y - original.y[i]!) ** 2 >= reach) continue;
      if (Math.abs(Math.log(original.size[i]! / query.size[j]!) - logScale) >= limits.logScaleError) continue;
      if (angleBetween(original.angle[i]! - query.angle[j]!, turn) >= limits.angleError) continue;
      const distance = hamming(original.bits, i, query.bits, j);
      if (distance < nearest) {
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
