/**
 * Three rows of the differences at each scale, one below the other, are enough to tell the extrema of the middle one.
 */
const ROWS: i32 = 3;

/** The greatest and the least of the three samples around each lane in a row. */
function greatest(at: usize): v128 {
  return i16x8.max_s(i16x8.max_s(v128.load(at - 2), v128.load(at)), v128.load(at, 2));
}

function least(at: usize): v128 {
  return i16x8.min_s(i16x8.min_s(v128.load(at - 2), v128.load(at)), v128.load(at, 2));
}

/** Lanes still in play whose value no sample around it in the three rows of one scale exceeds (sign by sign). */
function survivors(value: v128, positive: v128, alive: v128, up: usize, row: usize, down: usize): v128 {
  const high = i16x8.max_s(i16x8.max_s(greatest(up), greatest(row)), greatest(down));
  const low = i16x8.min_s(i16x8.min_s(least(up), least(row)), least(down));
  return v128.and(alive, v128.bitselect(i16x8.ge_s(value, high), i16x8.le_s(value, low), positive));
}

/** One row of the difference of two layers; up to 14 bytes are written past its end. */
function subtractRow(left: usize, right: usize, target: usize, width: i32): void {
  for (let at: usize = 0; at < (<usize>width) << 1; at += 16) {
    v128.store(target + at, i16x8.sub(v128.load(left + at), v128.load(right + at)));
  }
}

/**
 * Writes, for each scale but the outermost, the indices (int32) of samples of the difference of neighbouring layers
 * that exceed the threshold and are extreme among their 26 neighbours, row by row, at most `limit` a scale.
 *
 * @param layers pointers of `layerCount` layers of one octave
 * @param rows `rowStride` bytes for each of three rows of `layerCount - 1` differences; a stride has 16 bytes to spare
 * @param targets `limit` indices a scale
 * @param counts how many were written (int32), a scale
 */
export function findCandidates(
  layers: usize,
  layerCount: i32,
  width: i32,
  height: i32,
  border: i32,
  threshold: i32,
  rows: usize,
  rowStride: usize,
  targets: usize,
  limit: i32,
  counts: usize,
): void {
  const scales = layerCount - 1;
  const ring = rowStride * <usize>ROWS;
  memory.fill(counts, 0, (<usize>(scales - 2)) << 2);
  let ready = border - 1;
  for (let row = border; row < height - border; row += 1) {
    for (; ready <= row + 1; ready += 1) {
      const from = (<usize>(ready * width)) << 1;
      const to = rows + <usize>(ready % ROWS) * rowStride;
      for (let scale = 0; scale < scales; scale += 1) {
        const layer = layers + ((<usize>scale) << 2);
        const target = to + <usize>scale * ring;
        subtractRow(load<usize>(layer, 4) + from, load<usize>(layer) + from, target, width);
      }
    }
    const up = rows + <usize>((row - 1) % ROWS) * rowStride;
    const middle = rows + <usize>(row % ROWS) * rowStride;
    const down = rows + <usize>((row + 1) % ROWS) * rowStride;
    for (let scale = 1; scale < scales - 1; scale += 1) {
      const own = <usize>scale * ring;
      const count = counts + ((<usize>(scale - 1)) << 2);
      const target = targets + ((<usize>((scale - 1) * limit)) << 2);
      const found = load<i32>(count);
      store<i32>(
        count,
        searchRow(
          up + own,
          middle + own,
          down + own,
          ring,
          row * width,
          border,
          width - border,
          threshold,
          target,
          found,
          limit,
        ),
      );
    }
  }
}

/**
 * Searches one row of one scale; its neighbours lie `ring` bytes before and after. Returns how many were found so far.
 */
function searchRow(
  up: usize,
  middle: usize,
  down: usize,
  ring: usize,
  first: i32,
  left: i32,
  right: i32,
  threshold: i32,
  target: usize,
  found: i32,
  limit: i32,
): i32 {
  const faint = i16x8.splat(<i16>threshold);
  const zero = i64x2.splat(0);
  for (let column = left; column < right; column += 8) {
    const at = (<usize>column) << 1;
    const value = v128.load(middle + at);
    const positive = i16x8.gt_s(value, zero);
    let alive = i16x8.gt_s(i16x8.abs(value), faint);
    // The whole of the own scale before the first branch: no part of it alone is settled often enough to be foretold.
    alive = survivors(value, positive, alive, up + at, middle + at, down + at);
    if (!v128.any_true(alive)) continue;
    alive = survivors(value, positive, alive, up + at - ring, middle + at - ring, down + at - ring);
    if (!v128.any_true(alive)) continue;
    alive = survivors(value, positive, alive, up + at + ring, middle + at + ring, down + at + ring);
    let lanes = i16x8.bitmask(alive);
    if (right - column < 8) lanes &= (1 << (right - column)) - 1;
    for (; lanes != 0; lanes &= lanes - 1) {
      if (found == limit) return found;
      store<i32>(target + ((<usize>found) << 2), first + column + ctz(lanes));
      found += 1;
    }
  }
  return found;
}

/** Steps of one refinement, and the largest ratio of the principal curvatures. */
const REFINE_STEPS: i32 = 5;
const EDGE: f64 = 10;
/** What differences of samples are multiplied with, for luma 0..1. */
const UNIT: f64 = 1.0 / (255.0 * 128.0);
/** Bytes of one refined extremum: layer, row and column, then the offsets from them, then the response (float64). */
const REFINED: usize = 56;

