// Laying a query on an original's map: places in float64, values in float32, the same steps in the same order as the
// reference.

/** Numbers as often as a vector holds them: loading them costs less than building them in every step. */
const doubles: usize = memory.data<f64>(
  [1, 1, -0.25, 0.25, 4503599627370496, 4503599627370496, 0, 1, 2, 2],
  16,
);
const singles: usize = memory.data<f32>(
  [
    -0.5, -0.5, -0.5, -0.5, 0.5, 0.5, 0.5, 0.5, 1, 1, 1, 1, 1.5, 1.5, 1.5, 1.5, 2, 2, 2, 2, 2.5, 2.5, 2.5,
    2.5, -1.5, -1.5, -1.5, -1.5,
  ],
  16,
);

/** Whole numbers from 0 to 2^31 as integers in the lower half of each lane. */
function toIntegers(whole: v128): v128 {
  return f64x2.add(whole, v128.load(doubles, 32));
}

// Where the four samples of a cell are taken from: pointers of the first of their 16 values, and bytes from row to row.
// Values beyond a border are gathered in `gathered`, 16 for each sample; derived from the picture until cleared.
const starts: usize = memory.data(16, 16);
const steps: usize = memory.data(16, 16);
const gathered: usize = memory.data(4 * 64, 16);

// The four Catmull-Rom weights, `t` the distance from the second of them.
function firstWeight(t: v128): v128 {
  const slope = f32x4.add(f32x4.mul(v128.load(singles), t), v128.load(singles, 32));
  return f32x4.mul(f32x4.sub(f32x4.mul(slope, t), v128.load(singles, 16)), t);
}
function secondWeight(t: v128): v128 {
  const slope = f32x4.sub(f32x4.mul(v128.load(singles, 48), t), v128.load(singles, 80));
  return f32x4.add(f32x4.mul(f32x4.mul(slope, t), t), v128.load(singles, 32));
}
function thirdWeight(t: v128): v128 {
  const slope = f32x4.add(f32x4.mul(v128.load(singles, 96), t), v128.load(singles, 64));
  return f32x4.mul(f32x4.add(f32x4.mul(slope, t), v128.load(singles, 16)), t);
}
function fourthWeight(t: v128): v128 {
  const slope = f32x4.sub(f32x4.mul(v128.load(singles, 16), t), v128.load(singles, 16));
  return f32x4.mul(f32x4.mul(slope, t), t);
}

/** Four columns of four values, each the sum of its values under the weights down. */
function sumColumns(sample: usize, a: v128, b: v128, c: v128, d: v128): v128 {
  const step = load<usize>(steps + sample);
  let at = load<usize>(starts + sample);
  let sum = f32x4.mul(a, v128.load(at));
  at += step;
  sum = f32x4.add(sum, f32x4.mul(b, v128.load(at)));
  at += step;
  sum = f32x4.add(sum, f32x4.mul(c, v128.load(at)));
  at += step;
  return f32x4.add(sum, f32x4.mul(d, v128.load(at)));
}

