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

// The four weights of a Catmull-Rom sample, `t` the distance from the second of them.
function firstWeight(t: v128): v128 {
  const slope = f64x2.add(f64x2.mul(f64x2.splat(-0.5), t), f64x2.splat(1));
  return f64x2.mul(f64x2.sub(f64x2.mul(slope, t), f64x2.splat(0.5)), t);
}
function secondWeight(t: v128): v128 {
  const slope = f64x2.sub(f64x2.mul(f64x2.splat(1.5), t), f64x2.splat(2.5));
  return f64x2.add(f64x2.mul(f64x2.mul(slope, t), t), f64x2.splat(1));
}
function thirdWeight(t: v128): v128 {
  const slope = f64x2.add(f64x2.mul(f64x2.splat(-1.5), t), f64x2.splat(2));
  return f64x2.mul(f64x2.add(f64x2.mul(slope, t), f64x2.splat(0.5)), t);
}
function fourthWeight(t: v128): v128 {
  const half = f64x2.splat(0.5);
  return f64x2.mul(f64x2.mul(f64x2.sub(f64x2.mul(half, t), half), t), t);
}

/** Both lanes the first number of a pair, or the second. */
function firstTwice(pair: v128): v128 {
  return v128.shuffle<f64>(pair, pair, 0, 0);
}
function secondTwice(pair: v128): v128 {
  return v128.shuffle<f64>(pair, pair, 1, 1);
}

