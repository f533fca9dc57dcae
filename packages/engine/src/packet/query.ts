import type { Features } from "../features/features.ts";
import type { Luma } from "../image/luma.ts";

/** Nearest words kept for each query point, nearest first. */
export const PROBES_PER_POINT = 4;

/** What the examination of a query leaves for matching. */
export interface Query {
  /** At most 4,500 points, those of each raster in the order in which they ask; positions in the main raster. */
  readonly features: Features;
  /**
   * `count x PROBES_PER_POINT` words, nearest first, stop-listed or not; -1 where there is none, as of a raster's later
   * points.
   */
  readonly probes: Int32Array;
  /** The oriented picture, area-shrunk to at most `COMPARISON_SIDE`, never enlarged. */
  readonly luma: Luma;
  /** `cosineTerms` of it. */
  readonly terms: Float64Array;
  /** `jpegQuantisation` of the posted bytes. */
  readonly quantisation: number;
}