/** Four samples, each `across` and `down` from the second of its values: lane by lane one of them. */
function fourSamples(across: v128, down: v128): v128 {
  const a = firstWeight(down);
  const b = secondWeight(down);
  const c = thirdWeight(down);
  const d = fourthWeight(down);
  const p = firstWeight(across);
  const q = secondWeight(across);
  const r = thirdWeight(across);
  const s = fourthWeight(across);
  // The weighted columns of each sample: lane by lane one column...
  const first = sumColumns(
    0,
    v128.shuffle<f32>(a, a, 0, 0, 0, 0),
    v128.shuffle<f32>(b, b, 0, 0, 0, 0),
    v128.shuffle<f32>(c, c, 0, 0, 0, 0),
    v128.shuffle<f32>(d, d, 0, 0, 0, 0),
  );
  const second = sumColumns(
    4,
    v128.shuffle<f32>(a, a, 1, 1, 1, 1),
    v128.shuffle<f32>(b, b, 1, 1, 1, 1),
    v128.shuffle<f32>(c, c, 1, 1, 1, 1),
    v128.shuffle<f32>(d, d, 1, 1, 1, 1),
  );
  const third = sumColumns(
    8,
    v128.shuffle<f32>(a, a, 2, 2, 2, 2),
    v128.shuffle<f32>(b, b, 2, 2, 2, 2),
    v128.shuffle<f32>(c, c, 2, 2, 2, 2),
    v128.shuffle<f32>(d, d, 2, 2, 2, 2),
  );
  const fourth = sumColumns(
    12,
    v128.shuffle<f32>(a, a, 3, 3, 3, 3),
    v128.shuffle<f32>(b, b, 3, 3, 3, 3),
    v128.shuffle<f32>(c, c, 3, 3, 3, 3),
    v128.shuffle<f32>(d, d, 3, 3, 3, 3),
  );
  // ...and turned round: lane by lane one sample, as its weights are.
  const low = v128.shuffle<f32>(first, second, 0, 4, 1, 5);
  const high = v128.shuffle<f32>(first, second, 2, 6, 3, 7);
  const lowAfter = v128.shuffle<f32>(third, fourth, 0, 4, 1, 5);
  const highAfter = v128.shuffle<f32>(third, fourth, 2, 6, 3, 7);
  return f32x4.add(
    f32x4.add(
      f32x4.mul(p, v128.shuffle<f64>(low, lowAfter, 0, 2)),
      f32x4.mul(q, v128.shuffle<f64>(low, lowAfter, 1, 3)),
    ),
    f32x4.add(
      f32x4.mul(r, v128.shuffle<f64>(high, highAfter, 0, 2)),
      f32x4.mul(s, v128.shuffle<f64>(high, highAfter, 1, 3)),
    ),
  );
}

/** Gathers the values of a sample near the border of the plane, border cells repeated outside. `sample`: its number. */
function gather(
  part: usize,
  stride: i32,
  partLeft: i32,
  partTop: i32,
  planeWidth: i32,
  planeHeight: i32,
  sample: usize,
  column: i32,
  row: i32,
): void {
  let to = gathered + (sample << 6);
  store<usize>(starts + (sample << 2), to);
  store<i32>(steps + (sample << 2), 16);
  for (let r = -1; r < 3; r += 1) {
    const line = (min(planeHeight - 1, max(0, row + r)) - partTop) * stride - partLeft;
    for (let k = -1; k < 3; k += 1) {
      const at = line + min(planeWidth - 1, max(0, column + k));
      store<f32>(to, load<f32>(part + (at << 2)));
      to += 4;
    }
  }
}

/**
 * Samples a plane on a window of an original's map, four samples a cell, or one. `map`: nine float64, cells to pixels
 * of the plane; `part`: the rows and columns of the plane from (partLeft, partTop) on that are at hand, every sample's
 * among them; `data`: takes up to 12 bytes past its end; `inside`: zeroed, becomes the summed-area table of the cells
 * within the plane, (width + 1) x (height + 1).
 */
