// Reading the blocks of an original's signature: the same float64 steps, in the same order, as the reference.

const BLOCK: i32 = 12;
const BITS: usize = 16;
/** Bytes of the key stream for a block. */
const STREAM: usize = 576;
/** Patterns of four signs of one vector, two bytes each. */
const VECTOR: usize = 72;
/** Bytes of one row of sums of four neighbours under one pattern of signs, 16 float64, and under all of them. */
const LINE: usize = 128;
const ROW: usize = 16 * LINE;
/** Bytes of the sums of one group of four under all patterns, float64 each. */
const GROUP: usize = 128;

function promoted(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at));
}

/** Copies a square of `side` cells, border cells repeated outside of the plane. */
function cutPatch(plane: usize, width: i32, height: i32, left: i32, top: i32, side: i32, patch: usize): void {
  const isWithin = left >= 0 && left + side <= width;
  for (let y = 0; y < side; y += 1) {
    const row = plane + ((<usize>(min(height - 1, max(0, top + y)) * width)) << 2);
    if (isWithin) {
      memory.copy(patch, row + (left << 2), (<usize>side) << 2);
      patch += (<usize>side) << 2;
      continue;
    }
    for (let x = 0; x < side; x += 1) {
      store<f32>(patch, load<f32>(row + (min(width - 1, max(0, left + x)) << 2)));
      patch += 4;
    }
  }
}

/** All sums of four signed neighbours: row by row, pattern by pattern, `LINE` bytes each. */
function tabulate(patch: usize, side: i32, table: usize): void {
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side - 3; x += 2) {
      const at = patch + ((<usize>(y * side + x)) << 2);
      const a = promoted(at),
        b = promoted(at + 4),
        c = promoted(at + 8),
        d = promoted(at + 12);
      const to = table + <usize>y * ROW + ((<usize>x) << 3);
      for (let signs: usize = 0; signs < 8; signs += 1) {
        let sum = signs & 1 ? f64x2.neg(a) : a;
        sum = f64x2.add(sum, signs & 2 ? f64x2.neg(b) : b);
        sum = f64x2.add(sum, signs & 4 ? f64x2.neg(c) : c);
        sum = f64x2.promote_low_f32x4(f32x4.demote_f64x2_zero(f64x2.add(sum, d)));
        v128.store(to + signs * LINE, sum);
        v128.store(to + (15 - signs) * LINE, f64x2.neg(sum));
      }
    }
  }
}

/**
 * Where the sums under each pattern of the stream lie in a list of them, uint16 each. `shift`: of a pattern's number,
 * for the bytes from one to the next.
 */
function unpack(stream: usize, patterns: usize, shift: i32): void {
  for (let k: usize = 0; k < STREAM; k += 4) {
    const bytes = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(stream + k)));
    const low = i32x4.shl(v128.and(bytes, i32x4.splat(15)), shift);
    const high = i32x4.shl(v128.and(bytes, i32x4.splat(240)), shift + 12);
    v128.store(patterns + (k << 2), v128.or(low, high));
  }
}

/** The sum of a row's three groups of four under their signs, at two neighbouring shifts. */
function rowSum(first: usize, second: usize, third: usize): v128 {
  return f64x2.add(f64x2.add(v128.load(first), v128.load(second, 32)), v128.load(third, 64));
}

function storeProducts(at: usize, one: v128, other: v128): void {
  v128.store64_lane(at, f32x4.demote_f64x2_zero(f64x2.mul(one, other)), 0);
}

/** Products of two vectors' sums at two neighbouring shifts. */
function twoProducts(row: usize, one: usize, other: usize, products: usize): void {
  let a = f64x2.splat(0);
  let b = f64x2.splat(0);
  for (const end = row + <usize>BLOCK * ROW; row < end; row += ROW) {
    a = f64x2.add(a, rowSum(row + load<u16>(one), row + load<u16>(one, 2), row + load<u16>(one, 4)));
    b = f64x2.add(b, rowSum(row + load<u16>(other), row + load<u16>(other, 2), row + load<u16>(other, 4)));
    one += 6;
    other += 6;
  }
  storeProducts(products, a, b);
}

/** The same at six shifts. */
function sixProducts(row: usize, one: usize, other: usize, products: usize): void {
  let a0 = f64x2.splat(0),
    a1 = f64x2.splat(0),
    a2 = f64x2.splat(0);
  let b0 = f64x2.splat(0),
    b1 = f64x2.splat(0),
    b2 = f64x2.splat(0);
  for (const end = row + <usize>BLOCK * ROW; row < end; row += ROW) {
    let first = row + load<u16>(one);
    let second = row + load<u16>(one, 2);
    let third = row + load<u16>(one, 4);
    a0 = f64x2.add(a0, rowSum(first, second, third));
    a1 = f64x2.add(a1, rowSum(first + 16, second + 16, third + 16));
    a2 = f64x2.add(a2, rowSum(first + 32, second + 32, third + 32));
    first = row + load<u16>(other);
    second = row + load<u16>(other, 2);
    third = row + load<u16>(other, 4);
    b0 = f64x2.add(b0, rowSum(first, second, third));
    b1 = f64x2.add(b1, rowSum(first + 16, second + 16, third + 16));
    b2 = f64x2.add(b2, rowSum(first + 32, second + 32, third + 32));
    one += 6;
    other += 6;
  }
  storeProducts(products, a0, b0);
  storeProducts(products + 8, a1, b1);
  storeProducts(products + 16, a2, b2);
}

