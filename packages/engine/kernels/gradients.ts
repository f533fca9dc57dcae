const TURN: f32 = <f32>(2 * Math.PI);
const CELLS: i32 = 4;
const DIRECTIONS: i32 = 8;
const CELL: i32 = DIRECTIONS + 2;
const ROW: i32 = (CELLS + 2) * CELL;
const LENGTH: i32 = CELLS * CELLS * DIRECTIONS;

/** What the two kernels below work in and leave their results in; derived from the picture until cleared. */
const scratch: usize = memory.data(4 * (36 + 36 + 360 + 128), 16);
const rawDirections: usize = scratch;
/** The 36 float32 that `directionHistogram` writes. */
export const directions: usize = scratch + 4 * 36;
const histogram: usize = scratch + 4 * 72;
/** The 128 float32 that `describe` writes. */
export const descriptor: usize = scratch + 4 * 432;

export function clearScratch(): void {
  memory.fill(scratch, 0, 4 * (36 + 36 + 360 + 128));
  memory.fill(rowDirections, 0, 4 * (2 * 1024 + 8));
  memory.fill(rowStrengths, 0, 4 * (2 * 1024 + 8));
}

/** Whole numbers below 2^22 as int32: added to 1.5 x 2^23 they stand in its last bits. */
function toIntegers(whole: v128): v128 {
  const shift = f32x4.splat(12582912);
  return i32x4.sub(f32x4.add(whole, shift), shift);
}

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
  const exponent = i32x4.shl(i32x4.add(toIntegers(whole), i32x4.splat(127)), 23);
  return f32x4.mul(series, exponent);
}

/** Constants of `turnOf`, four times each: loading them costs less than building or spreading them in every step. */
const turnTable: usize = memory.data<f32>(
  [
    0.0208351,
    0.0208351,
    0.0208351,
    0.0208351,
    -0.085133,
    -0.085133,
    -0.085133,
    -0.085133,
    0.180141,
    0.180141,
    0.180141,
    0.180141,
    -0.3302995,
    -0.3302995,
    -0.3302995,
    -0.3302995,
    0.999866,
    0.999866,
    0.999866,
    0.999866,
    TURN / 4,
    TURN / 4,
    TURN / 4,
    TURN / 4,
    TURN / 2,
    TURN / 2,
    TURN / 2,
    TURN / 2,
    TURN,
    TURN,
    TURN,
    TURN,
    1e-30,
    1e-30,
    1e-30,
    1e-30,
  ],
  16,
);

function constant(i: usize): v128 {
  return v128.load(turnTable + (i << 4));
}

/** Angles of four vectors, 0 to a whole turn (Abramowitz and Stegun 4.4.49). */
function turnOf(y: v128, x: v128): v128 {
  const ax = f32x4.abs(x);
  const ay = f32x4.abs(y);
  const t = f32x4.div(f32x4.pmin(ax, ay), f32x4.add(f32x4.pmax(ax, ay), constant(8)));
  const s = f32x4.mul(t, t);
  let angle = f32x4.add(f32x4.mul(constant(0), s), constant(1));
  angle = f32x4.add(f32x4.mul(angle, s), constant(2));
  angle = f32x4.add(f32x4.mul(angle, s), constant(3));
  angle = f32x4.add(f32x4.mul(angle, s), constant(4));
  angle = f32x4.mul(angle, t);
  const zero = i64x2.splat(0);
  angle = v128.bitselect(f32x4.sub(constant(5), angle), angle, f32x4.gt(ay, ax));
  angle = v128.bitselect(f32x4.sub(constant(6), angle), angle, f32x4.lt(x, zero));
  return v128.bitselect(f32x4.sub(constant(7), angle), angle, f32x4.lt(y, zero));
}

/** Weights `exp(fall * d^2)` of whole distances, `-MAX_REACH` to `MAX_REACH` around `middleWeight`. */
const MAX_REACH: i32 = 1024;
const weights: usize = memory.data(4 * (2 * 1024 + 8), 16);
const middleWeight: usize = weights + 4 * MAX_REACH;

function prepareWeights(fall: f32, reach: i32): void {
  const factor = f32x4.splat(fall);
  for (let d = 0; d <= reach; d += 4) {
    const distance = f32x4.add(f32x4.splat(<f32>d), f32x4(0, 1, 2, 3));
    v128.store(
      middleWeight + ((<usize>d) << 2),
      expNegative(f32x4.mul(f32x4.mul(distance, distance), factor)),
    );
  }
  for (let d = 1; d <= reach; d += 1) {
    store<f32>(middleWeight - ((<usize>d) << 2), load<f32>(middleWeight + ((<usize>d) << 2)));
  }
}

function weightOf(distance: i32): usize {
  return middleWeight + (distance << 2);
}

function lengthOf(x: v128, y: v128): v128 {
  return f32x4.sqrt(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)));
}

/** Directions and strengths of one row of gradients; derived from the picture until cleared. */
const rowDirections: usize = memory.data(4 * (2 * 1024 + 8), 16);
const rowStrengths: usize = memory.data(4 * (2 * 1024 + 8), 16);

