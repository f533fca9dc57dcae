/** Lanes of `value` that no sample of the row triple around `at` exceeds (sign by sign), given the lanes still in play. */
function survivors(value: v128, positive: v128, alive: v128, at: usize, stride: usize, own: bool): v128 {
  let most = f32x4.pmax(v128.load(at - stride - 4), v128.load(at - stride));
  let least = f32x4.pmin(v128.load(at - stride - 4), v128.load(at - stride));
  most = f32x4.pmax(most, v128.load(at - stride + 4));
  least = f32x4.pmin(least, v128.load(at - stride + 4));
  most = f32x4.pmax(most, f32x4.pmax(v128.load(at - 4), v128.load(at + 4)));
  least = f32x4.pmin(least, f32x4.pmin(v128.load(at - 4), v128.load(at + 4)));
  most = f32x4.pmax(most, f32x4.pmax(v128.load(at + stride - 4), v128.load(at + stride)));
  least = f32x4.pmin(least, f32x4.pmin(v128.load(at + stride - 4), v128.load(at + stride)));
  most = f32x4.pmax(most, v128.load(at + stride + 4));
  least = f32x4.pmin(least, v128.load(at + stride + 4));
  if (!own) {
    most = f32x4.pmax(most, v128.load(at));
    least = f32x4.pmin(least, v128.load(at));
  }
  return v128.and(alive, v128.bitselect(f32x4.ge(value, most), f32x4.le(value, least), positive));
}

/**
 * Writes the indices (int32) of samples of `own` that exceed the threshold and are extreme among their 26 neighbours,
 * row by row; returns how many, at most `limit`.
 */
export function findCandidates(
  below: usize,
  own: usize,
  above: usize,
  width: i32,
  height: i32,
  border: i32,
  threshold: f32,
  target: usize,
  limit: i32,
): i32 {
  const stride = (<usize>width) << 2;
  const faint = f32x4.splat(threshold);
  const zero = f32x4.splat(0);
  let found = 0;
  for (let row = border; row < height - border; row++) {
    for (let column = border; column < width - border; column += 4) {
      const index = row * width + column;
      const at = (<usize>index) << 2;
      const value = v128.load(own + at);
      let alive = f32x4.gt(f32x4.abs(value), faint);
      if (!v128.any_true(alive)) continue;
      const positive = f32x4.gt(value, zero);
      // Most samples already fail against their two neighbours in the row.
      const before = v128.load(own + at - 4);
      const after = v128.load(own + at, 4);
      const beside = v128.bitselect(
        f32x4.ge(value, f32x4.pmax(before, after)),
        f32x4.le(value, f32x4.pmin(before, after)),
        positive,
      );
      alive = v128.and(alive, beside);
      if (!v128.any_true(alive)) continue;
      alive = survivors(value, positive, alive, own + at, stride, true);
      if (!v128.any_true(alive)) continue;
      alive = survivors(value, positive, alive, below + at, stride, false);
      if (!v128.any_true(alive)) continue;
      alive = survivors(value, positive, alive, above + at, stride, false);
      let lanes = i32x4.bitmask(alive);
      const inside = width - border - column;
      if (inside < 4) lanes &= (1 << inside) - 1;
      while (lanes != 0) {
        if (found == limit) return found;
        store<i32>(target + ((<usize>found) << 2), index + ctz(lanes));
        found++;
        lanes &= lanes - 1;
      }
    }
  }
  return found;
}
