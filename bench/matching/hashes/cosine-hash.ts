/**
 * A hash of the picture as a whole: one bit for each low cosine frequency, and the same of the picture in its eight
 * turns (four rotations, each also mirrored), the upright one first.
 */
export interface GlobalHash {
  readonly turns: readonly Uint32Array[];
  /** Whether the picture has enough of a structure for its hash to mean something. */
  readonly usable: boolean;
}

/** Cosine waves of frequency 1, 2, ... `count` over `side` samples; a constant factor is left out. */
function waves(side: number, count: number): Float64Array {
  return Float64Array.from({ length: count * side }, (_, at) => {
    const [frequency, sample] = [Math.floor(at / side) + 1, at % side];
    return Math.cos((Math.PI * frequency * (2 * sample + 1)) / (2 * side));
  });
}

/**
 * The `count` x `count` lowest frequencies of a square raster, those of the mean left out; rows are vertical
 * frequencies.
 */
export function lowFrequencies(raster: ArrayLike<number>, side: number, count: number): Float64Array {
  const wave = waves(side, count);
  const half = new Float64Array(count * side);
  for (let v = 0; v < count; v += 1) {
    for (let y = 0; y < side; y += 1) {
      for (let x = 0; x < side; x += 1) half[v * side + x]! += wave[v * side + y]! * raster[y * side + x]!;
    }
  }
  const block = new Float64Array(count * count);
  for (let v = 0; v < count; v += 1) {
    for (let u = 0; u < count; u += 1) {
      for (let x = 0; x < side; x += 1) block[v * count + u]! += half[v * side + x]! * wave[u * side + x]!;
    }
  }
  return block;
}

/** Bits for frequencies above the median of the block, row-major from the lowest bit. */
function bitsOf(block: Float64Array): Uint32Array {
  const median = block.toSorted()[block.length / 2 - 1]!;
  const bits = new Uint32Array(block.length / 32);
  for (const [at, value] of block.entries()) if (value > median) bits[at >> 5]! |= 1 << (at & 31);
  return bits;
}

/** Hashes of all eight turns. Mirroring an axis changes the sign of its odd frequencies; they begin with 1. */
export function turnedBits(block: Float64Array, count: number): Uint32Array[] {
  const turns: Uint32Array[] = [];
  for (const exchanged of [false, true]) {
    for (const mirrorX of [1, -1]) {
      for (const mirrorY of [1, -1]) {
        const turned = Float64Array.from({ length: count * count }, (_, at) => {
          const [v, u] = [Math.floor(at / count), at % count];
          const value = exchanged ? block[u * count + v]! : block[at]!;
          return value * (u % 2 === 0 ? mirrorX : 1) * (v % 2 === 0 ? mirrorY : 1);
        });
        turns.push(bitsOf(turned));
      }
    }
  }
  return turns;
}

function differing(a: Uint32Array, b: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < a.length; i += 1) {
    for (let left = a[i]! ^ b[i]!; left !== 0; left &= left - 1) count += 1;
  }
  return count;
}

/** Bits in which the query, turned as suits it best, differs from an original. */
export function hashDistance(query: GlobalHash, original: GlobalHash): number {
  const upright = original.turns[0]!;
  return Math.min(...query.turns.map((turn) => differing(turn, upright)));
}
