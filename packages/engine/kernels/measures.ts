// How a query's own pixels look in each block: whole numbers, as the reference finds them.

const SAMPLES: i32 = 16;
const TOTAL: i32 = SAMPLES * SAMPLES;
const BLOCK: f64 = 12;
/** A fiftieth of the samples, and a third of them. */
const TRIMMED: i32 = 6;
const THIRD: i32 = TOTAL / 3;
const NEAR_LEVEL: i32 = 4;
const LEVELS: i32 = 256;

// Scratch, uint16 each: how often each level was seen; how many samples lie below each, repeated beyond the first and
// the last; how many lie about each.
const SEEN: usize = 0;
const BELOW: usize = SEEN + 2 * LEVELS;
const ABOUT: usize = BELOW + 2 * (LEVELS + 16);

/** `Math.round` of two numbers. */
function rounded(value: v128): v128 {
  const up = f64x2.ceil(value);
  const isTooFar = f64x2.gt(f64x2.sub(up, f64x2.splat(0.5)), value);
  return f64x2.sub(up, v128.and(isTooFar, f64x2.splat(1)));
}

function inByte(share: i32, whole: i32): u8 {
  return whole == 0 ? 0 : <u8>((255 * share) / whole);
}

/** Sums up the levels: `BELOW` + 2 (NEAR_LEVEL + k) holds how many samples lie below level k. */
function addUp(scratch: usize): void {
  const zero = i64x2.splat(0);
  let sum = zero;
  memory.fill(scratch + BELOW, 0, 2 * (NEAR_LEVEL + 1));
  const to = scratch + BELOW + 2 * (NEAR_LEVEL + 1);
  for (let at: usize = 0; at < 2 * LEVELS; at += 16) {
    let run = v128.load(scratch + SEEN + at);
    run = i16x8.add(run, v128.shuffle<i16>(run, zero, 8, 0, 1, 2, 3, 4, 5, 6));
    run = i16x8.add(run, v128.shuffle<i16>(run, zero, 8, 8, 0, 1, 2, 3, 4, 5));
    run = i16x8.add(run, v128.shuffle<i16>(run, zero, 8, 8, 8, 8, 0, 1, 2, 3));
    sum = i16x8.add(run, sum);
    v128.store(to + at, sum);
    sum = v128.shuffle<i16>(sum, sum, 7, 7, 7, 7, 7, 7, 7, 7);
  }
  v128.store(to + 2 * LEVELS, sum);
}

/** Sum of the lanes that are set in a mask of int16. */
function lanesIn(counts: v128): i32 {
  const sums = i32x4.extadd_pairwise_i16x8_s(counts);
  return -(
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3)
  );
}

/** The level below which `count` of the samples lie. */
function quantile(scratch: usize, count: i32): i32 {
  const most = i16x8.splat(<i16>count);
  const from = scratch + BELOW + 2 * (NEAR_LEVEL + 1);
  let levels = i64x2.splat(0);
  for (let at: usize = 0; at < 2 * LEVELS; at += 16) {
    levels = i16x8.add(levels, i16x8.le_s(v128.load(from + at), most));
  }
  return lanesIn(levels);
}

/** The greatest number of samples about a level. */
function mostAbout(scratch: usize): i32 {
  let most = i64x2.splat(0);
  for (let at: usize = 0; at < 2 * LEVELS; at += 16) {
    most = i16x8.max_s(most, v128.load(scratch + ABOUT + at));
  }
  most = i16x8.max_s(most, v128.shuffle<i16>(most, most, 4, 5, 6, 7, 4, 5, 6, 7));
  most = i16x8.max_s(most, v128.shuffle<i16>(most, most, 2, 3, 2, 3, 2, 3, 2, 3));
  return max(i16x8.extract_lane_s(most, 0), i16x8.extract_lane_s(most, 1));
}

function countAbout(scratch: usize): void {
  const from = scratch + BELOW;
  for (let at: usize = 0; at < 2 * LEVELS; at += 16) {
    const upTo = v128.load(from + at, 2 * (2 * NEAR_LEVEL + 1));
    v128.store(scratch + ABOUT + at, i16x8.sub(upTo, v128.load(from + at)));
  }
}

/** Leaves out the levels near the first that has so many samples about it. */
function leaveOut(scratch: usize, count: i32): void {
  let level = 0;
  while (<i32>load<u16>(scratch + ABOUT + ((<usize>level) << 1)) != count) level += 1;
  const last = min(LEVELS - 1, level + 2 * NEAR_LEVEL);
  for (let k = max(0, level - 2 * NEAR_LEVEL); k <= last; k += 1) {
    store<u16>(scratch + ABOUT + ((<usize>k) << 1), 0);
  }
}

/** Four whole numbers, none below 0 and none over `most`. */
function within(low: v128, high: v128, most: v128): v128 {
  const four = v128.shuffle<i64>(
    i32x4.trunc_sat_f64x2_s_zero(rounded(low)),
    i32x4.trunc_sat_f64x2_s_zero(rounded(high)),
    0,
    2,
  );
  return i32x4.min_s(i32x4.max_s(four, i32x4.splat(0)), most);
}

