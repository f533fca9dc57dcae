const TURN: f32 = <f32>(2 * Math.PI);
const CELLS: i32 = 4;
const DIRECTIONS: i32 = 8;
const CELL: i32 = DIRECTIONS + 2;
const ROW: i32 = (CELLS + 2) * CELL;
const LENGTH: i32 = CELLS * CELLS * DIRECTIONS;

/** `exp(x)` of four numbers, `x <= 0` and above -80: a power of two times a polynomial. */
function expNegative(x: v128): v128 {
  const powers = f32x4.mul(x, f32x4.splat(<f32>Math.LOG2E));
  const whole = f32x4.floor(powers);
  const f = f32x4.mul(f32x4.sub(powers, whole), f32x4.splat(<f32>Math.LN2));
  let series = f32x4.splat(1.0 / 720.0);
  series = f32x4.add(f32x4.mul(series, f), f32x4.splat(1.0 / 120.0));
  series = f32x4.add(f32x4.mul(series, f), f32x4.splat(1.0 / 24.0));
  series = f32x4.add(f32x4.mul(series, f), f32x4.splat(1.0 / 6.0));
  series = f32x4.add(f32x4.mul(series, f), f32x4.splat(0.5));
  series = f32x4.add(f32x4.mul(series, f), f32x4.splat(1.0));
  series = f32x4.add(f32x4.mul(series, f), f32x4.splat(1.0));
  const exponent = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(whole), i32x4.splat(127)), 23);
  return f32x4.mul(series, exponent);
}

/** Angles of four vectors, 0 to a whole turn (Abramowitz and Stegun 4.4.49). */
function turnOf(y: v128, x: v128): v128 {
  const ax = f32x4.abs(x);
  const ay = f32x4.abs(y);
  const steep = f32x4.gt(ay, ax);
  const small = f32x4.min(ax, ay);
  const t = f32x4.div(small, f32x4.add(f32x4.max(ax, ay), f32x4.splat(1e-30)));
  const s = f32x4.mul(t, t);
  let angle = f32x4.splat(0.0208351);
  angle = f32x4.add(f32x4.mul(angle, s), f32x4.splat(-0.085133));
  angle = f32x4.add(f32x4.mul(angle, s), f32x4.splat(0.180141));
  angle = f32x4.add(f32x4.mul(angle, s), f32x4.splat(-0.3302995));
  angle = f32x4.add(f32x4.mul(angle, s), f32x4.splat(0.999866));
  angle = f32x4.mul(angle, t);
  const zero = f32x4.splat(0);
  angle = v128.bitselect(f32x4.sub(f32x4.splat(TURN / 4), angle), angle, steep);
  angle = v128.bitselect(f32x4.sub(f32x4.splat(TURN / 2), angle), angle, f32x4.lt(x, zero));
  return v128.bitselect(f32x4.sub(f32x4.splat(TURN), angle), angle, f32x4.lt(y, zero));
}

function gradientX(at: usize): v128 {
  return f32x4.sub(v128.load(at, 4), v128.load(at - 4));
}

function gradientY(at: usize, stride: usize): v128 {
  return f32x4.sub(v128.load(at - stride), v128.load(at + stride));
}

function lengthOf(x: v128, y: v128): v128 {
  return f32x4.sqrt(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)));
}

function addAt(at: usize, value: f32): void {
  store<f32>(at, load<f32>(at) + value);
}

/**
 * Adds up gradient directions in a square around a sample into 36 float32 at `histogram`, weighted by strength and by
 * `exp(fall * distance^2)`. The layer's outermost samples are left out.
 */
export function directionHistogram(
  layer: usize,
  width: i32,
  height: i32,
  column: i32,
  row: i32,
  radius: i32,
  fall: f32,
  histogram: usize,
): void {
  memory.fill(histogram, 0, 36 * 4);
  const stride = (<usize>width) << 2;
  const top = max(1, row - radius);
  const bottom = min(height - 2, row + radius);
  const left = max(1, column - radius);
  const right = min(width - 2, column + radius);
  for (let y = top; y <= bottom; y++) {
    const dy = <f32>(y - row);
    const dySquare = f32x4.splat(dy * dy);
    for (let x = left; x <= right; x += 4) {
      const at = layer + ((<usize>(y * width + x)) << 2);
      const gx = gradientX(at);
      const gy = gradientY(at, stride);
      const dx = f32x4.add(f32x4.splat(<f32>(x - column)), f32x4(0, 1, 2, 3));
      const nearness = expNegative(f32x4.mul(f32x4.add(f32x4.mul(dx, dx), dySquare), f32x4.splat(fall)));
      const weight = f32x4.mul(nearness, lengthOf(gx, gy));
      const bins = i32x4.trunc_sat_f32x4_s(
        f32x4.floor(f32x4.add(f32x4.mul(turnOf(gy, gx), f32x4.splat(36 / TURN)), f32x4.splat(0.5))),
      );
      const lanes = right - x + 1;
      addBin(histogram, i32x4.extract_lane(bins, 0), f32x4.extract_lane(weight, 0));
      if (lanes > 1) addBin(histogram, i32x4.extract_lane(bins, 1), f32x4.extract_lane(weight, 1));
      if (lanes > 2) addBin(histogram, i32x4.extract_lane(bins, 2), f32x4.extract_lane(weight, 2));
      if (lanes > 3) addBin(histogram, i32x4.extract_lane(bins, 3), f32x4.extract_lane(weight, 3));
    }
  }
}

