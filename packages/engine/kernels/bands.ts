// The bands of a query laid on an original's map: the same float64 steps, in the same order, as the reference.

function mirrored(index: i32, length: i32): i32 {
  if (length == 1) return 0;
  const period = 2 * (length - 1);
  const folded = ((index % period) + period) % period;
  return folded < length ? folded : period - folded;
}

function promoted(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at));
}

function storeDemoted(at: usize, low: v128, high: v128): void {
  v128.store(at, v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5));
}

/**
 * Gaussian blur of a float32 plane, separable, borders reflected, summed in float64. `taps`: radius + 1 float64,
 * outermost first. `rows` and `target` take up to 12 bytes past their end, `padded` holds width + 2 radius + 4 float64.
 */
export function blurPlane(
  source: usize,
  target: usize,
  width: i32,
  height: i32,
  taps: usize,
  radius: i32,
  rows: usize,
  padded: usize,
): void {
  const far = (<usize>radius) << 4;
  for (let y = 0; y < height; y += 1) {
    const own = source + ((<usize>(y * width)) << 2);
    for (let x = -radius; x < width + radius; x += 1) {
      const column = x >= 0 && x < width ? x : mirrored(x, width);
      store<f64>(padded + ((<usize>(x + radius)) << 3), <f64>load<f32>(own + ((<usize>column) << 2)));
    }
    const middle = f64x2.splat(load<f64>(taps + ((<usize>radius) << 3)));
    for (let x = 0; x < width; x += 4) {
      const from = padded + ((<usize>x) << 3);
      const centre = from + (far >> 1);
      let low = f64x2.mul(middle, v128.load(centre));
      let high = f64x2.mul(middle, v128.load(centre, 16));
      for (let k: usize = 0; k < far >> 1; k += 8) {
        const weight = f64x2.splat(load<f64>(taps + k));
        low = f64x2.add(low, f64x2.mul(weight, f64x2.add(v128.load(from + k), v128.load(from + far - k))));
        high = f64x2.add(
          high,
          f64x2.mul(weight, f64x2.add(v128.load(from + k, 16), v128.load(from + far - k, 16))),
        );
      }
      storeDemoted(rows + ((<usize>(y * width + x)) << 2), low, high);
    }
  }
  // From here on `padded` holds where the rows above and below start.
  for (let y = 0; y < height; y += 1) {
    for (let k = 0; k <= radius; k += 1) {
      const starts = padded + ((<usize>k) << 3);
      store<u32>(starts, <u32>(rows + ((<usize>(mirrored(y + k - radius, height) * width)) << 2)));
      store<u32>(starts, <u32>(rows + ((<usize>(mirrored(y + radius - k, height) * width)) << 2)), 4);
    }
    for (let x = 0; x < width; x += 4) {
      let low = f64x2.splat(0);
      let high = f64x2.splat(0);
      for (let k = 0; k <= radius; k += 1) {
        const tap = load<f64>(taps + ((<usize>k) << 3));
        const weight = f64x2.splat(k == radius ? tap / 2 : tap);
        const starts = padded + ((<usize>k) << 3);
        const above = <usize>load<u32>(starts) + ((<usize>x) << 2);
        const below = <usize>load<u32>(starts, 4) + ((<usize>x) << 2);
        low = f64x2.add(low, f64x2.mul(weight, f64x2.add(promoted(above), promoted(below))));
        high = f64x2.add(high, f64x2.mul(weight, f64x2.add(promoted(above + 8), promoted(below + 8))));
      }
      storeDemoted(target + ((<usize>(y * width + x)) << 2), low, high);
    }
  }
}

/** `target` = `from` - `less`, cell by cell; up to 12 bytes past its end are written. */
export function subtractPlane(from: usize, less: usize, target: usize, count: i32): void {
  const bytes = (<usize>count) << 2;
  for (let at: usize = 0; at < bytes; at += 16) {
    const low = f64x2.sub(promoted(from + at), promoted(less + at));
    const high = f64x2.sub(promoted(from + at + 8), promoted(less + at + 8));
    storeDemoted(target + at, low, high);
  }
}
