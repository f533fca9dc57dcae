/** BT.601 luma (bytes) of `count` RGB pixels; reads up to 16 bytes and writes up to 15 bytes past the end. */
export function luma(rgb: usize, target: usize, count: i32): void {
  const redGreen = i16x8(4899, 9617, 4899, 9617, 4899, 9617, 4899, 9617);
  const blueHalf = i16x8(1868, 8192, 1868, 8192, 1868, 8192, 1868, 8192);
  const ones = i32x4.splat(1 << 16);
  for (let x = 0; x < count; x += 4) {
    const pixels = v128.load(rgb + <usize>x * 3);
    const rg = i8x16.swizzle(pixels, i8x16(0, -1, 1, -1, 3, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1));
    const b = i8x16.swizzle(pixels, i8x16(2, -1, -1, -1, 5, -1, -1, -1, 8, -1, -1, -1, 11, -1, -1, -1));
    const sum = i32x4.add(i32x4.dot_i16x8_s(rg, redGreen), i32x4.dot_i16x8_s(v128.or(b, ones), blueHalf));
    const bytes = i8x16.swizzle(
      i32x4.shr_u(sum, 14),
      i8x16(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1),
    );
    store<i32>(target + x, i32x4.extract_lane(bytes, 0));
  }
}

/**
 * A row of `cells` bytes out of float32 sums: cell i averages `lengths[i]` of them from `firsts[i]` on (int32), `taps`
 * weights a cell (float64), rounded to the nearest.
 */
export function average(
  sums: usize,
  firsts: usize,
  lengths: usize,
  weights: usize,
  taps: i32,
  cells: i32,
  target: usize,
): void {
  for (let cell = 0; cell < cells; cell += 1) {
    let at = sums + ((<usize>load<i32>(firsts + (cell << 2))) << 2);
    const end = at + ((<usize>load<i32>(lengths + (cell << 2))) << 2);
    let weight = weights + ((cell * taps) << 3);
    let sum: f64 = 0;
    for (; at < end; at += 4) {
      sum += load<f64>(weight) * <f64>load<f32>(at);
      weight += 8;
    }
    store<u8>(target + cell, min(255, <i32>(sum + 0.5)));
  }
}

/** `sums[x] += weight * row[x]` for float32 sums of bytes; works in whole groups of four. */
export function accumulate(row: usize, sums: usize, weight: f32, count: i32): void {
  const factor = f32x4.splat(weight);
  for (let x = 0; x < count; x += 4) {
    const bytes = v128.load32_zero(row + x);
    const values = f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes)));
    const at = sums + ((<usize>x) << 2);
    v128.store(at, f32x4.add(v128.load(at), f32x4.mul(values, factor)));
  }
}
