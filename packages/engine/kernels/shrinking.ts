// Area averages of a byte raster: the same float64 steps, in the same order, as the reference.

/** Bytes of the four rows' values at one place, float64. */
const PLACE: usize = 32;

/** Lays the values of four rows side by side. */
function interleave(
  first: usize,
  second: usize,
  third: usize,
  fourth: usize,
  width: i32,
  scratch: usize,
): void {
  const zero = i64x2.splat(0);
  for (let x = 0; x < width; x += 4) {
    const upper = v128.shuffle<i8>(
      v128.load32_zero(first + x),
      v128.load32_zero(second + x),
      0,
      16,
      4,
      4,
      1,
      17,
      4,
      4,
      2,
      18,
      4,
      4,
      3,
      19,
      4,
      4,
    );
    const lower = v128.shuffle<i8>(
      v128.load32_zero(third + x),
      v128.load32_zero(fourth + x),
      0,
      16,
      4,
      4,
      1,
      17,
      4,
      4,
      2,
      18,
      4,
      4,
      3,
      19,
      4,
      4,
    );
    // Place by place the values of the rows 1 to 4, a byte each.
    let bytes = v128.shuffle<i16>(upper, lower, 0, 8, 2, 10, 4, 12, 6, 14);
    const to = scratch + <usize>x * PLACE;
    for (let place: usize = 0; place < 4 * PLACE; place += PLACE) {
      const values = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes));
      v128.store(to + place, f64x2.convert_low_i32x4_u(values));
      v128.store(to + place, f64x2.convert_low_i32x4_u(v128.shuffle<f64>(values, zero, 1, 2)), 16);
      bytes = v128.shuffle<i32>(bytes, zero, 1, 2, 3, 4);
    }
  }
}

/**
 * Every row of a byte raster at `cells` cells, float32. Cell i covers `lengths[i]` places from `firsts[i]` on (int32),
 * `taps` weights a cell (float64). `scratch`: 32 bytes a place and 128 more; `source` is read up to 3 bytes past its
 * end.
 */
export function shrinkRows(
  source: usize,
  width: i32,
  height: i32,
  firsts: usize,
  lengths: usize,
  weights: usize,
  taps: i32,
  cells: i32,
  scratch: usize,
  rows: usize,
): void {
  for (let y = 0; y < height; y += 4) {
    const y1 = min(y + 1, height - 1);
    const y2 = min(y + 2, height - 1);
    const y3 = min(y + 3, height - 1);
    interleave(
      source + y * width,
      source + y1 * width,
      source + y2 * width,
      source + y3 * width,
      width,
      scratch,
    );
    for (let cell = 0; cell < cells; cell += 1) {
      let at = scratch + <usize>load<i32>(firsts + (cell << 2)) * PLACE;
      const end = at + <usize>load<i32>(lengths + (cell << 2)) * PLACE;
      let weight = weights + ((cell * taps) << 3);
      let upper = f64x2.splat(0);
      let lower = f64x2.splat(0);
      for (; at < end; at += PLACE) {
        const share = v128.load64_splat(weight);
        upper = f64x2.add(upper, f64x2.mul(share, v128.load(at)));
        lower = f64x2.add(lower, f64x2.mul(share, v128.load(at, 16)));
        weight += 8;
      }
      upper = f32x4.demote_f64x2_zero(upper);
      lower = f32x4.demote_f64x2_zero(lower);
      const to = rows + (cell << 2);
      store<f32>(to + ((y * cells) << 2), f32x4.extract_lane(upper, 0));
      store<f32>(to + ((y1 * cells) << 2), f32x4.extract_lane(upper, 1));
      store<f32>(to + ((y2 * cells) << 2), f32x4.extract_lane(lower, 0));
      store<f32>(to + ((y3 * cells) << 2), f32x4.extract_lane(lower, 1));
    }
  }
}

/**
 * The same down the columns of a float32 plane, each sum rounded to float32 from row to row. `target`: zeroed; up to 4
 * bytes past its end are written.
 */
export function shrinkColumns(
  rows: usize,
  width: i32,
  firsts: usize,
  lengths: usize,
  weights: usize,
  taps: i32,
  cells: i32,
  target: usize,
): void {
  const line = (<usize>width) << 2;
  for (let cell = 0; cell < cells; cell += 1) {
    const from = rows + <usize>load<i32>(firsts + (cell << 2)) * line;
    const end = from + <usize>load<i32>(lengths + (cell << 2)) * line;
    for (let x: usize = 0; x < line; x += 8) {
      let sum = f64x2.splat(0);
      let weight = weights + ((cell * taps) << 3);
      for (let at = from + x; at < end + x; at += line) {
        const value = f64x2.promote_low_f32x4(v128.load64_zero(at));
        sum = f64x2.add(sum, f64x2.mul(v128.load64_splat(weight), value));
        sum = f64x2.promote_low_f32x4(f32x4.demote_f64x2_zero(sum));
        weight += 8;
      }
      v128.store64_lane(target + <usize>cell * line + x, f32x4.demote_f64x2_zero(sum), 0);
    }
  }
}
