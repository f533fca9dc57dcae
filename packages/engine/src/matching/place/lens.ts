import type { Features } from "../../features/features.ts";
import type { Luma } from "../../image/luma.ts";
import { sampleLinear } from "../../image/resample.ts";
import { type PointPairs, fitHomography } from "../../geometry/fit.ts";
import { applyMap } from "../../geometry/planar-map.ts";
import { LIMITS } from "../limits.ts";

/*
 * Radial distortion about the centre of the query, by the division model (A. Fitzgibbon, "Simultaneous linear
 * estimation of multiple view geometry and lens distortion", CVPR 2001): what lies r from the centre of the bent
 * picture lies r / (1 + strength r r) from that of the straight one; r in half diagonals. One number for the whole
 * picture: it follows a lens profile, or a lens, and no parallax.
 */

const { greatest, coarseStep, fineStep, least, explained, points: MOST_POINTS, tolerance } = LIMITS.lens;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The centre of a picture, and by what a squared distance in pixels is multiplied to be one in half diagonals. */
function frameOf({ width, height }: Size): {
  readonly cx: number;
  readonly cy: number;
  readonly unit: number;
} {
  return { cx: (width - 1) / 2, cy: (height - 1) / 2, unit: 4 / (width * width + height * height) };
}

/** Where places of the bent picture lie in the straight one. */
function straightenPositions<Column extends Float32Array | Float64Array>(
  x: Column,
  y: Column,
  size: Size,
  strength: number,
): { readonly x: Column; readonly y: Column } {
  const { cx, cy, unit } = frameOf(size);
  const straight = { x: x.slice() as Column, y: y.slice() as Column };
  for (let k = 0; k < x.length; k += 1) {
    const [dx, dy] = [x[k]! - cx, y[k]! - cy];
    const divisor = 1 + strength * (dx * dx + dy * dy) * unit;
    straight.x[k] = cx + dx / divisor;
    straight.y[k] = cy + dy / divisor;
  }
  return straight;
}

/** Median distance of the pairs after the best homography; infinite without one. */
function errorOf(pairs: PointPairs): number {
  const map = fitHomography(pairs, tolerance);
  if (map === null) return Number.POSITIVE_INFINITY;
  const errors = pairs.px.map((x, k) => {
    const at = applyMap(map, x, pairs.py[k]!);
    return Math.hypot(at.x - pairs.qx[k]!, at.y - pairs.qy[k]!);
  });
  return errors.toSorted()[errors.length >> 1]!;
}

function thinned(pairs: PointPairs): PointPairs {
  const step = Math.ceil(pairs.count / MOST_POINTS);
  const take = (values: Float64Array): Float64Array => values.filter((_, k) => k % step === 0);
  const px = take(pairs.px);
  return { count: px.length, px, py: take(pairs.py), qx: take(pairs.qx), qy: take(pairs.qy) };
}

/**
 * The strength of the distortion that the query shows against the original, from pairs of points, pixels of a query
 * raster of the given size against pixels of the original's; null when no distortion explains the pairs distinctly
 * better than none.
 */
export function lensStrength(points: PointPairs, size: Size): number | null {
  const pairs = thinned(points);
  const none = errorOf(pairs);
  let best = { strength: 0, error: none };
  const attempt = (strength: number): void => {
    const { x: px, y: py } = straightenPositions(pairs.px, pairs.py, size, strength);
    const error = errorOf({ ...pairs, px, py });
    if (error < best.error) best = { strength, error };
  };
  for (let strength = -greatest; strength <= greatest; strength += coarseStep) attempt(strength);
  const from = best.strength;
  for (let offset = -coarseStep; offset <= coarseStep; offset += fineStep) attempt(from + offset);
  return Math.abs(best.strength) >= least && best.error < explained * none ? best.strength : null;
}

/** The same points where they lie in the straight picture. */
export function straightenFeatures(features: Features, strength: number): Features {
  return { ...features, ...straightenPositions(features.x, features.y, features, strength) };
}

/** The straight picture, of the same size, sampled bilinearly; edges held. The caller owns it. */
export function straightenLuma(luma: Luma, strength: number): Luma {
  const { width, height } = luma;
  const { cx, cy, unit } = frameOf({ width, height });
  const straight = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const square = ((x - cx) ** 2 + (y - cy) ** 2) * unit;
      const times = bentTimes(strength, square);
      straight[at] = Math.floor(sampleLinear(luma, cx + (x - cx) * times, cy + (y - cy) * times) + 0.5);
    }
  }
  return { width, height, data: straight };
}

/** The inverse of the division: by what a straight place's distance, its square given, is multiplied to bend it. */
export function bentTimes(strength: number, square: number): number {
  const product = strength * square;
  if (Math.abs(product) < 1e-6) return 1;
  return (1 - Math.sqrt(Math.max(0, 1 - 4 * product))) / (2 * product);
}
