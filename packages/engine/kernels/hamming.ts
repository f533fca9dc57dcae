/** Others are compared this many at a time: plane `b` of a block holds bit `b` of each of them, one bit a lane. */
const BLOCK: i32 = 128;
const PLANES: i32 = 128;
const PLANE: usize = 16;
const BLOCK_BYTES: usize = <usize>PLANES * PLANE;
const DESCRIPTOR: usize = 16;

const column: usize = memory.data(16, 16);
/** One descriptor, a byte a bit: 0 or 255. */
const spread: usize = memory.data(128, 16);

/** Writes the planes of all blocks of the others; lanes beyond the last one are zero. */
function slice(others: usize, count: i32, planes: usize): void {
  memory.fill(planes, 0, <usize>((count + BLOCK - 1) / BLOCK) * BLOCK_BYTES);
  for (let first = 0; first < count; first += 16) {
    const to = planes + <usize>(first / BLOCK) * BLOCK_BYTES + (<usize>(first % BLOCK) >> 3);
    for (let byte: usize = 0; byte < DESCRIPTOR; byte += 1) {
      for (let i = 0; i < 16; i += 1) {
        const from = others + <usize>(first + i) * DESCRIPTOR + byte;
        store<u8>(column + i, first + i < count ? load<u8>(from) : 0);
      }
      let bits = v128.load(column);
      for (let bit = 7; bit >= 0; bit -= 1) {
        store<u16>(to + (8 * byte + <usize>bit) * PLANE, <u16>i8x16.bitmask(bits));
        bits = i8x16.add(bits, bits);
      }
    }
  }
}

function spreadBits(descriptor: usize): void {
  const own = v128.load(descriptor);
  const masks = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  let bytes = i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
  for (let at = spread; at < spread + <usize>PLANES; at += 16) {
    v128.store(at, i8x16.eq(v128.and(i8x16.swizzle(own, bytes), masks), masks));
    bytes = i8x16.add(bytes, i8x16.splat(2));
  }
}

/** Where a plane's bits differ from the spread descriptor's. */
function difference(planes: usize, bit: usize): v128 {
  return v128.xor(v128.load8_splat(spread + bit), v128.load(planes + bit * PLANE));
}

/** Sum and carry of three bits in each lane. */
function sum(a: v128, b: v128, c: v128): v128 {
  return v128.xor(v128.xor(a, b), c);
}

function carry(a: v128, b: v128, c: v128): v128 {
  return v128.or(v128.and(a, b), v128.and(v128.xor(a, b), c));
}

/** A number's bit in every lane. */
function everywhere(value: i32, bit: i32): v128 {
  return i8x16.splat(<i8>-((value >> bit) & 1));
}

/** Lanes of a block that are nearer than `far` to the spread descriptor. */
function nearLanes(planes: usize, far: i32): v128 {
  // Counted from 128 - far up, so that bit 7 of a lane's count says whether it is far.
  const from = 128 - far;
  let ones = everywhere(from, 0);
  let twos = everywhere(from, 1);
  let fours = everywhere(from, 2);
  let bit3 = everywhere(from, 3);
  let bit4 = everywhere(from, 4);
  let bit5 = everywhere(from, 5);
  let bit6 = everywhere(from, 6);
  let bit7 = i64x2.splat(0);
  for (let bit: usize = 0; bit < <usize>PLANES; bit += 8) {
    const d0 = difference(planes, bit);
    const d1 = difference(planes, bit + 1);
    const twosA = carry(ones, d0, d1);
    ones = sum(ones, d0, d1);
    const d2 = difference(planes, bit + 2);
    const d3 = difference(planes, bit + 3);
    const twosB = carry(ones, d2, d3);
    ones = sum(ones, d2, d3);
    const foursA = carry(twos, twosA, twosB);
    twos = sum(twos, twosA, twosB);
    const d4 = difference(planes, bit + 4);
    const d5 = difference(planes, bit + 5);
    const twosC = carry(ones, d4, d5);
    ones = sum(ones, d4, d5);
    const d6 = difference(planes, bit + 6);
    const d7 = difference(planes, bit + 7);
    const twosD = carry(ones, d6, d7);
    ones = sum(ones, d6, d7);
    const foursB = carry(twos, twosC, twosD);
    twos = sum(twos, twosC, twosD);
    const to3 = carry(fours, foursA, foursB);
    fours = sum(fours, foursA, foursB);
    const to4 = v128.and(bit3, to3);
    bit3 = v128.xor(bit3, to3);
    const to5 = v128.and(bit4, to4);
    bit4 = v128.xor(bit4, to4);
    const to6 = v128.and(bit5, to5);
    bit5 = v128.xor(bit5, to5);
    bit7 = v128.or(bit7, v128.and(bit6, to6));
    bit6 = v128.xor(bit6, to6);
  }
  return v128.not(bit7);
}

let nearest: i32 = 0;
let second: i32 = 0;
let name: i32 = 0;

/** Takes the set lanes, of others from `first` on, into account; of equally near ones the lower name stays. */
function consider(lanes: u64, first: i32, descriptor: usize, others: usize, otherCount: i32): void {
  for (; lanes != 0; lanes &= lanes - 1) {
    const other = first + <i32>ctz(lanes);
    if (other >= otherCount) return;
    const at = others + <usize>other * DESCRIPTOR;
    const distance =
      <i32>popcnt(load<u64>(descriptor) ^ load<u64>(at)) +
      <i32>popcnt(load<u64>(descriptor, 8) ^ load<u64>(at, 8));
    if (distance < nearest) {
      second = nearest;
      nearest = distance;
      name = other;
    } else {
      second = min(second, distance);
    }
  }
}

/**
 * For each of `count` descriptors (16 bytes) writes three int32: which of the `others` is nearest (of equally near ones
 * the first), at what distance, and the distance of the second nearest. What is not nearer than `far` (1 to 128) counts
 * as absent: -1, and `far` for its distance.
 *
 * @param planes room for 2,048 bytes for each 128 others or part of them
 */
export function nearestTwo(
  descriptors: usize,
  count: i32,
  others: usize,
  otherCount: i32,
  far: i32,
  planes: usize,
  target: usize,
): void {
  slice(others, otherCount, planes);
  for (let i = 0; i < count; i += 1) {
    const own = descriptors + <usize>i * DESCRIPTOR;
    nearest = far;
    second = far;
    name = -1;
    spreadBits(own);
    let block = planes;
    for (let first = 0; first < otherCount; first += BLOCK, block += BLOCK_BYTES) {
      const near = nearLanes(block, far);
      if (!v128.any_true(near)) continue;
      consider(i64x2.extract_lane(near, 0), first, own, others, otherCount);
      consider(i64x2.extract_lane(near, 1), first + 64, own, others, otherCount);
    }
    const to = target + <usize>(12 * i);
    store<i32>(to, name);
    store<i32>(to, nearest, 4);
    store<i32>(to, second, 8);
  }
  memory.fill(column, 0, 16);
  memory.fill(spread, 0, 128);
}
