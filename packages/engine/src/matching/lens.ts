import type { Features, Luma } from "../features.ts";
import { type PointPairs, fitHomography } from "./least-squares.ts";

/*
 * Radial distortion about the centre of the query, by the division model (A. Fitzgibbon, "Simultaneous linear estimation of multiple
 * view geometry and lens distortion", CVPR 2001): what lies r from the centre of the bent picture lies r / (1 + strength r r)
 * from that of the straight one; r in half diagonals. One number for the whole picture: it follows a lens profile, or a lens, and
 * no parallax.
 */

/** Strengths tried at first, and how finely the best of them is then searched. */
const GREATEST = 0.4;
const COARSE_STEP = 0.04;
const FINE_STEP = 0.005;
/** Distortion below this moves nothing by as much as a block can follow by itself. */
const LEAST = 0.01;
/** A lens must leave at most this share of the error that the points show without one. */
const EXPLAINED = 0.7;
/** Points that the search looks at. */
const MOST_POINTS = 160;
/** Width of the robust fit, pixels of the original's raster. */
const TOLERANCE = 1;

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
function straightenPlaces<Column extends Float32Array | Float64Array>(
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
  const map = fitHomography(pairs, TOLERANCE);
  if (map === null) return Number.POSITIVE_INFINITY;
  const errors = pairs.px.map((x, k) => {
    const y = pairs.py[k]!;
    const w = map[6]! * x + map[7]! * y + map[8]!;
    return Math.hypot(
      (map[0]! * x + map[1]! * y + map[2]!) / w - pairs.qx[k]!,
      (map[3]! * x + map[4]! * y + map[5]!) / w - pairs.qy[k]!,
    );
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
 * The strength of the distortion that the query shows against the original, from pairs of points, pixels of a query raster of the
 * given size against pixels of the original's; null when no distortion explains the pairs distinctly better than none.
 */
export function lensStrength(points: PointPairs, size: Size): number | null {
  const pairs = thinned(points);
  const none = errorOf(pairs);
  let best = { strength: 0, error: none };
  const attempt = (strength: number): void => {
    const { x: px, y: py } = straightenPlaces(pairs.px, pairs.py, size, strength);
    const error = errorOf({ ...pairs, px, py });
    if (error < best.error) best = { strength, error };
  };
  for (let strength = -GREATEST; strength <= GREATEST; strength += COARSE_STEP) attempt(strength);
  const from = best.strength;
  for (let offset = -COARSE_STEP; offset <= COARSE_STEP; offset += FINE_STEP) attempt(from + offset);
  return Math.abs(best.strength) >= LEAST && best.error < EXPLAINED * none ? best.strength : null;
}

/** The same points where they lie in the straight picture. */
export function straightenFeatures(features: Features, strength: number): Features {
  return { ...features, ...straightenPlaces(features.x, features.y, features, strength) };
}

/** The straight picture, of the same size, sampled bilinearly; edges held. The caller owns it. */
export function straightenLuma({ width, height, data }: Luma, strength: number): Luma {
  const { cx, cy, unit } = frameOf({ width, height });
  const straight = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const square = ((x - cx) ** 2 + (y - cy) ** 2) * unit;
      const times = bentTimes(strength, square);
      const sx = Math.min(width - 1, Math.max(0, cx + (x - cx) * times));
      const sy = Math.min(height - 1, Math.max(0, cy + (y - cy) * times));
      const [x0, y0] = [Math.min(width - 2, Math.floor(sx)), Math.min(height - 2, Math.floor(sy))];
      const [tx, ty] = [sx - x0, sy - y0];
      const corner = y0 * width + x0;
      const above = data[corner]! * (1 - tx) + data[corner + 1]! * tx;
      const below = data[corner + width]! * (1 - tx) + data[corner + width + 1]! * tx;
      straight[at] = Math.floor(above * (1 - ty) + below * ty + 0.5);
    }
  }
  return { width, height, data: straight };
}

/** The inverse of the division: by what a straight place's distance, its square given, is multiplied to bend it. */
function bentTimes(strength: number, square: number): number {
  const product = strength * square;
  if (Math.abs(product) < 1e-6) return 1;
  return (1 - Math.sqrt(Math.max(0, 1 - 4 * product))) / (2 * product);
}