/**
 * Every how many samples, in both directions, a gradient is looked at: points lie in layers with a blur of at least two
 * samples, so that those between say hardly anything new. A power of two.
 */
const STEP: i32 = 2;

/** The first place from `at` on that lies a whole number of steps from `middle`. */
function onLattice(at: i32, middle: i32): i32 {
  return at + ((middle - at) & (STEP - 1));
}

/** The first of each pair of int16, as float32. */
function evenOf(pairs: v128): v128 {
  return f32x4.convert_i32x4_s(i32x4.shr_s(i32x4.shl(pairs, 16), 16));
}

/**
 * Measures gradients of a row, at every second sample from `at` on, four at a time. Apart from the sums that they go
 * to: the steps of one gradient wait for each other, those of the next wait for nothing.
 *
 * @param bytes of what is written, four for each gradient
 * @param turn where directions count from, radians
 * @param perTurn bins of a radian
 */
function measureRow(at: usize, stride: usize, bytes: usize, turn: f32, perTurn: f32): void {
  const turns = f32x4.splat(turn);
  const bins = f32x4.splat(perTurn);
  for (let x: usize = 0; x < bytes; x += 16) {
    const gx = evenOf(i16x8.sub(v128.load(at + 2), v128.load(at - 2)));
    const gy = evenOf(i16x8.sub(v128.load(at - stride), v128.load(at + stride)));
    v128.store(rowStrengths + x, lengthOf(gx, gy));
    v128.store(rowDirections + x, f32x4.mul(f32x4.sub(turnOf(gy, gx), turns), bins));
    at += 16;
  }
}

function addAt(at: usize, value: f32): void {
  store<f32>(at, load<f32>(at) + value);
}

/**
 * Writes the smoothed histogram (36 float32) of gradient directions in a square around a sample, weighted by strength
 * and by `exp(fall * distance^2)`, to `directions`. The layer's outermost samples are left out.
 */
export function directionHistogram(
  layer: usize,
  width: i32,
  height: i32,
  column: i32,
  row: i32,
  radius: i32,
  fall: f32,
): void {
  memory.fill(rawDirections, 0, 36 * 4);
  radius = min(radius, MAX_REACH);
  prepareWeights(fall * <f32>(STEP * STEP), radius / STEP);
  const stride = (<usize>width) << 1;
  const top = onLattice(max(1, row - radius), row);
  const bottom = min(height - 2, row + radius);
  const left = onLattice(max(1, column - radius), column);
  const right = min(width - 2, column + radius);
  const half = f32x4.splat(0.5);
  if (left > right) return smooth();
  for (let y = top; y <= bottom; y += STEP) {
    const rowWeight = v128.load32_splat(weightOf((y - row) / STEP));
    const start = layer + ((<usize>(y * width + left)) << 1);
    measureRow(start, stride, (<usize>((right - left) / STEP + 1)) << 2, 0, 36 / TURN);
    for (let x = left; x <= right; x += 4 * STEP) {
      const at = (<usize>((x - left) / STEP)) << 2;
      const nearness = f32x4.mul(rowWeight, v128.load(weightOf((x - column) / STEP)));
      const weight = f32x4.mul(nearness, v128.load(rowStrengths + at));
      const bins = toIntegers(f32x4.floor(f32x4.add(v128.load(rowDirections + at), half)));
      const lanes = (right - x) / STEP + 1;
      addBin(i32x4.extract_lane(bins, 0), f32x4.extract_lane(weight, 0));
      if (lanes > 1) addBin(i32x4.extract_lane(bins, 1), f32x4.extract_lane(weight, 1));
      if (lanes > 2) addBin(i32x4.extract_lane(bins, 2), f32x4.extract_lane(weight, 2));
      if (lanes > 3) addBin(i32x4.extract_lane(bins, 3), f32x4.extract_lane(weight, 3));
    }
  }
  smooth();
}

/** Convolves a ring of 36 with 1, 4, 6, 4, 1 sixteenths. */
function smooth(): void {
  for (let i = 0; i < 36; i += 1) {
    const near = binAt(i + 1) + binAt(i + 35);
    const far = binAt(i + 2) + binAt(i + 34);
    store<f32>(directions + ((<usize>i) << 2), (far + 4 * near + 6 * binAt(i)) / 16);
  }
}

function binAt(i: i32): f32 {
  return load<f32>(rawDirections + ((<usize>(i >= 36 ? i - 36 : i)) << 2));
}

