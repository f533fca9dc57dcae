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
