// How a query's own pixels look in each block: whole numbers, as the reference finds them.

const SAMPLES: i32 = 16;
const TOTAL: i32 = SAMPLES * SAMPLES;
const BLOCK: f64 = 12;
/** A fiftieth of the samples, and a third of them. */
const TRIMMED: i32 = 6;
const THIRD: i32 = TOTAL / 3;
const LIKE: i32 = 2;
const NEAR_LEVEL: i32 = 4;
const LEVELS: i32 = 256;

// Scratch, uint16 each: how often each level was seen; how many samples lie below each, repeated beyond the first and the last; how many lie about each;
// the steps beside each sample.
const SEEN: usize = 0;
const BELOW: usize = SEEN + 2 * LEVELS;
const ABOUT: usize = BELOW + 2 * (LEVELS + 16);
const STEPS: usize = ABOUT + 2 * LEVELS;

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

/** How many steps are a third of the contrast or more. */
function countSharp(scratch: usize, contrast: i32): i32 {
  if (contrast == 0) return 0;
  const least = i16x8.splat(<i16>contrast);
  let sharp = i64x2.splat(0);
  for (let at: usize = 0; at < 2 * TOTAL; at += 16) {
    const step = v128.load(scratch + STEPS + at);
    sharp = i16x8.add(sharp, i16x8.ge_s(i16x8.mul(step, i16x8.splat(3)), least));
  }
  return lanesIn(sharp);
}

/**
 * Measures `count` blocks, each at two float64 of `places`: its centre in cells. `map`: nine float64, cells to pixels; `part`: the rows and columns
 * of the luma from (partLeft, partTop) on that are at hand; `scratch`: 2,080 bytes; `target`: `count` bytes for each measure.
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
  for (let block = 0; block < count; block += 1) {
    const centreX = load<f64>(places + ((<usize>block) << 4));
    const centreY = load<f64>(places + ((<usize>block) << 4), 8);
    memory.fill(scratch + SEEN, 0, 2 * LEVELS);
    let across = 0,
      down = 0,
      flat = 0;
    let steps = scratch + STEPS;
    for (let row = 0; row < SAMPLES; row += 1) {
      const v = centreY + ((<f64>row + 0.5) / <f64>SAMPLES - 0.5) * BLOCK;
      const w1 = f64x2.splat(m1 * v),
        w4 = f64x2.splat(m4 * v),
        w7 = f64x2.splat(m7 * v);
      for (let column = 0; column < SAMPLES; column += 2) {
        const offset = ((<f64>column + 0.5) / <f64>SAMPLES - 0.5) * BLOCK;
        const u = f64x2.add(
          f64x2.splat(centreX),
          f64x2.replace_lane(f64x2.splat(offset), 1, offset + BLOCK / <f64>SAMPLES),
        );
        const w = f64x2.add(f64x2.add(f64x2.mul(m6, u), w7), m8);
        const x = f64x2.div(f64x2.add(f64x2.add(f64x2.mul(m0, u), w1), m2), w);
        const y = f64x2.div(f64x2.add(f64x2.add(f64x2.mul(m3, u), w4), m5), w);
        const columns = i32x4.trunc_sat_f64x2_s_zero(rounded(x));
        const rows = i32x4.trunc_sat_f64x2_s_zero(rounded(y));
        for (let lane = 0; lane < 2; lane += 1) {
          const px = lane ? i32x4.extract_lane(columns, 1) : i32x4.extract_lane(columns, 0);
          const py = lane ? i32x4.extract_lane(rows, 1) : i32x4.extract_lane(rows, 0);
          const at =
            part + (min(height - 2, max(0, py)) - partTop) * stride + (min(width - 2, max(0, px)) - partLeft);
          const value = <i32>load<u8>(at);
          const right = abs(<i32>load<u8>(at, 1) - value);
          const below = abs(<i32>load<u8>(at + stride) - value);
          const seen = scratch + SEEN + ((<usize>value) << 1);
          store<u16>(seen, load<u16>(seen) + 1);
          across += right;
          down += below;
          flat += i32(right <= LIKE) & i32(below <= LIKE);
          store<u16>(steps, <u16>(right + below));
          steps += 2;
        }
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
    store<u8>(to, inByte(flat, TOTAL));
    to += count;
    store<u8>(to, inByte(countSharp(scratch, lightest - darkest), TOTAL));
    to += count;
    store<u8>(to, inByte(first, TOTAL));
    to += count;
    store<u8>(to, inByte(mostAbout(scratch), TOTAL));
    to += count;
    store<u8>(to, inByte(max(across, down), across + down));
  }
}
