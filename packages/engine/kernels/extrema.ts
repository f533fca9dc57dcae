/** Three rows of the differences at each scale, one below the other, are enough to tell the extrema of the middle one. */
const ROWS: i32 = 3;

/** The greatest and the least of the three samples around each lane in a row. */
function greatest(at: usize): v128 {
  return f32x4.pmax(f32x4.pmax(v128.load(at - 4), v128.load(at)), v128.load(at, 4));
}

function least(at: usize): v128 {
  return f32x4.pmin(f32x4.pmin(v128.load(at - 4), v128.load(at)), v128.load(at, 4));
}

/** Lanes still in play whose value no sample around it in the three rows of one scale exceeds (sign by sign). */
function survivors(value: v128, positive: v128, alive: v128, up: usize, row: usize, down: usize): v128 {
  const high = f32x4.pmax(f32x4.pmax(greatest(up), greatest(row)), greatest(down));
  const low = f32x4.pmin(f32x4.pmin(least(up), least(row)), least(down));
  return v128.and(alive, v128.bitselect(f32x4.ge(value, high), f32x4.le(value, low), positive));
}

/** One row of the difference of two layers; up to 12 bytes are written past its end. */
function subtractRow(left: usize, right: usize, target: usize, width: i32): void {
  for (let at: usize = 0; at < (<usize>width) << 2; at += 16) {
    v128.store(target + at, f32x4.sub(v128.load(left + at), v128.load(right + at)));
  }
}

/**
 * Writes, for each scale but the outermost, the indices (int32) of samples of the difference of neighbouring layers that exceed
 * the threshold and are extreme among their 26 neighbours, row by row, at most `limit` a scale.
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
  threshold: f32,
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
  for (let row = border; row < height - border; row++) {
    for (; ready <= row + 1; ready++) {
      const from = (<usize>(ready * width)) << 2;
      const to = rows + <usize>(ready % ROWS) * rowStride;
      for (let scale = 0; scale < scales; scale++) {
        const layer = layers + ((<usize>scale) << 2);
        const target = to + <usize>scale * ring;
        subtractRow(load<usize>(layer, 4) + from, load<usize>(layer) + from, target, width);
      }
    }
    const up = rows + <usize>((row - 1) % ROWS) * rowStride;
    const middle = rows + <usize>(row % ROWS) * rowStride;
    const down = rows + <usize>((row + 1) % ROWS) * rowStride;
    for (let scale = 1; scale < scales - 1; scale++) {
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

/** Searches one row of one scale; its neighbours lie `ring` bytes before and after. Returns how many were found so far. */
function searchRow(
  up: usize,
  middle: usize,
  down: usize,
  ring: usize,
  first: i32,
  left: i32,
  right: i32,
  threshold: f32,
  target: usize,
  found: i32,
  limit: i32,
): i32 {
  const faint = f32x4.splat(threshold);
  const zero = f32x4.splat(0);
  for (let column = left; column < right; column += 4) {
    const at = (<usize>column) << 2;
    const value = v128.load(middle + at);
    const positive = f32x4.gt(value, zero);
    let alive = f32x4.gt(f32x4.abs(value), faint);
    // The whole of the own scale before the first branch: no part of it alone is settled often enough to be foretold.
    alive = survivors(value, positive, alive, up + at, middle + at, down + at);
    if (!v128.any_true(alive)) continue;
    alive = survivors(value, positive, alive, up + at - ring, middle + at - ring, down + at - ring);
    if (!v128.any_true(alive)) continue;
    alive = survivors(value, positive, alive, up + at + ring, middle + at + ring, down + at + ring);
    let lanes = i32x4.bitmask(alive);
    if (right - column < 4) lanes &= (1 << (right - column)) - 1;
    for (; lanes != 0; lanes &= lanes - 1) {
      if (found == limit) return found;
      store<i32>(target + ((<usize>found) << 2), first + column + ctz(lanes));
      found++;
    }
  }
  return found;
}
