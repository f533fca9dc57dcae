import type { Features } from "../../features/features.ts";
import type { PointPairs } from "../../geometry/fit.ts";
import type { PlanarMap } from "../../geometry/planar-map.ts";
import { LIMITS } from "../limits.ts";

const { cell } = LIMITS.placement;

/** A placement of the original in the query (in one of its variants) that several pairs of points agree on. */
export interface Placement {
  /** Inliers, counted by the distinct cells that they occupy in whichever of the two pictures has fewer. */
  readonly inliers: number;
  /** Query raster to original raster. */
  readonly map: PlanarMap;
  /** The inliers, `original[k]` with `query[k]`. */
  readonly original: Int32Array;
  readonly query: Int32Array;
}

/** Points `i[k]` of the original and `j[k]` of the query as positions: query raster to original raster. */
export function pointPairs(original: Features, query: Features, i: Int32Array, j: Int32Array): PointPairs {
  const column = (): Float64Array => new Float64Array(i.length);
  const pairs = { count: i.length, px: column(), py: column(), qx: column(), qy: column() };
  for (let k = 0; k < i.length; k += 1) {
    pairs.px[k] = query.x[j[k]!]!;
    pairs.py[k] = query.y[j[k]!]!;
    pairs.qx[k] = original.x[i[k]!]!;
    pairs.qy[k] = original.y[i[k]!]!;
  }
  return pairs;
}

/**
 * How many cells of `LIMITS.placement.cell` pixels the points occupy. A straightened query's may lie outside its
 * raster.
 */
function distinctCells({ x, y, height }: Features, points: Int32Array): number {
  const rows = 4 * Math.ceil(height / cell);
  return new Set(Array.from(points, (k) => Math.floor(x[k]! / cell) * rows + Math.floor(y[k]! / cell))).size;
}

/** The placement that a map and its inliers are. */
export function withInliers(
  map: PlanarMap,
  original: Features,
  query: Features,
  i: Int32Array,
  j: Int32Array,
): Placement {
  return {
    inliers: Math.min(distinctCells(original, i), distinctCells(query, j)),
    map,
    original: i,
    query: j,
  };
}
