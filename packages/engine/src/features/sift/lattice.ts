/**
 * Every how many samples, in both directions, a gradient is looked at: points lie in layers with a blur of at least two
 * samples, so that those between say hardly anything new. A power of two.
 */
export const STEP = 2;

/** The first place from `at` on that lies a whole number of steps from `middle`. */
export function onLattice(at: number, middle: number): number {
  return at + ((middle - at) & (STEP - 1));
}
