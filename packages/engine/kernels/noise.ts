// How much a picture's pixels bend, whole numbers.

const BLOCK: usize = 16;

/** Eight columns of bends across rows: the pixels above and below less twice the one between, from `at` on. */
function bends(at: usize, stride: usize): v128 {
  const middle = v128.load8x8_u(at);
  const outer = i16x8.add(v128.load8x8_u(at - stride), v128.load8x8_u(at + stride));
  return i16x8.sub(outer, i16x8.shl(middle, 1));
}

/** Eight absolute responses to the mask 1 -2 1, -2 4 -2, 1 -2 1. */
function responses(at: usize, stride: usize): v128 {
  const outer = i16x8.add(bends(at - 1, stride), bends(at + 1, stride));
  return i16x8.abs(i16x8.sub(outer, i16x8.shl(bends(at, stride), 1)));
}

/**
 * Sums the absolute responses of `count` blocks of 16 x 16 pixels side by side, int32 each. `rows`: the 18 rows,
 * `stride` bytes each, of which the blocks leave out the first and the last; the first block begins at the second
 * column.
 */
export function bendSums(rows: usize, stride: usize, count: i32, target: usize): void {
  for (let block: usize = 0; block < <usize>count; block += 1) {
    let sums = i32x4.splat(0);
    let at = rows + stride + 1 + block * BLOCK;
    for (let row: usize = 0; row < BLOCK; row += 1) {
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_s(responses(at, stride)));
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_s(responses(at + 8, stride)));
      at += stride;
    }
    const sum =
      i32x4.extract_lane(sums, 0) +
      i32x4.extract_lane(sums, 1) +
      i32x4.extract_lane(sums, 2) +
      i32x4.extract_lane(sums, 3);
    store<i32>(target + (block << 2), sum);
  }
}
