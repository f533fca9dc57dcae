// Planes of the scale space are int16, as the reference's: luma less 128, in 1/128. The sum of two samples and their
// difference fit in 16 bits, the weighted sum of a blur fits in 32.

function reflect(index: i32, length: i32): i32 {
  if (<u32>index < <u32>length) return index;
  if (length == 1) return 0;
  const period = 2 * length - 2;
  const wrapped = (index < 0 ? -index : index) % period;
  return wrapped < length ? wrapped : period - wrapped;
}

/**
 * The sums of two pairs of rows or columns, eight samples each, side by side: the first four of both, or the last four.
 */
function firstHalves(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

function lastHalves(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/** Eight weighted sums, rounded to samples. */
function rounded(first: v128, last: v128): v128 {
  const half = i32x4.splat(1 << 14);
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(first, half), 15),
    i32x4.shr_s(i32x4.add(last, half), 15),
  );
}

/**
 * One pass over a row, 32 samples at a time: `pairs` holds, for each tap, where the first samples of its two rows or
 * columns lie.
 */
function blurLine(pairs: usize, target: usize, bytes: usize, taps: usize, count: usize): void {
  const end = pairs + (count << 3);
  for (let x: usize = 0; x < bytes; x += 64) {
    let weights = v128.load32_splat(taps);
    let near = load<usize>(pairs) + x;
    let above = load<usize>(pairs, 8) + x;
    let below = load<usize>(pairs, 12) + x;
    let a = v128.load(near);
    let b = i16x8.add(v128.load(above), v128.load(below));
    let s0 = i32x4.dot_i16x8_s(firstHalves(a, b), weights);
    let s1 = i32x4.dot_i16x8_s(lastHalves(a, b), weights);
    a = v128.load(near, 16);
    b = i16x8.add(v128.load(above, 16), v128.load(below, 16));
    let s2 = i32x4.dot_i16x8_s(firstHalves(a, b), weights);
    let s3 = i32x4.dot_i16x8_s(lastHalves(a, b), weights);
    a = v128.load(near, 32);
    b = i16x8.add(v128.load(above, 32), v128.load(below, 32));
    let s4 = i32x4.dot_i16x8_s(firstHalves(a, b), weights);
    let s5 = i32x4.dot_i16x8_s(lastHalves(a, b), weights);
    a = v128.load(near, 48);
    b = i16x8.add(v128.load(above, 48), v128.load(below, 48));
    let s6 = i32x4.dot_i16x8_s(firstHalves(a, b), weights);
    let s7 = i32x4.dot_i16x8_s(lastHalves(a, b), weights);
    let tap = taps;
    for (let pair = pairs + 16; pair < end; pair += 16) {
      tap += 4;
      weights = v128.load32_splat(tap);
      near = load<usize>(pair) + x;
      const nearBelow = load<usize>(pair, 4) + x;
      above = load<usize>(pair, 8) + x;
      below = load<usize>(pair, 12) + x;
      a = i16x8.add(v128.load(near), v128.load(nearBelow));
      b = i16x8.add(v128.load(above), v128.load(below));
      s0 = i32x4.add(s0, i32x4.dot_i16x8_s(firstHalves(a, b), weights));
      s1 = i32x4.add(s1, i32x4.dot_i16x8_s(lastHalves(a, b), weights));
      a = i16x8.add(v128.load(near, 16), v128.load(nearBelow, 16));
      b = i16x8.add(v128.load(above, 16), v128.load(below, 16));
      s2 = i32x4.add(s2, i32x4.dot_i16x8_s(firstHalves(a, b), weights));
      s3 = i32x4.add(s3, i32x4.dot_i16x8_s(lastHalves(a, b), weights));
      a = i16x8.add(v128.load(near, 32), v128.load(nearBelow, 32));
      b = i16x8.add(v128.load(above, 32), v128.load(below, 32));
      s4 = i32x4.add(s4, i32x4.dot_i16x8_s(firstHalves(a, b), weights));
      s5 = i32x4.add(s5, i32x4.dot_i16x8_s(lastHalves(a, b), weights));
      a = i16x8.add(v128.load(near, 48), v128.load(nearBelow, 48));
      b = i16x8.add(v128.load(above, 48), v128.load(below, 48));
      s6 = i32x4.add(s6, i32x4.dot_i16x8_s(firstHalves(a, b), weights));
      s7 = i32x4.add(s7, i32x4.dot_i16x8_s(lastHalves(a, b), weights));
    }
    v128.store(target + x, rounded(s0, s1));
    v128.store(target + x, rounded(s2, s3), 16);
    v128.store(target + x, rounded(s4, s5), 32);
    v128.store(target + x, rounded(s6, s7), 48);
  }
}

