/**
 * The local features of one raster: DoG keypoints with their binarised RootSIFT descriptors.
 *
 * Structure of arrays; index `i` is one keypoint, strongest first. Positions and sizes are in pixels of the
 * working raster (pixel centres at integers), angles in radians, counted as OpenCV's SIFT does (y down).
 */
export interface Features {
  /** Working raster, pixels. */
  readonly width: number;
  readonly height: number;
  readonly count: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Diameter of the described neighbourhood's scale (OpenCV's `KeyPoint.size`). */
  readonly size: Float32Array;
  readonly angle: Float32Array;
  readonly response: Float32Array;
  /**
   * 128 bits a point: four uint32, bit i of the descriptor is bit (i & 31) of word (i >> 5); set when the
   * RootSIFT value is greater than threshold i.
   *
   * The thresholds are constant over the mirror and inversion permutations (threshold i is the mean of the trained
   * medians at i, M i, I i and MI i, with M new[y][x][o] = old[3-y][x][(8-o) mod 8] and I new[y][x][o] =
   * old[3-y][3-x][o]). So a mirrored or inverted descriptor is the same permutation of the bits, and matching
   * needs one set of bits only.
   */
  readonly bits: Uint32Array;
}