let across: i32 = 0;
let down: i32 = 0;

/** Counts the sample at a pixel in, and its steps. */
function see(at: usize, stride: i32, scratch: usize): void {
  const value = <i32>load<u8>(at);
  const seen = scratch + SEEN + ((<usize>value) << 1);
  store<u16>(seen, load<u16>(seen) + 1);
  across += abs(<i32>load<u8>(at, 1) - value);
  down += abs(<i32>load<u8>(at + stride) - value);
}

/**
 * Measures `count` blocks, each at two float64 of `places`: its centre in cells. `map`: nine float64, cells to pixels;
 * `part`: the rows and columns of the luma from (partLeft, partTop) on that are at hand; `scratch`: 1,568 bytes;
 * `target`: `count` bytes for each measure.
 */
export function measureBlocks(
  part: usize,
  stride: i32,
  partLeft: i32,
  partTop: i32,
  width: i32,
  height: i32,
  map: usize,
  places: usize,
  count: i32,
  scratch: usize,
  target: usize,
): void {
  const m0 = v128.load64_splat(map),
    m3 = v128.load64_splat(map, 24),
    m6 = v128.load64_splat(map, 48);
  const m1 = load<f64>(map, 8),
    m4 = load<f64>(map, 32),
    m7 = load<f64>(map, 56);
  const m2 = v128.load64_splat(map, 16),
    m5 = v128.load64_splat(map, 40),
    m8 = v128.load64_splat(map, 64);
  // Samples beside the first of four, cells.
  const beside = f64x2(0, BLOCK / 16);
  const besideLater = f64x2(BLOCK / 8, (3 * BLOCK) / 16);
  const lastColumn = i32x4.splat(width - 2),
    lastRow = i32x4.splat(height - 2);
  const origin = <i32>part - partTop * stride - partLeft;
  for (let block = 0; block < count; block += 1) {
    const centreX = load<f64>(places + ((<usize>block) << 4));
    const centreY = load<f64>(places + ((<usize>block) << 4), 8);
    memory.fill(scratch + SEEN, 0, 2 * LEVELS);
    across = 0;
    down = 0;
    for (let row = 0; row < SAMPLES; row += 1) {
      const v = centreY + ((<f64>row + 0.5) / <f64>SAMPLES - 0.5) * BLOCK;
      const w1 = f64x2.splat(m1 * v),
        w4 = f64x2.splat(m4 * v),
        w7 = f64x2.splat(m7 * v);
      for (let column = 0; column < SAMPLES; column += 4) {
        const first = ((<f64>column + 0.5) / <f64>SAMPLES - 0.5) * BLOCK;
        const u = f64x2.add(f64x2.splat(centreX), f64x2.add(f64x2.splat(first), beside));
        const later = f64x2.add(f64x2.splat(centreX), f64x2.add(f64x2.splat(first), besideLater));
        const w = f64x2.add(f64x2.add(f64x2.mul(m6, u), w7), m8);
        const wLater = f64x2.add(f64x2.add(f64x2.mul(m6, later), w7), m8);
        const columns = within(
          f64x2.div(f64x2.add(f64x2.add(f64x2.mul(m0, u), w1), m2), w),
          f64x2.div(f64x2.add(f64x2.add(f64x2.mul(m0, later), w1), m2), wLater),
          lastColumn,
        );
        const rows = within(
          f64x2.div(f64x2.add(f64x2.add(f64x2.mul(m3, u), w4), m5), w),
          f64x2.div(f64x2.add(f64x2.add(f64x2.mul(m3, later), w4), m5), wLater),
          lastRow,
        );
        const pixels = i32x4.add(
          i32x4.add(i32x4.mul(rows, i32x4.splat(stride)), columns),
          i32x4.splat(origin),
        );
        see(i32x4.extract_lane(pixels, 0), stride, scratch);
        see(i32x4.extract_lane(pixels, 1), stride, scratch);
        see(i32x4.extract_lane(pixels, 2), stride, scratch);
        see(i32x4.extract_lane(pixels, 3), stride, scratch);
      }
    }
    addUp(scratch);
    const darkest = quantile(scratch, TRIMMED);
    const lightest = quantile(scratch, TOTAL - 1 - TRIMMED);
    countAbout(scratch);
    const first = mostAbout(scratch);
    leaveOut(scratch, first);
    let to = target + block;
    store<u8>(to, <u8>(lightest - darkest));
    to += count;
    store<u8>(to, <u8>(quantile(scratch, THIRD) - darkest));
    to += count;
    store<u8>(to, <u8>(lightest - quantile(scratch, TOTAL - 1 - THIRD)));
    to += count;
    store<u8>(to, inByte(first, TOTAL));
    to += count;
    store<u8>(to, inByte(mostAbout(scratch), TOTAL));
    to += count;
    store<u8>(to, inByte(max(across, down), across + down));
  }
}
