import type { PointPairs } from "../../geometry/fit.ts";
import { rescaleAll } from "../../geometry/rescale.ts";
import type { Luma } from "../../image/luma.ts";
import type { Query } from "../../packet/query.ts";
import type { ResidualLayer } from "../../signature/block-signature.ts";
import type { PlacedCandidate } from "../place/place-candidate.ts";
import { pointPairs } from "../place/placement.ts";

/** Where query and original show the same: pixels of the query's luma against cells of a layer's map. */
export type Correspondences = (layer: ResidualLayer) => PointPairs;

/** Those of a placement: its inliers. */
export function placementCorrespondences(
  query: Pick<Query, "features" | "luma">,
  { candidate, placement }: PlacedCandidate,
): Correspondences {
  const { placing: features } = candidate.original;
  const points = pointPairs(features, query.features, placement.original, placement.query);
  return (layer) => ({
    count: points.count,
    px: rescaleAll(points.px, query.features.width, query.luma.width),
    py: rescaleAll(points.py, query.features.height, query.luma.height),
    qx: rescaleAll(points.qx, features.width, layer.width),
    qy: rescaleAll(points.qy, features.height, layer.height),
  });
}

/** Points across and down that stand for the whole picture. */
const GRID = 3;

/** Those of a query that is the whole original in the given turn. */
export function wholeCorrespondences({ width, height }: Luma, turn: number): Correspondences {
  const places = Array.from({ length: GRID * GRID }, (_, k) => ({
    x: ((k % GRID) + 0.5) / GRID,
    y: (Math.floor(k / GRID) + 0.5) / GRID,
  }));
  const turned = places.map(({ x, y }) => {
    const across = turn & 1 ? 1 - x : x;
    const down = turn & 2 ? 1 - y : y;
    return turn & 4 ? { x: down, y: across } : { x: across, y: down };
  });
  return (layer) => ({
    count: places.length,
    px: Float64Array.from(places, ({ x }) => x * width - 0.5),
    py: Float64Array.from(places, ({ y }) => y * height - 0.5),
    qx: Float64Array.from(turned, ({ x }) => x * layer.width - 0.5),
    qy: Float64Array.from(turned, ({ y }) => y * layer.height - 0.5),
  });
}
