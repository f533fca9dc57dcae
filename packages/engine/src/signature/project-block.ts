import type { Plane } from "../image/plane.ts";
import { BITS_PER_BLOCK, BLOCK, NIBBLES } from "./projections.ts";

/** Copies the square of `side` cells whose top left corner is (left, top), border cells repeated outside. */
function cutPatch(plane: Plane, left: number, top: number, side: number): Float32Array {
  const patch = new Float32Array(side * side);
  for (let y = 0; y < side; y += 1) {
    const row = Math.min(plane.height - 1, Math.max(0, top + y)) * plane.width;
    for (let x = 0; x < side; x += 1) {
      patch[y * side + x] = plane.data[row + Math.min(plane.width - 1, Math.max(0, left + x))]!;
    }
  }
  return patch;
}

/** Mean square of the block in the middle of a patch. */
function energyOf(patch: Float32Array, radius: number): number {
  const side = BLOCK + 2 * radius;
  let energy = 0;
  for (let y = radius; y < radius + BLOCK; y += 1) {
    for (let x = radius; x < radius + BLOCK; x += 1) energy += patch[y * side + x]! ** 2 / (BLOCK * BLOCK);
  }
  return energy;
}

/** A block of a band-pass map under its secret vectors. */
export interface ProjectedBlock {
  /** The map around the block, (BLOCK + 2 radius) cells square, and the mean square of the block itself. */
  readonly patch: Float32Array;
  readonly energy: number;
  /**
   * The products of the projection pairs at every shift of up to `radius` cells: entry `bit * shifts + shift`, shifts
   * row by row from (-radius, -radius).
   */
  readonly products: Float32Array;
}

/** Projects the block at (left, top): what the vector kernels are checked against. `nibbles`: of the block. */
export function projectBlock(
  band: Plane,
  left: number,
  top: number,
  radius: number,
  nibbles: Uint8Array,
): ProjectedBlock {
  const side = BLOCK + 2 * radius;
  const patch = cutPatch(band, left - radius, top - radius, side);
  /** The sum of four neighbours, signed as the bits of a nibble say. */
  const signed = (at: number, signs: number): number => {
    const [a, b, c, d] = patch.subarray(at, at + 4) as unknown as [number, number, number, number];
    return Math.fround(
      (signs & 1 ? -a : a) + (signs & 2 ? -b : b) + (signs & 4 ? -c : c) + (signs & 8 ? -d : d),
    );
  };
  const reach = 2 * radius + 1;
  const projection = (vector: number, dx: number, dy: number): number => {
    let sum = 0;
    for (let row = 0; row < BLOCK; row += 1) {
      const at = (row + dy) * side + dx;
      const n = vector * NIBBLES + row * 3;
      sum += signed(at, nibbles[n]!) + signed(at + 4, nibbles[n + 1]!) + signed(at + 8, nibbles[n + 2]!);
    }
    return sum;
  };
  const products = new Float32Array(BITS_PER_BLOCK * reach * reach);
  for (let k = 0; k < products.length; k += 1) {
    const shift = k % (reach * reach);
    const [dx, dy] = [shift % reach, Math.floor(shift / reach)];
    const bit = Math.floor(k / (reach * reach));
    products[k] = projection(bit, dx, dy) * projection(bit + BITS_PER_BLOCK, dx, dy);
  }
  return { patch, energy: energyOf(patch, radius), products };
}

/** Agreement of a block's bits with its products at each shift: the bits as +-1, weighted by the products. */
export function agreeAtShifts(bits: number, products: Float32Array): Float64Array {
  const shifts = products.length / BITS_PER_BLOCK;
  const agreement = new Float64Array(shifts);
  for (let shift = 0; shift < shifts; shift += 1) {
    let along = 0;
    let total = 1e-3;
    for (let bit = 0; bit < BITS_PER_BLOCK; bit += 1) {
      const product = products[bit * shifts + shift]!;
      along += (bits >> bit) & 1 ? product : -product;
      total += Math.abs(product);
    }
    agreement[shift] = along / total;
  }
  return agreement;
}
