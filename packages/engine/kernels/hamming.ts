const ABSENT: i32 = 129;

/** Set bits of the difference of two descriptors, in four partial sums. */
function partialDistance(a: v128, at: usize): v128 {
  const bits = i8x16.popcnt(v128.xor(a, v128.load(at)));
  return i32x4.dot_i16x8_s(i16x8.extadd_pairwise_i8x16_u(bits), i16x8.splat(1));
}

/** The sums of the lanes of four vectors. */
function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(i32x4.shuffle(a, b, 0, 1, 4, 5), i32x4.shuffle(a, b, 2, 3, 6, 7));
  const cd = i32x4.add(i32x4.shuffle(c, d, 0, 1, 4, 5), i32x4.shuffle(c, d, 2, 3, 6, 7));
  return i32x4.add(i32x4.shuffle(ab, cd, 0, 2, 4, 6), i32x4.shuffle(ab, cd, 1, 3, 5, 7));
}

/** Distances of one descriptor to four that lie one after the other. */
function fourDistances(one: v128, at: usize): v128 {
  return sums(
    partialDistance(one, at),
    partialDistance(one, at + 16),
    partialDistance(one, at + 32),
    partialDistance(one, at + 48),
  );
}

let nearest: i32 = 0;
let second: i32 = 0;
let name: i32 = 0;

/** Takes one lane's nearest, second nearest and name into account; of equally near ones the lower name stays. */
function merge(laneNearest: i32, laneSecond: i32, laneName: i32): void {
  if (laneNearest < nearest || (laneNearest == nearest && laneName < name)) {
    second = min(nearest, laneSecond);
    nearest = laneNearest;
    name = laneName;
  } else {
    second = min(second, laneNearest);
  }
}

/**
 * For each of `count` descriptors (16 bytes) writes three int32: which of the `others` is nearest (of equally near ones
 * the first; -1 without any), at what distance, and the distance of the second nearest; 129 where there is none.
 */
export function nearestTwo(
  descriptors: usize,
  count: i32,
  others: usize,
  otherCount: i32,
  target: usize,
): void {
  const whole = otherCount & ~3;
  for (let i = 0; i < count; i++) {
    const own = v128.load(descriptors + ((<usize>i) << 4));
    let best = i32x4.splat(ABSENT);
    let next = i32x4.splat(ABSENT);
    let names = i32x4.splat(-1);
    let here = i32x4(0, 1, 2, 3);
    for (let k = 0; k < whole; k += 4) {
      const distance = fourDistances(own, others + ((<usize>k) << 4));
      const nearer = i32x4.lt_s(distance, best);
      next = i32x4.min_s(next, i32x4.max_s(best, distance));
      names = v128.bitselect(here, names, nearer);
      best = i32x4.min_s(best, distance);
      here = i32x4.add(here, i32x4.splat(4));
    }
    nearest = i32x4.extract_lane(best, 0);
    second = i32x4.extract_lane(next, 0);
    name = i32x4.extract_lane(names, 0);
    merge(i32x4.extract_lane(best, 1), i32x4.extract_lane(next, 1), i32x4.extract_lane(names, 1));
    merge(i32x4.extract_lane(best, 2), i32x4.extract_lane(next, 2), i32x4.extract_lane(names, 2));
    merge(i32x4.extract_lane(best, 3), i32x4.extract_lane(next, 3), i32x4.extract_lane(names, 3));
    const last = fourDistances(own, others + ((<usize>whole) << 4));
    if (whole < otherCount) merge(i32x4.extract_lane(last, 0), ABSENT, whole);
    if (whole + 1 < otherCount) merge(i32x4.extract_lane(last, 1), ABSENT, whole + 1);
    if (whole + 2 < otherCount) merge(i32x4.extract_lane(last, 2), ABSENT, whole + 2);
    const to = target + <usize>(12 * i);
    store<i32>(to, name);
    store<i32>(to, nearest, 4);
    store<i32>(to, second, 8);
  }
}