/**
 * Separable blur, the reference's sums. Rows are written in order and up to 62 bytes past their end, so source and
 * target need 64 spare bytes and may not overlap.
 *
 * @param taps half of the kernel, centre first, `count` int16, an even number of them
 * @param scratch `16 * count + 2 * (width + 2 * count) + 64` bytes
 */
export function blur(
  source: usize,
  target: usize,
  width: i32,
  height: i32,
  taps: usize,
  count: i32,
  scratch: usize,
): void {
  const stride = (<usize>width) << 1;
  const rows = scratch;
  const columns = rows + ((<usize>count) << 3);
  const line = columns + ((<usize>count) << 3) + ((<usize>count) << 1);
  for (let tap = 0; tap < count; tap += 1) {
    store<usize>(columns + ((<usize>tap) << 3), line - ((<usize>tap) << 1));
    store<usize>(columns + ((<usize>tap) << 3), line + ((<usize>tap) << 1), 4);
  }
  for (let y = 0; y < height; y += 1) {
    for (let tap = 0; tap < count; tap += 1) {
      store<usize>(rows + ((<usize>tap) << 3), source + <usize>reflect(y - tap, height) * stride);
      store<usize>(rows + ((<usize>tap) << 3), source + <usize>reflect(y + tap, height) * stride, 4);
    }
    blurLine(rows, line, stride, taps, count);
    for (let i = 1; i < count; i += 1) {
      store<i16>(line - ((<usize>i) << 1), load<i16>(line + ((<usize>reflect(-i, width)) << 1)));
      const beyond = width - 1 + i;
      store<i16>(line + ((<usize>beyond) << 1), load<i16>(line + ((<usize>reflect(beyond, width)) << 1)));
    }
    blurLine(columns, target + <usize>y * stride, stride, taps, count);
  }
}

/** Every second sample of every second row. */
export function halve(source: usize, target: usize, width: i32, height: i32): void {
  const half = width >> 1;
  for (let y = 0; y < height >> 1; y += 1) {
    const from = source + ((<usize>(2 * y) * width) << 1);
    const to = target + ((<usize>y * half) << 1);
    for (let x = 0; x < half; x += 1) store<i16>(to + ((<usize>x) << 1), load<i16>(from + ((<usize>x) << 2)));
  }
}

/** Four times the value between the two byte rows. */
function between(near: usize, far: usize, x: usize): i32 {
  return 3 * <i32>load<u8>(near + x) + <i32>load<u8>(far + x);
}

/** A sample of the scale space from sixteen times its luma. */
function sampleOf(sixteenths: i32): i32 {
  return (sixteenths << 3) - (128 << 7);
}

/** Writes one row of the doubled raster from the two byte rows next to it, 3/4 `near` and 1/4 `far`. */
function doubleRow(near: usize, far: usize, target: usize, width: i32): void {
  let here = between(near, far, 0);
  let before = here;
  for (let x = 0; x < width; x += 1) {
    const after = between(near, far, <usize>min(x + 1, width - 1));
    store<i16>(target, <i16>sampleOf(3 * here + before));
    store<i16>(target, <i16>sampleOf(3 * here + after), 2);
    target += 4;
    before = here;
    here = after;
  }
}

/** Linear enlargement of a byte raster to twice its size: sample `j` lies at `j / 2 - 1/4` of the source. */
export function double(source: usize, target: usize, width: i32, height: i32): void {
  for (let y = 0; y < 2 * height; y += 1) {
    const near = y >> 1;
    const far = min(height - 1, max(0, near + ((y & 1) == 0 ? -1 : 1)));
    doubleRow(source + <usize>(near * width), source + <usize>(far * width), target, width);
    target += (<usize>width) << 2;
  }
}