/**
 * The sums of four signed neighbours where the groups of four lie, for a block in its place: row by row, group by
 * group, pattern by pattern, float64 each.
 */
function tabulateInPlace(patch: usize, table: usize): void {
  const flipFirst = f64x2(0, -0);
  for (const end = patch + <usize>(4 * BLOCK * BLOCK); patch < end; patch += 16) {
    // Two patterns at a time: they differ in the sign of the first alone.
    const a = v128.xor(f64x2.splat(<f64>load<f32>(patch)), flipFirst);
    const b = f64x2.splat(<f64>load<f32>(patch, 4)),
      c = f64x2.splat(<f64>load<f32>(patch, 8)),
      d = f64x2.splat(<f64>load<f32>(patch, 12));
    for (let signs: usize = 0; signs < 8; signs += 2) {
      let sum = f64x2.add(a, signs & 2 ? f64x2.neg(b) : b);
      sum = f64x2.add(sum, signs & 4 ? f64x2.neg(c) : c);
      sum = f64x2.promote_low_f32x4(f32x4.demote_f64x2_zero(f64x2.add(sum, d)));
      v128.store(table + (signs << 3), sum);
      v128.store(table + ((14 - signs) << 3), f64x2.neg(v128.shuffle<f64>(sum, sum, 1, 0)));
    }
    table += GROUP;
  }
}

/** The sum of all groups of a block in its place under the signs of one vector. */
function sumInPlace(table: usize, vector: usize): f64 {
  let sum: f64 = 0;
  for (const end = vector + VECTOR; vector < end; vector += 6) {
    sum +=
      load<f64>(table + load<u16>(vector)) +
      load<f64>(table + load<u16>(vector, 2), GROUP) +
      load<f64>(table + load<u16>(vector, 4), 2 * GROUP);
    table += 3 * GROUP;
  }
  return sum;
}

/** `projectBlock` of a block in its place alone. */
function projectInPlace(patch: usize, stream: usize, table: usize, products: usize): void {
  tabulateInPlace(patch, table);
  const patterns = table + <usize>(3 * BLOCK) * GROUP;
  unpack(stream, patterns, 3);
  for (let bit: usize = 0; bit < BITS; bit += 1) {
    const one = patterns + bit * VECTOR;
    const product = sumInPlace(table, one) * sumInPlace(table, one + BITS * VECTOR);
    store<f32>(products + (bit << 2), <f32>product);
  }
}

/**
 * Products of a block's projection pairs at every shift of up to `radius` cells (3 at most), as the reference orders
 * them. The block lies at (left, top) of the plane; `stream`: its part of the key stream. `patch` becomes the square of
 * BLOCK + 2 radius cells around it; `table`, of (BLOCK + 2 radius) x 2,048 + 2,304 bytes, is scratch; `products` takes
 * up to 4 bytes past its end.
 */
export function projectBlock(
  plane: usize,
  width: i32,
  height: i32,
  left: i32,
  top: i32,
  radius: i32,
  stream: usize,
  patch: usize,
  table: usize,
  products: usize,
): void {
  const side = BLOCK + 2 * radius;
  const reach = 2 * radius + 1;
  cutPatch(plane, width, height, left - radius, top - radius, side, patch);
  if (radius == 0) {
    projectInPlace(patch, stream, table, products);
    return;
  }
  tabulate(patch, side, table);
  const patterns = table + <usize>side * ROW;
  unpack(stream, patterns, 7);
  for (let bit: usize = 0; bit < BITS; bit += 1) {
    const one = patterns + bit * VECTOR;
    const other = one + BITS * VECTOR;
    for (let dy = 0; dy < reach; dy += 1) {
      const row = table + <usize>dy * ROW;
      let dx = 0;
      if (reach > 4) {
        sixProducts(row, one, other, products);
        dx = 6;
      }
      for (; dx < reach; dx += 2) twoProducts(row + (dx << 3), one, other, products + (dx << 2));
      products += (<usize>reach) << 2;
    }
  }
}

/** Mean square of the block in the middle of a patch. */
export function patchEnergy(patch: usize, radius: i32): f64 {
  const side = BLOCK + 2 * radius;
  let energy: f64 = 0;
  for (let y = radius; y < radius + BLOCK; y += 1) {
    const end = patch + ((<usize>(y * side + radius + BLOCK)) << 2);
    for (let at = end - 4 * BLOCK; at < end; at += 4) {
      const value = <f64>load<f32>(at);
      energy += (value * value) / <f64>(BLOCK * BLOCK);
    }
  }
  return energy;
}

/**
 * Agreement of a block's bits with its products at each of `shifts` shifts, float64: the bits as +-1, weighted by the
 * products. Reads `products`, and writes `agreement`, up to a number past the end.
 */
export function agreeAtShifts(bits: i32, products: usize, shifts: i32, agreement: usize): void {
  const line = (<usize>shifts) << 2;
  for (let shift = 0; shift < shifts; shift += 2) {
    let along = f64x2.splat(0);
    let total = f64x2.splat(1e-3);
    let at = products + ((<usize>shift) << 2);
    for (let bit = 0; bit < <i32>BITS; bit += 1) {
      const product = promoted(at);
      along = (bits >> bit) & 1 ? f64x2.add(along, product) : f64x2.sub(along, product);
      total = f64x2.add(total, f64x2.abs(product));
      at += line;
    }
    v128.store(agreement + ((<usize>shift) << 3), f64x2.div(along, total));
  }
}
