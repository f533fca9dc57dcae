// Laying a query on an original's map and reading its blocks: the same float64 steps, in the same order, as the reference.

/** A sample beyond the inner part of the plane, where the border is repeated. */
function borderSample(
  part: usize,
  stride: i32,
  partLeft: i32,
  partTop: i32,
  planeWidth: i32,
  planeHeight: i32,
  x0: i32,
  y0: i32,
  a: v128,
  b: v128,
  c: v128,
  d: v128,
): f64 {
  let sum: f64 = 0;
  for (let r = 0; r < 4; r += 1) {
    const row = min(planeHeight - 1, max(0, y0 - 1 + r)) - partTop;
    const wy =
      r == 0
        ? f64x2.extract_lane(a, 1)
        : r == 1
          ? f64x2.extract_lane(b, 1)
          : r == 2
            ? f64x2.extract_lane(c, 1)
            : f64x2.extract_lane(d, 1);
    for (let k = 0; k < 4; k += 1) {
      const column = min(planeWidth - 1, max(0, x0 - 1 + k)) - partLeft;
      const wx =
        k == 0
          ? f64x2.extract_lane(a, 0)
          : k == 1
            ? f64x2.extract_lane(b, 0)
            : k == 2
              ? f64x2.extract_lane(c, 0)
              : f64x2.extract_lane(d, 0);
      sum += wy * wx * <f64>load<f32>(part + ((<usize>(row * stride + column)) << 2));
    }
  }
  return sum;
}

/** Numbers twice each: loading them costs less than building them in every step. */
const numbers: usize = memory.data<f64>(
  [-0.5, -0.5, 0.5, 0.5, 1, 1, 1.5, 1.5, 2, 2, 2.5, 2.5, -1.5, -1.5, -0.25, 0.25],
  16,
);
const QUARTERS: usize = 112;

function minusHalf(): v128 {
  return v128.load(numbers);
}
function half(): v128 {
  return v128.load(numbers, 16);
}
function one(): v128 {
  return v128.load(numbers, 32);
}

// The four weights of a Catmull-Rom sample, `t` the distance from the second of them.
function firstWeight(t: v128): v128 {
  const slope = f64x2.add(f64x2.mul(minusHalf(), t), one());
  return f64x2.mul(f64x2.sub(f64x2.mul(slope, t), half()), t);
}
function secondWeight(t: v128): v128 {
  const slope = f64x2.sub(f64x2.mul(v128.load(numbers, 48), t), v128.load(numbers, 80));
  return f64x2.add(f64x2.mul(f64x2.mul(slope, t), t), one());
}
function thirdWeight(t: v128): v128 {
  const slope = f64x2.add(f64x2.mul(v128.load(numbers, 96), t), v128.load(numbers, 64));
  return f64x2.mul(f64x2.add(f64x2.mul(slope, t), half()), t);
}
function fourthWeight(t: v128): v128 {
  return f64x2.mul(f64x2.mul(f64x2.sub(f64x2.mul(half(), t), half()), t), t);
}

/** One row of four samples of each of two places, times the weights across: lane by lane one place's sum. */
function rowOf(here: v128, there: v128, a: v128, b: v128, c: v128, d: v128): v128 {
  const left = v128.shuffle<f32>(here, there, 0, 4, 1, 5);
  const right = v128.shuffle<f32>(here, there, 2, 6, 3, 7);
  let sum = f64x2.mul(a, f64x2.promote_low_f32x4(left));
  sum = f64x2.add(sum, f64x2.mul(b, f64x2.promote_low_f32x4(v128.shuffle<f32>(left, left, 2, 3, 2, 3))));
  sum = f64x2.add(sum, f64x2.mul(c, f64x2.promote_low_f32x4(right)));
  return f64x2.add(sum, f64x2.mul(d, f64x2.promote_low_f32x4(v128.shuffle<f32>(right, right, 2, 3, 2, 3))));
}

/** A sample whose place may lie near the border of the plane, or beyond it. */
function sampleAnywhere(
  part: usize,
  stride: i32,
  partLeft: i32,
  partTop: i32,
  planeWidth: i32,
  planeHeight: i32,
  x: f64,
  y: f64,
): f64 {
  const cx = min(<f64>(planeWidth - 1), max(0.0, x));
  const cy = min(<f64>(planeHeight - 1), max(0.0, y));
  if (cx != cx || cy != cy) return NaN;
  const fx = floor(cx);
  const fy = floor(cy);
  // Weights across in the first lane, down in the second.
  const t = f64x2.replace_lane(f64x2.splat(cx - fx), 1, cy - fy);
  return borderSample(
    part,
    stride,
    partLeft,
    partTop,
    planeWidth,
    planeHeight,
    <i32>fx,
    <i32>fy,
    firstWeight(t),
    secondWeight(t),
    thirdWeight(t),
    fourthWeight(t),
  );
}

/** Catmull-Rom samples at two places, a lane each, four rows of four from `here` and `there` on; `across` and `down`: from the second of them. */
function innerPair(here: usize, there: usize, step: usize, across: v128, down: v128): v128 {
  const a = firstWeight(across);
  const b = secondWeight(across);
  const c = thirdWeight(across);
  const d = fourthWeight(across);
  let sum = f64x2.mul(firstWeight(down), rowOf(v128.load(here), v128.load(there), a, b, c, d));
  here += step;
  there += step;
  sum = f64x2.add(sum, f64x2.mul(secondWeight(down), rowOf(v128.load(here), v128.load(there), a, b, c, d)));
  here += step;
  there += step;
  sum = f64x2.add(sum, f64x2.mul(thirdWeight(down), rowOf(v128.load(here), v128.load(there), a, b, c, d)));
  here += step;
  there += step;
  return f64x2.add(sum, f64x2.mul(fourthWeight(down), rowOf(v128.load(here), v128.load(there), a, b, c, d)));
}

