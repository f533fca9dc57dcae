import type { Evidence, Layers, ResidualStatistics } from "./evidence.ts";

/** What kind of case the evidence is. */
export interface Situation {
  /**
   * The original looks like a photograph. What looks printed, at least in part, shares parts with others, as interfaces
   * and forms do.
   */
  readonly isScene: boolean;
  /**
   * Neither lies within the other, as a crop lies within its original, and an original within the page that it is
   * pasted on.
   */
  readonly isApart: boolean;
  /** So coarsely coded, noisy or small that it shows hardly anything finer than what is compared. */
  readonly isPoor: boolean;
  /** The layer that decides where the overlap is small or the query shows little. */
  readonly deciding: ResidualStatistics | null;
}

/** With fewer comparable blocks than this the overlap is small. */
export const FEW_BLOCKS = 40;
/**
 * How far a picture lies within the other; less of one that is no page, since a crop pasted near the edge of a page
 * reaches beyond it.
 */
const CONTAINED = 0.9;
const CONTAINED_SCENE = 0.7;
/**
 * Over which a query is poor: its `jpegQuantisation`, its noise (luma levels), the coarse map's cells for one of its
 * pixels; and the `fineness` of the fine layer under which it is.
 */
const POOR = { quantisation: 60, noise: 10, cellsPerPixel: 1.6, fineness: 0.35 } as const;
/**
 * The `fineness` of the fine layer, and the coarse map's cells for a pixel, with which a query shows the fine layer
 * well.
 */
const SHOWS_FINE = { fineness: 0.9, cellsPerPixel: 1 } as const;
/** Blocks with which the coarse layer decides all the same where the query does not. */
const ENOUGH_COARSE = 15;
/** Text-likeness over which a picture looks printed, at least in part. */
export const MIXED = 0.5;

function containmentOf({ coarse, fine }: Layers): number {
  return Math.max(coarse?.containment ?? 0, fine?.containment ?? 0);
}

/** Whether one of the two pictures lies within the other, however printed. */
export function isContained(layers: Layers): boolean {
  return containmentOf(layers) >= CONTAINED;
}

function isPoor({ coarse, fine, quantisation, noise }: Evidence): boolean {
  const cells = coarse?.all.cellsPerPixel ?? 0;
  const fineness = fine?.all.fineness ?? 1;
  return (
    quantisation > POOR.quantisation ||
    noise > POOR.noise ||
    cells > POOR.cellsPerPixel ||
    fineness < POOR.fineness
  );
}

function decidingLayer(layers: Layers): ResidualStatistics | null {
  const coarse = layers.coarse?.all ?? null;
  const fine = layers.fine?.all ?? null;
  if (coarse === null || fine === null) return coarse ?? fine;
  const tooFineForQuery =
    fine.fineness < SHOWS_FINE.fineness || coarse.cellsPerPixel > SHOWS_FINE.cellsPerPixel;
  if (coarse.used >= FEW_BLOCKS || fine.used <= coarse.used) return coarse;
  return tooFineForQuery && coarse.used >= ENOUGH_COARSE ? coarse : fine;
}

export function situationOf(evidence: Evidence): Situation {
  const isScene = evidence.textLikeness <= MIXED;
  return {
    isScene,
    isApart: containmentOf(evidence) < (isScene ? CONTAINED_SCENE : CONTAINED),
    isPoor: isPoor(evidence),
    deciding: decidingLayer(evidence),
  };
}
