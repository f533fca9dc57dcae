import type { Random } from "@colophon/testing/pictures.ts";

const ROUNDS = 12;

/**
 * Centres of `points` (rows of `length` numbers) by Lloyd's rounds, begun at points that chance picks. A centre that
 * loses all its points moves to a point that chance picks.
 */
export function kMeans(points: Float32Array, length: number, count: number, random: Random): Float32Array {
  const total = points.length / length;
  const centres = new Float32Array(count * length);
  const pick = (centre: number): void => {
    const at = Math.floor(random() * total) * length;
    centres.set(points.subarray(at, at + length), centre * length);
  };
  for (let centre = 0; centre < count; centre += 1) pick(centre);
  const sums = new Float64Array(count * length);
  const members = new Int32Array(count);
  const assigned = new Int32Array(total);
  for (let round = 0; round < ROUNDS; round += 1) {
    sums.fill(0);
    members.fill(0);
    for (let at = 0; at < points.length; at += length) {
      const centre = nearest(points, at, centres, length, assigned[at / length]!);
      assigned[at / length] = centre;
      members[centre]! += 1;
      for (let k = 0; k < length; k += 1) sums[centre * length + k]! += points[at + k]!;
    }
    for (let centre = 0; centre < count; centre += 1) {
      if (members[centre] === 0) pick(centre);
      else {
        for (let k = 0; k < length; k += 1) {
          centres[centre * length + k] = sums[centre * length + k]! / members[centre]!;
        }
      }
    }
  }
  return centres;
}

/** The nearest centre; `guess`, which is likely, saves going through the others to the end. */
function nearest(
  points: Float32Array,
  at: number,
  centres: Float32Array,
  length: number,
  guess: number,
): number {
  let [best, least] = [guess, 0];
  for (let k = 0; k < length; k += 1) least += (points[at + k]! - centres[guess * length + k]!) ** 2;
  for (let centre = 0, from = 0; from < centres.length; centre += 1, from += length) {
    let distance = 0;
    for (let k = 0; k < length && distance < least; k += 1) {
      const difference = points[at + k]! - centres[from + k]!;
      distance += difference * difference;
    }
    if (distance < least) [best, least] = [centre, distance];
  }
  return best;
}
