import { LIMITS } from "../limits.ts";

/** How coarsely coded and how noisy a query is: `jpegQuantisation`, and `noiseOf` its luma. */
export interface Grain {
  readonly quantisation: number;
  readonly noise: number;
}

const { energy, byQuantisation, byNoise, cells, fineness: LEAST_FINENESS } = LIMITS.compare;

/**
 * Energy of the compared band, squared levels, up to which coding and noise decide a block's signs: it agrees by chance
 * with whatever it is compared with. `cellsPerPixel`: the smaller, the more pixels a cell is the mean of.
 */
export function spuriousEnergy({ quantisation, noise }: Grain, cellsPerPixel: number): number {
  const ofCoding = byQuantisation * quantisation * quantisation * cellsPerPixel * Math.sqrt(cellsPerPixel);
  const ofNoise = byNoise * noise * noise * cellsPerPixel * cellsPerPixel;
  return ofCoding + ofNoise;
}

/** A block agrees in its place by more than this. */
export const AGREES = 0.49;

/** Energy from which a block of a comparison is asked. */
export function leastEnergy({ spurious }: { readonly spurious: number }): number {
  return Math.max(energy, spurious);
}

/**
 * Whether the query shows anything as fine as a layer's cells. Enlarged from smaller or blurred, its blocks agree by
 * halves with the same picture, too.
 */
export function isResolved({
  cellsPerPixel,
  fineness,
}: {
  readonly cellsPerPixel: number;
  readonly fineness: number;
}): boolean {
  return cellsPerPixel <= cells && fineness >= LEAST_FINENESS;
}

/** The finer of two layers if the query resolves it, or if it is the only one; else null. */
export function resolvedFine<Layer extends { readonly cellsPerPixel: number; readonly fineness: number }>({
  coarse,
  fine,
}: {
  readonly coarse: Layer | null;
  readonly fine: Layer | null;
}): Layer | null {
  return coarse === null || fine === null || isResolved(fine) ? fine : null;
}
