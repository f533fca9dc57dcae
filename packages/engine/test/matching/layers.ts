import type {
  Evidence,
  LayerEvidence,
  Layers,
  Odds,
  ResidualStatistics,
} from "../../src/matching/decide/evidence.ts";
import { LEAST_BOTH, LEAST_PART, LEAST_PART_PRINTED } from "../../src/matching/decide/model.ts";

/** All of 200 blocks agree. */
const AGREEING: ResidualStatistics = {
  used: 200,
  cellsPerPixel: 0.2,
  fineness: 1.5,
  same: 200,
  median: 0.99,
  good: 200,
  clear: 180,
  least: 0.95,
  gap: 0,
};

/** A layer in which all agrees but for the change. */
export const layer = (
  change: Partial<ResidualStatistics> = {},
  containment = 1,
  isSpoilt = false,
): LayerEvidence => ({ all: { ...AGREEING, ...change }, isSpoilt, containment });

/** One of so many blocks, of which so many agree. */
export const few = (used: number, good: number, containment = 1): LayerEvidence =>
  layer({ used, good, same: used, clear: 0, median: 0.97 }, containment);

export const NO_LAYERS: Layers = { coarse: null, fine: null };

/** The same of both layers. */
export const layers = (each: LayerEvidence): Layers => ({ coarse: each, fine: each });

/** Odds of both hypotheses together that are so far over the limit, or under it. */
export const odds = (part: number, overBoth: number): Odds => ({
  part,
  scene: Math.floor((LEAST_BOTH + overBoth - part) / 2),
});

/** Odds that just refuse nothing. */
export const OPEN: Odds = odds(Math.max(LEAST_PART, LEAST_PART_PRINTED) + 1, 2);

/** A photograph in which all agrees but for the change. */
export const evidence = (change: Partial<Evidence> = {}): Evidence => ({
  inliers: 60,
  ...layers(layer()),
  described: null,
  odds: OPEN,
  shown: 1,
  again: null,
  isInset: false,
  quantisation: 3,
  noise: 1,
  textLikeness: 0.1,
  areBothPrinted: (change.textLikeness ?? 0) > 0.5,
  ...change,
});
