import { type Arena, arenaBytes, doublesAt, integersAt } from "../wasm/arena.ts";
import type { AreaWeights } from "./resample.ts";

const INTEGER = 4;
const DOUBLE = 8;

/** Bytes of the kernels' memory that the weights of one axis take. */
export function weightBytes({ first, weights }: AreaWeights): number {
  return 2 * arenaBytes(INTEGER * first.length) + arenaBytes(DOUBLE * weights.length);
}

/**
 * Lays the weights of one axis into the kernels' memory.
 *
 * @returns pointers of where cells begin, how long they are, and the weights
 */
export function layWeights(
  arena: Arena,
  { first, length, weights }: AreaWeights,
): readonly [number, number, number] {
  const begin = arena.allocate(INTEGER * first.length);
  const count = arena.allocate(INTEGER * length.length);
  const share = arena.allocate(DOUBLE * weights.length);
  integersAt(begin, first.length).set(first);
  integersAt(count, length.length).set(length);
  doublesAt(share, weights.length).set(weights);
  return [begin, count, share];
}