function addBin(histogram: usize, bin: i32, weight: f32): void {
  addAt(histogram + ((<usize>(bin == 36 ? 0 : bin)) << 2), weight);
}

/** The float32 pairs of two vectors side by side: lanes 0 and 1, then 2 and 3. */
function pairsLow(a: v128, b: v128): v128 {
  return i32x4.shuffle(a, b, 0, 4, 1, 5);
}

function pairsHigh(a: v128, b: v128): v128 {
  return i32x4.shuffle(a, b, 2, 6, 3, 7);
}

/** Adds the low pair of `value` to two neighbouring float32. */
function addPair(at: usize, value: v128): void {
  v128.store64_lane(at, f32x4.add(v128.load64_zero(at), value), 0);
}

function upper(value: v128): v128 {
  return i64x2.shuffle(value, value, 1, 1);
}

function addCube(at: usize, aboveLeft: v128, aboveRight: v128, belowLeft: v128, belowRight: v128): void {
  addPair(at, aboveLeft);
  addPair(at + 4 * CELL, aboveRight);
  addPair(at + 4 * ROW, belowLeft);
  addPair(at + 4 * (ROW + CELL), belowRight);
}

/** Shares four weights among the eight bins around their places (trilinear), for the lanes set in `lanes`. */
function spread(histogram: usize, cellX: v128, cellY: v128, direction: v128, weight: v128, lanes: i32): void {
  const x0 = f32x4.floor(cellX);
  const y0 = f32x4.floor(cellY);
  const d0 = f32x4.floor(direction);
  const fx = f32x4.sub(cellX, x0);
  const fd = f32x4.sub(direction, d0);
  const below = f32x4.mul(weight, f32x4.sub(cellY, y0));
  const above = f32x4.sub(weight, below);
  const belowRight = f32x4.mul(below, fx);
  const belowLeft = f32x4.sub(below, belowRight);
  const aboveRight = f32x4.mul(above, fx);
  const aboveLeft = f32x4.sub(above, aboveRight);
  const one = i32x4.splat(1);
  const rows = i32x4.mul(i32x4.add(i32x4.trunc_sat_f32x4_s(y0), one), i32x4.splat(ROW));
  const columns = i32x4.mul(i32x4.add(i32x4.trunc_sat_f32x4_s(x0), one), i32x4.splat(CELL));
  const directions = v128.and(i32x4.trunc_sat_f32x4_s(d0), i32x4.splat(DIRECTIONS - 1));
  const places = i32x4.shl(i32x4.add(i32x4.add(rows, columns), directions), 2);
  const aboveLeftNext = f32x4.mul(aboveLeft, fd);
  const aboveRightNext = f32x4.mul(aboveRight, fd);
  const belowLeftNext = f32x4.mul(belowLeft, fd);
  const belowRightNext = f32x4.mul(belowRight, fd);
  const aboveLeftOwn = f32x4.sub(aboveLeft, aboveLeftNext);
  const aboveRightOwn = f32x4.sub(aboveRight, aboveRightNext);
  const belowLeftOwn = f32x4.sub(belowLeft, belowLeftNext);
  const belowRightOwn = f32x4.sub(belowRight, belowRightNext);
  let al = pairsLow(aboveLeftOwn, aboveLeftNext);
  let ar = pairsLow(aboveRightOwn, aboveRightNext);
  let bl = pairsLow(belowLeftOwn, belowLeftNext);
  let br = pairsLow(belowRightOwn, belowRightNext);
  if (lanes & 1) addCube(histogram + i32x4.extract_lane(places, 0), al, ar, bl, br);
  if (lanes & 2) {
    addCube(histogram + i32x4.extract_lane(places, 1), upper(al), upper(ar), upper(bl), upper(br));
  }
  if ((lanes & 12) == 0) return;
  al = pairsHigh(aboveLeftOwn, aboveLeftNext);
  ar = pairsHigh(aboveRightOwn, aboveRightNext);
  bl = pairsHigh(belowLeftOwn, belowLeftNext);
  br = pairsHigh(belowRightOwn, belowRightNext);
  if (lanes & 4) addCube(histogram + i32x4.extract_lane(places, 2), al, ar, bl, br);
  if (lanes & 8) {
    addCube(histogram + i32x4.extract_lane(places, 3), upper(al), upper(ar), upper(bl), upper(br));
  }
}

