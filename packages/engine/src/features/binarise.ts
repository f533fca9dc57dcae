import { DESCRIPTOR_LENGTH } from "./sift/descriptor.ts";
import { learned } from "../learned/vocabulary-file.ts";

/** Words of a point's 128 bits. */
export const BITS_STRIDE = 4;

/** Where value [y][x][d] of a descriptor stands after the picture is mirrored. */
export function mirroredIndex(index: number): number {
  const [y, x, d] = [index >> 5, (index >> 3) & 3, index & 7];
  return ((3 - y) << 5) | (x << 3) | ((8 - d) & 7);
}

/** Where value [y][x][d] of a descriptor stands after light and dark are exchanged. */
export function invertedIndex(index: number): number {
  const [y, x, d] = [index >> 5, (index >> 3) & 3, index & 7];
  return ((3 - y) << 5) | ((3 - x) << 3) | d;
}

/** One threshold a value; constant over the mirror and inversion permutations, see `Features.bits`. */
const thresholds: Float32Array = Float32Array.from({ length: DESCRIPTOR_LENGTH }, (_, i) => {
  const orbit = [i, mirroredIndex(i), invertedIndex(i), mirroredIndex(invertedIndex(i))];
  return orbit.reduce((sum, at) => sum + learned.medians[at]!, 0) / orbit.length;
});

/**
 * Writes the 128 bits of a RootSIFT descriptor as descriptor `at` of `into`: bit i is set when value i is greater than
 * threshold i.
 */
export function binarise(descriptor: Float32Array, into: Uint32Array, at = 0): void {
  for (let word = 0, i = 0; word < BITS_STRIDE; word += 1) {
    let bits = 0;
    for (let bit = 0; bit < 32; bit += 1, i += 1) bits |= (descriptor[i]! > thresholds[i]! ? 1 : 0) << bit;
    into[BITS_STRIDE * at + word] = bits;
  }
}