export function sampleWindow(
  part: usize,
  stride: i32,
  partLeft: i32,
  partTop: i32,
  planeWidth: i32,
  planeHeight: i32,
  map: usize,
  left: i32,
  top: i32,
  width: i32,
  height: i32,
  samples: i32,
  data: usize,
  inside: usize,
): void {
  const m1 = load<f64>(map, 8),
    m2 = load<f64>(map, 16),
    m4 = load<f64>(map, 32);
  const m5 = load<f64>(map, 40),
    m7 = load<f64>(map, 56),
    m8 = load<f64>(map, 64);
  const m0 = v128.load64_splat(map),
    m3 = v128.load64_splat(map, 24),
    m6 = v128.load64_splat(map, 48);
  const zero = i64x2.splat(0);
  const least = f64x2.splat(-0.5);
  const lastX = f64x2.splat(<f64>(planeWidth - 1));
  const lastY = f64x2.splat(<f64>(planeHeight - 1));
  const endX = f64x2.splat(<f64>planeWidth - 0.5);
  const endY = f64x2.splat(<f64>planeHeight - 0.5);
  // Places from 1 to here, without it, have all that they are sampled from within the plane.
  const innerX = f64x2.splat(<f64>(planeWidth - 2));
  const innerY = f64x2.splat(<f64>(planeHeight - 2));
  const line = (<usize>(width + 1)) << 2;
  // Four samples at a time: those of one cell, or of four cells in a row, of which the last is repeated beyond the
  // window.
  const isOneCell = samples == 4;
  const cells = isOneCell ? 1 : 4;
  const beside = isOneCell ? v128.load(doubles, 16) : v128.load(doubles, 48);
  const lastCell = f64x2.splat(<f64>(left + width - 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    let cell = inside + <usize>(y + 1) * line + 4;
    for (let x = 0; x < width; x += cells) {
      let u = f64x2.add(f64x2.splat(<f64>(left + x)), beside);
      let v = <f64>(top + y) - (isOneCell ? 0.25 : 0);
      let within = 0;
      let across = zero;
      let down = zero;
      for (let pair: usize = 0; pair < 4; pair += 2) {
        if (!isOneCell) u = f64x2.pmin(u, lastCell);
        const depth = f64x2.div(v128.load(doubles), f64x2.add(f64x2.mul(m6, u), f64x2.splat(m7 * v + m8)));
        let px = f64x2.mul(f64x2.add(f64x2.mul(m0, u), f64x2.splat(m1 * v + m2)), depth);
        let py = f64x2.mul(f64x2.add(f64x2.mul(m3, u), f64x2.splat(m4 * v + m5)), depth);
        const isInner = v128.all_true<i64>(
          v128.and(
            v128.and(f64x2.ge(px, v128.load(doubles)), f64x2.ge(py, v128.load(doubles))),
            v128.and(f64x2.lt(px, innerX), f64x2.lt(py, innerY)),
          ),
        );
        if (isInner) {
          within |= 3 << (<i32>pair);
        } else {
          const isWithin = v128.and(
            v128.and(f64x2.ge(px, least), f64x2.ge(py, least)),
            v128.and(f64x2.le(px, endX), f64x2.le(py, endY)),
          );
          within |= i64x2.bitmask(isWithin) << (<i32>pair);
          px = f64x2.pmin(f64x2.pmax(px, zero), lastX);
          py = f64x2.pmin(f64x2.pmax(py, zero), lastY);
        }
        const fx = f64x2.floor(px);
        const fy = f64x2.floor(py);
        const tx = f32x4.demote_f64x2_zero(f64x2.sub(px, fx));
        const ty = f32x4.demote_f64x2_zero(f64x2.sub(py, fy));
        across = pair ? v128.shuffle<f64>(across, tx, 0, 2) : tx;
        down = pair ? v128.shuffle<f64>(down, ty, 0, 2) : ty;
        const columns = toIntegers(fx);
        const rows = toIntegers(fy);
        const x0 = i32x4.extract_lane(columns, 0);
        const x1 = i32x4.extract_lane(columns, 2);
        const y0 = i32x4.extract_lane(rows, 0);
        const y1 = i32x4.extract_lane(rows, 2);
        if (isInner) {
          const to = starts + (pair << 2);
          store<usize>(to, part + (((y0 - 1 - partTop) * stride + x0 - 1 - partLeft) << 2));
          store<usize>(to, part + (((y1 - 1 - partTop) * stride + x1 - 1 - partLeft) << 2), 4);
          store<i32>(steps + (pair << 2), stride << 2);
          store<i32>(steps + (pair << 2), stride << 2, 4);
        } else {
          gather(part, stride, partLeft, partTop, planeWidth, planeHeight, pair, x0, y0);
          gather(part, stride, partLeft, partTop, planeWidth, planeHeight, pair + 1, x1, y1);
        }
        if (isOneCell) v = <f64>(top + y) + 0.25;
        else u = f64x2.add(u, v128.load(doubles, 64));
      }
      const sampled = fourSamples(across, down);
      const to = data + ((<usize>(y * width + x)) << 2);
      if (isOneCell) {
        const sum =
          f32x4.extract_lane(sampled, 0) +
          f32x4.extract_lane(sampled, 1) +
          (f32x4.extract_lane(sampled, 2) + f32x4.extract_lane(sampled, 3));
        store<f32>(to, sum * 0.25);
        within = i32(within == 15);
      } else {
        // What is too much of the last cells is overwritten by the next row.
        v128.store(to, sampled);
      }
      for (let k = 0; k < min(cells, width - x); k += 1) {
        row += (within >> k) & 1;
        store<i32>(cell, load<i32>(cell - line) + row);
        cell += 4;
      }
    }
  }
  memory.fill(gathered, 0, 4 * 64);
}