function addBin(bin: i32, weight: f32): void {
  addAt(rawDirections + ((<usize>(bin == 36 ? 0 : bin)) << 2), weight);
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
function spread(cellX: v128, cellY: v128, direction: v128, weight: v128, lanes: i32): void {
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
  const rows = i32x4.mul(i32x4.add(toIntegers(y0), one), i32x4.splat(ROW));
  const columns = i32x4.mul(i32x4.add(toIntegers(x0), one), i32x4.splat(CELL));
  const wrapped = v128.and(toIntegers(d0), i32x4.splat(DIRECTIONS - 1));
  const places = i32x4.shl(i32x4.add(i32x4.add(rows, columns), wrapped), 2);
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

/** Half the length, in samples, of the rows of a band of 5 cells across which one coordinate changes by `slope`. */
function halfLength(slope: f32): f32 {
  return abs(slope) < 1e-6 ? 1e6 : <f32>2.5 / abs(slope);
}

/** How far the middle of those rows moves with each row, when the coordinate changes by `drift` from row to row. */
function middleStep(slope: f32, drift: f32): f32 {
  return abs(slope) < 1e-6 ? 0 : -drift / slope;
}

/** Gradient histograms of 4 x 4 cells with margins, `ROW * (CELLS + 2)` float32 at `histogram`. */
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
): void {
  memory.fill(histogram, 0, 4 * ROW * (CELLS + 2));
  radius = min(radius, MAX_REACH);
  // Distance in cells is distance in samples times the length of (cos, sin), so the weight falls apart by axis.
  const fall = (cos * cos + sin * sin) * (-2.0 / <f32>(CELLS * CELLS));
  prepareWeights(fall * <f32>(STEP * STEP), radius / STEP);
  const stride = (<usize>width) << 1;
  const low = f32x4.splat(-1);
  const high = f32x4.splat(<f32>CELLS);
  const middle: f32 = <f32>CELLS / 2 - 0.5;
  const cosines = f32x4.splat(cos);
  const sines = f32x4.splat(sin);
  const steps = f32x4.mul(f32x4(0, 1, 2, 3), f32x4.splat(<f32>STEP));
  const halfX = halfLength(cos);
  const halfY = halfLength(sin);
  const stepX = middleStep(cos, -sin);
  const stepY = middleStep(sin, cos);
  const top = onLattice(max(1, row - radius), row);
  const bottom = min(height - 2, row + radius);
  for (let y = top; y <= bottom; y += STEP) {
    const dy = <f32>(y - row);
    const first = max(<f32>-radius, max(dy * stepX - halfX, dy * stepY - halfY));
    const last = min(<f32>radius, min(dy * stepX + halfX, dy * stepY + halfY));
    if (first > last) continue;
    const left = onLattice(max(1, column + <i32>floor(first)), column);
    const right = min(width - 2, column + <i32>ceil(last));
    const rowX = f32x4.splat(middle - dy * sin);
    const rowY = f32x4.splat(middle + dy * cos);
    const rowWeight = v128.load32_splat(weightOf((y - row) / STEP));
    if (left > right) continue;
    const start = layer + ((<usize>(y * width + left)) << 1);
    measureRow(start, stride, (<usize>((right - left) / STEP + 1)) << 2, turn, <f32>DIRECTIONS / TURN);
    for (let x = left; x <= right; x += 4 * STEP) {
      const dx = f32x4.add(f32x4.splat(<f32>(x - column)), steps);
      const cellX = f32x4.add(f32x4.mul(dx, cosines), rowX);
      const cellY = f32x4.add(f32x4.mul(dx, sines), rowY);
      const inX = v128.and(f32x4.gt(cellX, low), f32x4.lt(cellX, high));
      const inY = v128.and(f32x4.gt(cellY, low), f32x4.lt(cellY, high));
      let lanes = i32x4.bitmask(v128.and(inX, inY));
      if (right - x < 3 * STEP) lanes &= (2 << ((right - x) / STEP)) - 1;
      if (lanes == 0) continue;
      const at = (<usize>((x - left) / STEP)) << 2;
      const nearness = f32x4.mul(rowWeight, v128.load(weightOf((x - column) / STEP)));
      const weight = f32x4.mul(nearness, v128.load(rowStrengths + at));
      const direction = v128.load(rowDirections + at);
      spread(cellX, cellY, direction, weight, lanes);
    }
  }
}

/**
 * Writes the RootSIFT descriptor (128 float32 at `descriptor`) of the neighbourhood of a sample. `cos` and `sin` of the
 * turn are divided by the side of a cell.
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
): void {
  gather(layer, width, height, column, row, radius, cos, sin, turn);
  let squares: f32 = 0;
  let to = descriptor;
  for (let y = 0; y < CELLS; y += 1) {
    for (let x = 0; x < CELLS; x += 1) {
      const at = histogram + ((<usize>((y + 1) * ROW + (x + 1) * CELL)) << 2);
      addAt(at, load<f32>(at, 4 * DIRECTIONS));
      for (let d = 0; d < DIRECTIONS; d += 1) {
        const value = load<f32>(at + ((<usize>d) << 2));
        store<f32>(to, value);
        squares += value * value;
        to += 4;
      }
    }
  }
  const most: f32 = 0.2 * sqrt(squares);
  let sum: f32 = 0;
  for (let at = descriptor; at < to; at += 4) {
    const value = min(load<f32>(at), most);
    store<f32>(at, value);
    sum += value;
  }
  const divisor = max(sum, <f32>1e-12);
  for (let at = descriptor; at < descriptor + 4 * LENGTH; at += 4) {
    store<f32>(at, sqrt(load<f32>(at) / divisor));
  }
}