/** Lowest (sign 1) or highest (sign -1) whole `dx` with `|a * dx + b| < 2.5`, at most `limit` away from 0. */
function bound(a: f32, b: f32, sign: f32, limit: i32): i32 {
  if (abs(a) < 1e-6) return sign > 0 ? -limit : limit;
  const reach: f32 = 2.5 / abs(a);
  const middle: f32 = -b / a;
  const edge = sign > 0 ? floor(middle - reach) : ceil(middle + reach);
  return <i32>max(<f32>-limit, min(<f32>limit, edge));
}

/** Gradient histograms of 4 x 4 cells with margins, into `ROW * (CELLS + 2)` float32. */
function gather(
  layer: usize,
  width: i32,
  height: i32,
  column: i32,
  row: i32,
  radius: i32,
  cos: f32,
  sin: f32,
  turn: f32,
  histogram: usize,
): void {
  memory.fill(histogram, 0, 4 * ROW * (CELLS + 2));
  const stride = (<usize>width) << 2;
  const low = f32x4.splat(-1);
  const high = f32x4.splat(<f32>CELLS);
  const middle = f32x4.splat(<f32>CELLS / 2 - 0.5);
  const top = max(1, row - radius);
  const bottom = min(height - 2, row + radius);
  for (let y = top; y <= bottom; y++) {
    const dy = <f32>(y - row);
    const first = max(bound(cos, -dy * sin, 1, radius), bound(sin, dy * cos, 1, radius));
    const last = min(bound(cos, -dy * sin, -1, radius), bound(sin, dy * cos, -1, radius));
    const left = max(1, column + first);
    const right = min(width - 2, column + last);
    for (let x = left; x <= right; x += 4) {
      const dx = f32x4.add(f32x4.splat(<f32>(x - column)), f32x4(0, 1, 2, 3));
      const u = f32x4.sub(f32x4.mul(dx, f32x4.splat(cos)), f32x4.splat(dy * sin));
      const v = f32x4.add(f32x4.mul(dx, f32x4.splat(sin)), f32x4.splat(dy * cos));
      const cellX = f32x4.add(u, middle);
      const cellY = f32x4.add(v, middle);
      const inX = v128.and(f32x4.gt(cellX, low), f32x4.lt(cellX, high));
      const inY = v128.and(f32x4.gt(cellY, low), f32x4.lt(cellY, high));
      let lanes = i32x4.bitmask(v128.and(inX, inY));
      if (right - x < 3) lanes &= (2 << (right - x)) - 1;
      if (lanes == 0) continue;
      const at = layer + ((<usize>(y * width + x)) << 2);
      const gx = gradientX(at);
      const gy = gradientY(at, stride);
      const distance = f32x4.add(f32x4.mul(u, u), f32x4.mul(v, v));
      const nearness = expNegative(f32x4.mul(distance, f32x4.splat(-2.0 / <f32>(CELLS * CELLS))));
      const weight = f32x4.mul(nearness, lengthOf(gx, gy));
      const direction = f32x4.mul(
        f32x4.sub(turnOf(gy, gx), f32x4.splat(turn)),
        f32x4.splat(<f32>DIRECTIONS / TURN),
      );
      spread(histogram, cellX, cellY, direction, weight, lanes);
    }
  }
}

/**
 * Writes the RootSIFT descriptor (128 float32 at `target`) of the neighbourhood of a sample. `cos` and `sin` of the
 * turn are divided by the side of a cell. `histogram` is 1,440 bytes of scratch.
 */
export function describe(
  layer: usize,
  width: i32,
  height: i32,
  column: i32,
  row: i32,
  radius: i32,
  cos: f32,
  sin: f32,
  turn: f32,
  histogram: usize,
  target: usize,
): void {
  gather(layer, width, height, column, row, radius, cos, sin, turn, histogram);
  let squares: f32 = 0;
  let to = target;
  for (let y = 0; y < CELLS; y++) {
    for (let x = 0; x < CELLS; x++) {
      const at = histogram + ((<usize>((y + 1) * ROW + (x + 1) * CELL)) << 2);
      addAt(at, load<f32>(at, 4 * DIRECTIONS));
      for (let d = 0; d < DIRECTIONS; d++) {
        const value = load<f32>(at + ((<usize>d) << 2));
        store<f32>(to, value);
        squares += value * value;
        to += 4;
      }
    }
  }
  const most: f32 = 0.2 * sqrt(squares);
  let sum: f32 = 0;
  for (let at = target; at < to; at += 4) {
    const value = min(load<f32>(at), most);
    store<f32>(at, value);
    sum += value;
  }
  const divisor = max(sum, <f32>1e-12);
  for (let at = target; at < target + 4 * LENGTH; at += 4) store<f32>(at, sqrt(load<f32>(at) / divisor));
}
