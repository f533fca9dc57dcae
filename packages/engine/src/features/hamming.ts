/** Number of ones in four 32-bit words. */
function ones(a: number, b: number, c: number, d: number): number {
  const v0 = a - ((a >>> 1) & 0x55555555);
  const v1 = b - ((b >>> 1) & 0x55555555);
  const v2 = c - ((c >>> 1) & 0x55555555);
  const v3 = d - ((d >>> 1) & 0x55555555);
  const low = (v0 & 0x33333333) + ((v0 >>> 2) & 0x33333333) + (v1 & 0x33333333) + ((v1 >>> 2) & 0x33333333);
  const high = (v2 & 0x33333333) + ((v2 >>> 2) & 0x33333333) + (v3 & 0x33333333) + ((v3 >>> 2) & 0x33333333);
  const bytes =
    (low & 0x0f0f0f0f) + ((low >>> 4) & 0x0f0f0f0f) + (high & 0x0f0f0f0f) + ((high >>> 4) & 0x0f0f0f0f);
  return Math.imul(bytes, 0x01010101) >>> 24;
}

/** Number of differing bits of descriptor `i` of `a` and descriptor `j` of `b`. */
export function hamming(a: Uint32Array, i: number, b: Uint32Array, j: number): number {
  const [p, q] = [4 * i, 4 * j];
  return ones(a[p]! ^ b[q]!, a[p + 1]! ^ b[q + 1]!, a[p + 2]! ^ b[q + 2]!, a[p + 3]! ^ b[q + 3]!);
}

/** Number of ones in two 32-bit words. */
function onesOfHalf(a: number, b: number): number {
  const v0 = a - ((a >>> 1) & 0x55555555);
  const v1 = b - ((b >>> 1) & 0x55555555);
  const fours = (v0 & 0x33333333) + ((v0 >>> 2) & 0x33333333) + (v1 & 0x33333333) + ((v1 >>> 2) & 0x33333333);
  return Math.imul((fours & 0x0f0f0f0f) + ((fours >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24;
}

/**
 * How many of the first `count` descriptors of `others` differ from descriptor `i` of `own` by at most so many bits;
 * `enough` at most.
 */
export function countNear(
  own: Uint32Array,
  i: number,
  { others, count, bits, enough }: { others: Uint32Array; count: number; bits: number; enough: number },
): number {
  const [a, b, c, d] = [own[4 * i]!, own[4 * i + 1]!, own[4 * i + 2]!, own[4 * i + 3]!];
  let near = 0;
  for (let at = 0; at < 4 * count && near < enough; at += 4) {
    // The first half tells of most.
    const first = onesOfHalf(a ^ others[at]!, b ^ others[at + 1]!);
    if (first > bits) continue;
    if (first + onesOfHalf(c ^ others[at + 2]!, d ^ others[at + 3]!) <= bits) near += 1;
  }
  return near;
}