/** The nearest whole number, of two the greater, as JavaScript rounds. */
function rounded(x: f64): i32 {
  const above = ceil(x);
  return <i32>(above - 0.5 > x ? above - 1 : above);
}

/** The difference of two neighbouring layers at a sample. */
function difference(finer: usize, coarser: usize, at: usize): f64 {
  return <f64>(<i32>load<i16>(coarser + at) - <i32>load<i16>(finer + at));
}

/**
 * Follows one sample to its sub-pixel extremum and writes that to `target`; false for a weak, edge-like or fleeing one.
 */
function refine(
  layers: usize,
  scales: i32,
  width: i32,
  height: i32,
  border: i32,
  layer: i32,
  row: i32,
  column: i32,
  contrast: f64,
  target: usize,
): bool {
  const w = (<usize>width) << 1;
  for (let step = 0; step < REFINE_STEPS; step += 1) {
    const at = (<usize>(row * width + column)) << 1;
    const first = layers + ((<usize>(layer - 1)) << 2);
    const l0 = load<usize>(first);
    const l1 = load<usize>(first, 4);
    const l2 = load<usize>(first, 8);
    const l3 = load<usize>(first, 12);
    const value = difference(l1, l2, at);
    const twice = 2 * value;
    const left = difference(l1, l2, at - 2);
    const right = difference(l1, l2, at + 2);
    const up = difference(l1, l2, at - w);
    const down = difference(l1, l2, at + w);
    const below = difference(l0, l1, at);
    const above = difference(l2, l3, at);
    const gx = (right - left) * 0.5 * UNIT;
    const gy = (down - up) * 0.5 * UNIT;
    const gs = (above - below) * 0.5 * UNIT;
    const xx = (right + left - twice) * UNIT;
    const yy = (down + up - twice) * UNIT;
    const ss = (above + below - twice) * UNIT;
    const xy =
      (difference(l1, l2, at + w + 2) -
        difference(l1, l2, at + w - 2) -
        difference(l1, l2, at - w + 2) +
        difference(l1, l2, at - w - 2)) *
      0.25 *
      UNIT;
    const xs =
      (difference(l2, l3, at + 2) -
        difference(l2, l3, at - 2) -
        difference(l0, l1, at + 2) +
        difference(l0, l1, at - 2)) *
      0.25 *
      UNIT;
    const ys =
      (difference(l2, l3, at + w) -
        difference(l2, l3, at - w) -
        difference(l0, l1, at + w) +
        difference(l0, l1, at - w)) *
      0.25 *
      UNIT;
    // Newton step to the peak of the fitted quadratic, by Cramer's rule.
    const minorX = yy * ss - ys * ys;
    const minorY = xy * ss - ys * xs;
    const minorS = xy * ys - yy * xs;
    const volume = xx * minorX - xy * minorY + xs * minorS;
    if (volume == 0) return false;
    const dx = -(gx * minorX - xy * (gy * ss - ys * gs) + xs * (gy * ys - yy * gs)) / volume;
    const dy = -(xx * (gy * ss - ys * gs) - gx * minorY + xs * (xy * gs - gy * xs)) / volume;
    const ds = -(xx * (yy * gs - gy * ys) - xy * (xy * gs - gy * xs) + gx * minorS) / volume;
    if (abs(dx) < 0.5 && abs(dy) < 0.5 && abs(ds) < 0.5) {
      const response = abs(value * UNIT + 0.5 * (gx * dx + gy * dy + gs * ds));
      const trace = xx + yy;
      const determinant = xx * yy - xy * xy;
      if (response * <f64>(scales - 2) < contrast) return false;
      if (determinant <= 0 || trace * trace * EDGE >= (EDGE + 1) * (EDGE + 1) * determinant) return false;
      store<f64>(target, <f64>layer);
      store<f64>(target, <f64>row, 8);
      store<f64>(target, <f64>column, 16);
      store<f64>(target, dx, 24);
      store<f64>(target, dy, 32);
      store<f64>(target, ds, 40);
      store<f64>(target, response, 48);
      return true;
    }
    // Not a number, or far outside: the comparisons below hold of neither.
    const nextColumn = <f64>column + dx;
    const nextRow = <f64>row + dy;
    const nextLayer = <f64>layer + ds;
    if (!(nextColumn > 0 && nextColumn < <f64>width && nextRow > 0 && nextRow < <f64>height)) return false;
    if (!(nextLayer > 0 && nextLayer < <f64>scales)) return false;
    column += rounded(dx);
    row += rounded(dy);
    layer += rounded(ds);
    if (layer < 1 || layer > scales - 2) return false;
    if (column < border || column >= width - border || row < border || row >= height - border) return false;
  }
  return false;
}

/**
 * Refines `count` samples (indices, int32) of one layer, with the reference's float64 steps, and writes what becomes of
 * them, 56 bytes each. Returns how many are left.
 *
 * @param layers pointers of `layerCount` layers of one octave
 */
export function refineExtrema(
  layers: usize,
  layerCount: i32,
  width: i32,
  height: i32,
  border: i32,
  layer: i32,
  indices: usize,
  count: i32,
  contrast: f64,
  target: usize,
): i32 {
  let kept = 0;
  for (let i = 0; i < count; i += 1) {
    const at = load<i32>(indices + ((<usize>i) << 2));
    const to = target + <usize>kept * REFINED;
    if (refine(layers, layerCount - 1, width, height, border, layer, at / width, at % width, contrast, to)) {
      kept += 1;
    }
  }
  return kept;
}