/** Two rows of four samples, each row times the four weights across: lane by lane one row's sum. */
function rowPair(upper: v128, lower: v128, w0: v128, w1: v128, w2: v128, w3: v128): v128 {
  const left = v128.shuffle<f32>(upper, lower, 0, 4, 1, 5);
  const right = v128.shuffle<f32>(upper, lower, 2, 6, 3, 7);
  let sum = f64x2.mul(w0, f64x2.promote_low_f32x4(left));
  sum = f64x2.add(sum, f64x2.mul(w1, f64x2.promote_low_f32x4(v128.shuffle<f32>(left, left, 2, 3, 2, 3))));
  sum = f64x2.add(sum, f64x2.mul(w2, f64x2.promote_low_f32x4(right)));
  return f64x2.add(sum, f64x2.mul(w3, f64x2.promote_low_f32x4(v128.shuffle<f32>(right, right, 2, 3, 2, 3))));
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

/** Catmull-Rom samples of a part of a plane at two places of the whole plane, a lane each; coordinates outside take the border. */
function samplePair(
  part: usize,
  stride: i32,
  partLeft: i32,
  partTop: i32,
  planeWidth: i32,
  planeHeight: i32,
  x: v128,
  y: v128,
): v128 {
  const fx = f64x2.floor(x);
  const fy = f64x2.floor(y);
  const columns = i32x4.trunc_sat_f64x2_s_zero(fx);
  const rows = i32x4.trunc_sat_f64x2_s_zero(fy);
  const x0 = i32x4.extract_lane(columns, 0);
  const x1 = i32x4.extract_lane(columns, 1);
  const y0 = i32x4.extract_lane(rows, 0);
  const y1 = i32x4.extract_lane(rows, 1);
  const isInner =
    min(x0, x1) >= 1 && min(y0, y1) >= 1 && max(x0, x1) < planeWidth - 2 && max(y0, y1) < planeHeight - 2;
  if (!isInner) {
    const one = sampleAnywhere(
      part,
      stride,
      partLeft,
      partTop,
      planeWidth,
      planeHeight,
      f64x2.extract_lane(x, 0),
      f64x2.extract_lane(y, 0),
    );
    const other = sampleAnywhere(
      part,
      stride,
      partLeft,
      partTop,
      planeWidth,
      planeHeight,
      f64x2.extract_lane(x, 1),
      f64x2.extract_lane(y, 1),
    );
    return f64x2.replace_lane(f64x2.splat(one), 1, other);
  }
  const across = f64x2.sub(x, fx);
  const a = firstWeight(across);
  const b = secondWeight(across);
  const c = thirdWeight(across);
  const d = fourthWeight(across);
  const step = (<usize>stride) << 2;
  const at = part + ((<usize>((y0 - 1 - partTop) * stride + (x0 - 1 - partLeft))) << 2);
  const to = part + ((<usize>((y1 - 1 - partTop) * stride + (x1 - 1 - partLeft))) << 2);
  const oneUpper = rowPair(
    v128.load(at),
    v128.load(at + step),
    firstTwice(a),
    firstTwice(b),
    firstTwice(c),
    firstTwice(d),
  );
  const oneLower = rowPair(
    v128.load(at + 2 * step),
    v128.load(at + 3 * step),
    firstTwice(a),
    firstTwice(b),
    firstTwice(c),
    firstTwice(d),
  );
  const otherUpper = rowPair(
    v128.load(to),
    v128.load(to + step),
    secondTwice(a),
    secondTwice(b),
    secondTwice(c),
    secondTwice(d),
  );
  const otherLower = rowPair(
    v128.load(to + 2 * step),
    v128.load(to + 3 * step),
    secondTwice(a),
    secondTwice(b),
    secondTwice(c),
    secondTwice(d),
  );
  const down = f64x2.sub(y, fy);
  let sum = f64x2.mul(firstWeight(down), v128.shuffle<f64>(oneUpper, otherUpper, 0, 2));
  sum = f64x2.add(sum, f64x2.mul(secondWeight(down), v128.shuffle<f64>(oneUpper, otherUpper, 1, 3)));
  sum = f64x2.add(sum, f64x2.mul(thirdWeight(down), v128.shuffle<f64>(oneLower, otherLower, 0, 2)));
  return f64x2.add(sum, f64x2.mul(fourthWeight(down), v128.shuffle<f64>(oneLower, otherLower, 1, 3)));
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
  const m0 = v128.load64_splat(map),
    m1 = load<f64>(map, 8),
    m2 = v128.load64_splat(map, 16);
  const m3 = v128.load64_splat(map, 24),
    m4 = load<f64>(map, 32),
    m5 = v128.load64_splat(map, 40);
  const m6 = v128.load64_splat(map, 48),
    m7 = load<f64>(map, 56),
    m8 = v128.load64_splat(map, 64);
  const half = f64x2.splat(0.5);
  const least = f64x2.splat(-0.5);
  const sx = f64x2.splat(<f64>planeWidth / <f64>queryWidth);
  const sy = f64x2.splat(<f64>planeHeight / <f64>queryHeight);
  const lastX = f64x2.splat(<f64>queryWidth - 0.5);
  const lastY = f64x2.splat(<f64>queryHeight - 0.5);
  const quarters = f64x2.replace_lane(f64x2.splat(-0.25), 1, 0.25);
  const line = (<usize>(width + 1)) << 2;
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    let cell = inside + <usize>(y + 1) * line + 4;
    for (let x = 0; x < width; x += 1) {
      const u = f64x2.add(f64x2.splat(<f64>(left + x)), quarters);
      let sum: f64 = 0;
      let within = v128.splat<i32>(-1);
      for (let below = 0; below < 2; below += 1) {
        const v = <f64>(top + y) + (below ? 0.25 : -0.25);
        const w = f64x2.add(f64x2.add(f64x2.mul(m6, u), f64x2.splat(m7 * v)), m8);
        const qx = f64x2.div(f64x2.add(f64x2.add(f64x2.mul(m0, u), f64x2.splat(m1 * v)), m2), w);
        const qy = f64x2.div(f64x2.add(f64x2.add(f64x2.mul(m3, u), f64x2.splat(m4 * v)), m5), w);
        within = v128.and(within, v128.and(f64x2.ge(qx, least), f64x2.ge(qy, least)));
        within = v128.and(within, v128.and(f64x2.le(qx, lastX), f64x2.le(qy, lastY)));
        const pair = samplePair(
          part,
          stride,
          partLeft,
          partTop,
          planeWidth,
          planeHeight,
          f64x2.sub(f64x2.mul(f64x2.add(qx, half), sx), half),
          f64x2.sub(f64x2.mul(f64x2.add(qy, half), sy), half),
        );
        sum += f64x2.extract_lane(pair, 0);
        sum += f64x2.extract_lane(pair, 1);
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

const BLOCK = 12;
const NIBBLES: usize = 36;
const BITS: usize = 16;
/** Bytes of one row of sums of four neighbours under one pattern of signs. */
const LINE: usize = 64;

/** All sums of four signed neighbours: row by row, pattern by pattern, `LINE` bytes each. */
function tabulate(patch: usize, side: i32, table: usize): void {
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side - 3; x += 2) {
      const at = patch + ((<usize>(y * side + x)) << 2);
      const a = promoted(at),
        b = promoted(at + 4),
        c = promoted(at + 8),
        d = promoted(at + 12);
      const to = table + <usize>y * BITS * LINE + ((<usize>x) << 2);
      for (let signs = 0; signs < 16; signs += 1) {
        let sum = signs & 1 ? f64x2.neg(a) : a;
        sum = f64x2.add(sum, signs & 2 ? f64x2.neg(b) : b);
        sum = f64x2.add(sum, signs & 4 ? f64x2.neg(c) : c);
        sum = f64x2.add(sum, signs & 8 ? f64x2.neg(d) : d);
        v128.store64_lane(to + <usize>signs * LINE, f32x4.demote_f64x2_zero(sum), 0);
      }
    }
  }
}

/** The sum of a row's three groups of four under their signs, at two neighbouring shifts. */
function rowSum(row: usize, nibbles: usize, shift: usize): v128 {
  const a = promoted(row + <usize>load<u8>(nibbles) * LINE + shift);
  const b = promoted(row + <usize>load<u8>(nibbles, 1) * LINE + 16 + shift);
  const c = promoted(row + <usize>load<u8>(nibbles, 2) * LINE + 32 + shift);
  return f64x2.add(f64x2.add(a, b), c);
}

/**
 * Products of a block's projection pairs at every shift of up to `radius` cells, as the reference orders them. `table` holds (BLOCK + 2 radius) x 16
 * x `LINE` bytes; `products` takes up to 4 bytes past its end.
 */
export function projectPatch(patch: usize, radius: i32, nibbles: usize, table: usize, products: usize): void {
  const side = BLOCK + 2 * radius;
  const reach = 2 * radius + 1;
  tabulate(patch, side, table);
  let to = products;
  for (let bit: usize = 0; bit < BITS; bit += 1) {
    const first = nibbles + bit * NIBBLES;
    const second = nibbles + (bit + BITS) * NIBBLES;
    for (let dy = 0; dy < reach; dy += 1) {
      for (let dx = 0; dx < reach; dx += 2) {
        const shift = (<usize>dx) << 2;
        let one = f64x2.splat(0);
        let other = f64x2.splat(0);
        let row = table + <usize>dy * BITS * LINE;
        for (let n: usize = 0; n < NIBBLES; n += 3) {
          one = f64x2.add(one, rowSum(row, first + n, shift));
          other = f64x2.add(other, rowSum(row, second + n, shift));
          row += BITS * LINE;
        }
        v128.store64_lane(to + shift, f32x4.demote_f64x2_zero(f64x2.mul(one, other)), 0);
      }
      to += (<usize>reach) << 2;
    }
  }
}
