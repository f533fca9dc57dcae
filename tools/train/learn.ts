import { inverted, mirrored } from "@colophon/engine/lab";
import type { Random } from "@colophon/testing/pictures.ts";
import { inverseRoot, product, symmetricEigen } from "./eigen.ts";
import { kMeans } from "./k-means.ts";

const LENGTH = 128;
const PARTS = 3;
const PART_LENGTH = 16;
const CENTRES = 1024;
/** Added to the noise, as a share of its mean variance, so that no direction counts as free of noise. */
const FLOOR = 0.02;

/** What descriptors teach, in the order of the vocabulary's file. */
export interface Learned {
  readonly medians: Float32Array;
  readonly mean: Float32Array;
  /** 48 rows of 128, grouped by part. */
  readonly projection: Float32Array;
  readonly mirrorFold: Float32Array;
  readonly inversionFold: Float32Array;
  /** Per part 1,024 rows of 16. */
  readonly centres: readonly Float32Array[];
}

/**
 * Learns everything but the stop list.
 *
 * @param descriptors of originals, rows of 128
 * @param pairs of one point in a picture and in an edited copy, alternately
 * @param report called with what is being done
 */
export function learn(
  descriptors: Float32Array,
  pairs: Float32Array,
  random: Random,
  report: (text: string) => void,
): Learned {
  report("learning medians and folds");
  const medians = mediansOf(descriptors);
  const spread = bothWays(covariance(descriptors, meanOf(descriptors)));
  const noise = withFloor(bothWays(differences(pairs)));
  const root = inverseRoot(noise, LENGTH);
  const signal = product(product(root, spread, LENGTH), root, LENGTH);
  // Antisymmetric under the inversion and symmetric under the mirror, so that neither fold undoes the other.
  const inversionFold = direction(signal, root, (from) => part(part(from, inverted, -1), mirrored, 1));
  const mirrorFold = direction(signal, root, (from) => part(from, mirrored, -1));

  report("learning the projection");
  const folded = foldAll(descriptors, inversionFold, mirrorFold);
  const foldedPairs = agreeing(pairs, foldAll(pairs, inversionFold, mirrorFold));
  const mean = meanOf(folded);
  const foldedRoot = inverseRoot(withFloor(differences(foldedPairs)), LENGTH);
  const whitened = product(product(foldedRoot, covariance(folded, mean), LENGTH), foldedRoot, LENGTH);
  const { vectors } = symmetricEigen(whitened, LENGTH);
  const projection = new Float32Array(PARTS * PART_LENGTH * LENGTH);
  for (let k = 0; k < PARTS * PART_LENGTH; k += 1) {
    const row = (k % PARTS) * PART_LENGTH + Math.floor(k / PARTS);
    projection.set(times(foldedRoot, vectors[k]!), row * LENGTH);
  }
  const centres = Array.from({ length: PARTS }, (_, n) => {
    report(`learning codebook ${n + 1} of ${PARTS}`);
    return kMeans(project(folded, mean, projection, n), PART_LENGTH, CENTRES, random);
  });
  return { medians, mean: Float32Array.from(mean), projection, mirrorFold, inversionFold, centres };
}

function mediansOf(descriptors: Float32Array): Float32Array {
  const count = descriptors.length / LENGTH;
  return Float32Array.from({ length: LENGTH }, (_, i) => {
    const column = Float32Array.from({ length: count }, (_v, k) => descriptors[k * LENGTH + i]!).toSorted();
    return (column[(count - 1) >> 1]! + column[count >> 1]!) / 2;
  });
}

function meanOf(descriptors: Float32Array): Float64Array {
  const mean = new Float64Array(LENGTH);
  for (let k = 0; k < descriptors.length; k += 1) mean[k % LENGTH]! += descriptors[k]!;
  return mean.map((sum) => (sum * LENGTH) / descriptors.length);
}

function covariance(descriptors: Float32Array, mean: Float64Array): Float64Array {
  const sums = new Float64Array(LENGTH * LENGTH);
  const row = new Float64Array(LENGTH);
  for (let at = 0; at < descriptors.length; at += LENGTH) {
    for (let k = 0; k < LENGTH; k += 1) row[k] = descriptors[at + k]! - mean[k]!;
    addSquare(sums, row);
  }
  return mirroredUp(sums, descriptors.length / LENGTH);
}

/** The covariance of what lies between the two of a pair. */
function differences(pairs: Float32Array): Float64Array {
  const sums = new Float64Array(LENGTH * LENGTH);
  const row = new Float64Array(LENGTH);
  for (let at = 0; at < pairs.length; at += 2 * LENGTH) {
    for (let k = 0; k < LENGTH; k += 1) row[k] = pairs[at + k]! - pairs[at + LENGTH + k]!;
    addSquare(sums, row);
  }
  return mirroredUp(sums, pairs.length / (2 * LENGTH));
}