/**
 * Samples a plane on a window of an original's map, four samples a cell. `map`: nine float64, cells to query pixels; `part`: the rows and
 * columns of the plane from (partLeft, partTop) on that are at hand, every sample's among them; `inside`: zeroed, becomes the summed-area table of the
 * cells within the query, (width + 1) x (height + 1).
 */
export function sampleWindow(
  part: usize,
  stride: i32,
  partLeft: i32,
  partTop: i32,
  planeWidth: i32,
  planeHeight: i32,
  queryWidth: i32,
  queryHeight: i32,
  map: usize,
  left: i32,
  top: i32,
  width: i32,
  height: i32,
  data: usize,
  inside: usize,
): void {
  const m1 = load<f64>(map, 8),
    m4 = load<f64>(map, 32),
    m7 = load<f64>(map, 56);
  const m0 = v128.load64_splat(map),
    m2 = v128.load64_splat(map, 16),
    m3 = v128.load64_splat(map, 24);
  const m5 = v128.load64_splat(map, 40),
    m6 = v128.load64_splat(map, 48),
    m8 = v128.load64_splat(map, 64);
  const sx = f64x2.splat(<f64>planeWidth / <f64>queryWidth);
  const sy = f64x2.splat(<f64>planeHeight / <f64>queryHeight);
  const lastX = f64x2.splat(<f64>queryWidth - 0.5);
  const lastY = f64x2.splat(<f64>queryHeight - 0.5);
  // Places from 1 to here, without it, have all that they are sampled from within the plane, and lie within the query.
  const endX = f64x2.splat(<f64>(planeWidth - 2));
  const endY = f64x2.splat(<f64>(planeHeight - 2));
  const step = (<usize>stride) << 2;
  const line = (<usize>(width + 1)) << 2;
  for (let y = 0; y < height; y += 1) {
    const above = <f64>(top + y) - 0.25;
    const below = <f64>(top + y) + 0.25;
    let row = 0;
    let cell = inside + <usize>(y + 1) * line + 4;
    for (let x = 0; x < width; x += 1) {
      const u = f64x2.add(f64x2.splat(<f64>(left + x)), v128.load(numbers + QUARTERS));
      const acrossX = f64x2.mul(m0, u);
      const acrossY = f64x2.mul(m3, u);
      const acrossW = f64x2.mul(m6, u);
      let sum: f64 = 0;
      let within = v128.splat<i32>(-1);
      for (let v = above; v <= below; v += 0.5) {
        const w = f64x2.add(f64x2.add(acrossW, f64x2.splat(m7 * v)), m8);
        const qx = f64x2.div(f64x2.add(f64x2.add(acrossX, f64x2.splat(m1 * v)), m2), w);
        const qy = f64x2.div(f64x2.add(f64x2.add(acrossY, f64x2.splat(m4 * v)), m5), w);
        const px = f64x2.sub(f64x2.mul(f64x2.add(qx, half()), sx), half());
        const py = f64x2.sub(f64x2.mul(f64x2.add(qy, half()), sy), half());
        const isInner = v128.and(
          v128.and(f64x2.ge(px, one()), f64x2.ge(py, one())),
          v128.and(f64x2.lt(px, endX), f64x2.lt(py, endY)),
        );
        if (v128.all_true<i64>(isInner)) {
          const fx = f64x2.floor(px);
          const fy = f64x2.floor(py);
          const columns = i32x4.trunc_sat_f64x2_s_zero(fx);
          const rows = i32x4.trunc_sat_f64x2_s_zero(fy);
          const here = (i32x4.extract_lane(rows, 0) - 1 - partTop) * stride + i32x4.extract_lane(columns, 0);
          const there = (i32x4.extract_lane(rows, 1) - 1 - partTop) * stride + i32x4.extract_lane(columns, 1);
          const pair = innerPair(
            part + ((here - 1 - partLeft) << 2),
            part + ((there - 1 - partLeft) << 2),
            step,
            f64x2.sub(px, fx),
            f64x2.sub(py, fy),
          );
          sum += f64x2.extract_lane(pair, 0);
          sum += f64x2.extract_lane(pair, 1);
          continue;
        }
        within = v128.and(within, v128.and(f64x2.ge(qx, minusHalf()), f64x2.ge(qy, minusHalf())));
        within = v128.and(within, v128.and(f64x2.le(qx, lastX), f64x2.le(qy, lastY)));
        for (let lane = 0; lane < 2; lane += 1) {
          sum += sampleAnywhere(
            part,
            stride,
            partLeft,
            partTop,
            planeWidth,
            planeHeight,
            lane ? f64x2.extract_lane(px, 1) : f64x2.extract_lane(px, 0),
            lane ? f64x2.extract_lane(py, 1) : f64x2.extract_lane(py, 0),
          );
        }
      }
      store<f32>(data + ((<usize>(y * width + x)) << 2), <f32>(sum / 4));
      if (v128.all_true<i64>(within)) row += 1;
      store<i32>(cell, load<i32>(cell - line) + row);
      cell += 4;
    }
  }
}

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
 * Gaussian blur of a float32 plane, separable, borders reflected, summed in float64. `taps`: radius + 1 float64, outermost first. `rows`
 * and `target` take up to 12 bytes past their end, `padded` holds width + 2 radius + 4 float64.
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