function addSquare(sums: Float64Array, row: Float64Array): void {
  for (let i = 0; i < LENGTH; i += 1) {
    const value = row[i]!;
    for (let j = i; j < LENGTH; j += 1) sums[i * LENGTH + j]! += value * row[j]!;
  }
}

function mirroredUp(sums: Float64Array, count: number): Float64Array {
  return sums.map((_, k) => {
    const [i, j] = [Math.floor(k / LENGTH), k % LENGTH];
    return sums[Math.min(i, j) * LENGTH + Math.max(i, j)]! / count;
  });
}

function withFloor(noise: Float64Array): Float64Array {
  let trace = 0;
  for (let k = 0; k < LENGTH; k += 1) trace += noise[k * (LENGTH + 1)]!;
  return noise.map((value, k) => (k % (LENGTH + 1) === 0 ? value + (FLOOR * trace) / LENGTH : value));
}

/**
 * A covariance as if every picture had been seen mirrored and inverted as well: it then commutes with both
 * permutations.
 */
function bothWays(matrix: Float64Array): Float64Array {
  let sum = matrix;
  for (const permutation of [mirrored, inverted]) {
    const one = sum;
    sum = one.map((value, k) => {
      const [i, j] = [Math.floor(k / LENGTH), k % LENGTH];
      return (value + one[permutation[i]! * LENGTH + permutation[j]!]!) / 2;
    });
  }
  return sum;
}

/**
 * The part of a matrix that commutes with a permutation which stays as it is (`sign` 1) or turns over (-1) under it.
 */
function part(matrix: Float64Array, permutation: Uint8Array, sign: 1 | -1): Float64Array {
  return matrix.map((value, k) => {
    const [i, j] = [Math.floor(k / LENGTH), k % LENGTH];
    return (value + sign * matrix[permutation[i]! * LENGTH + j]!) / 2;
  });
}

/** The functional with most signal for its noise in one part of the space. */
function direction(
  signal: Float64Array,
  root: Float64Array,
  restrict: (matrix: Float64Array) => Float64Array,
): Float32Array {
  const functional = times(root, symmetricEigen(restrict(signal), LENGTH).vectors[0]!);
  const length = Math.hypot(...functional);
  return Float32Array.from(functional, (value) => value / length);
}

function times(matrix: Float64Array, vector: Float64Array): Float64Array {
  return vector.map((_, i) => vector.reduce((sum, value, j) => sum + matrix[i * LENGTH + j]! * value, 0));
}

/** Turns every descriptor to the side that its words are made of. */
function foldAll(
  descriptors: Float32Array,
  inversionFold: Float32Array,
  mirrorFold: Float32Array,
): Float32Array {
  const folded = descriptors.slice();
  for (let at = 0; at < folded.length; at += LENGTH) {
    const row = folded.subarray(at, at + LENGTH);
    for (const [functional, permutation] of [
      [inversionFold, inverted],
      [mirrorFold, mirrored],
    ] as const) {
      let side = 0;
      for (let k = 0; k < LENGTH; k += 1) side += functional[k]! * row[k]!;
      if (side < 0) row.set(Float32Array.from(permutation, (from) => row[from]!));
    }
  }
  return folded;
}

/** Squared distance of the two of a pair. */
function apart(pairs: Float32Array, at: number): number {
  let sum = 0;
  for (let k = at; k < at + LENGTH; k += 1) sum += (pairs[k]! - pairs[k + LENGTH]!) ** 2;
  return sum;
}

/** Pairs that were folded to the same side: the others, far apart, would pass for noise. */
function agreeing(pairs: Float32Array, folded: Float32Array): Float32Array {
  const kept = new Float32Array(folded.length);
  let length = 0;
  for (let at = 0; at < folded.length; at += 2 * LENGTH) {
    // A permutation keeps distances, so those of pairs that went the same way are what they were.
    if (apart(folded, at) > apart(pairs, at) * 1.0001) continue;
    kept.set(folded.subarray(at, at + 2 * LENGTH), length);
    length += 2 * LENGTH;
  }
  return kept.slice(0, length);
}

/** The numbers of one part of the projected descriptors. */
function project(
  folded: Float32Array,
  mean: Float64Array,
  projection: Float32Array,
  n: number,
): Float32Array {
  const projected = new Float32Array((folded.length / LENGTH) * PART_LENGTH);
  for (let at = 0, to = 0; at < folded.length; at += LENGTH) {
    for (let row = n * PART_LENGTH; row < (n + 1) * PART_LENGTH; row += 1, to += 1) {
      let sum = 0;
      for (let k = 0; k < LENGTH; k += 1) sum += projection[row * LENGTH + k]! * (folded[at + k]! - mean[k]!);
      projected[to] = sum;
    }
  }
  return projected;
}
