import type {
  Evidence,
  LayerEvidence,
  Layers,
  Odds,
  ResidualStatistics,
} from "../../src/matching/decide/evidence.ts";
import { LEAST_PART, LEAST_PART_PRINTED, LEAST_SCENE } from "../../src/matching/decide/model.ts";
import type { Surroundings } from "../../src/matching/decide/overlay.ts";

/** All of 200 blocks agree. */
const AGREEING: ResidualStatistics = {
  used: 200,
  cellsPerPixel: 0.2,
  fineness: 1.5,
  same: 200,
  median: 0.99,
  roughlySame: 200,
  roughMedian: 0.99,
  good: 200,
  present: 200,
  clear: 180,
  exact: 150,
  least: 0.95,
  gap: 0,
};

/** The same share of the blocks with most detail. */
const strongest = (used: number, change: Partial<ResidualStatistics>): ResidualStatistics => ({
  ...AGREEING,
  ...change,
  used,
  same: used,
  good: (used * (change.good ?? 200)) / (change.used ?? 200),
});

/** A layer in which all agrees but for the change; `detailed`: of the half and the quarter with most detail. */
export const layer = (
  change: Partial<ResidualStatistics> = {},
  containment = 1,
  beside: Partial<Surroundings> = {},
  detailed: Partial<Pick<ResidualStatistics, "median" | "good" | "gap">> = {},
): LayerEvidence => ({
  all: { ...AGREEING, ...change },
  half: { ...strongest(100, change), ...detailed },
  strong: { ...strongest(50, change), ...detailed },
  beside: { covered: 0, used: 200, bad: 0, clear: 180, ...beside },
  containment,
});

export const NO_LAYERS: Layers = { coarse: null, fine: null };

/** The same of both layers. */
export const layers = (each: LayerEvidence): Layers => ({ coarse: each, fine: each });

/** Odds that refuse nothing and say nothing clearly. */
export const OPEN: Odds = { part: Math.max(LEAST_PART, LEAST_PART_PRINTED) + 1, scene: LEAST_SCENE + 1 };

/** A clean query of a photograph in which all agrees but for the change; nothing of it looks photographed. */
export const evidence = (change: Partial<Evidence> = {}): Evidence => ({
  inliers: 60,
  ...layers(layer()),
  expectedBlocks: null,
  photographed: NO_LAYERS,
  odds: OPEN,
  shown: 1,
  again: null,
  isAllThere: false,
  isInset: false,
  quantisation: 3,
  noise: 1,
  textLikeness: 0.1,
  areBothPrinted: (change.textLikeness ?? 0) > 0.5,
  ...change,
});

/** Blocks that agree as those of a neighbouring frame or a second photograph do. */
export const SIMILAR: Partial<ResidualStatistics> = {
  median: 0.88,
  roughMedian: 0.87,
  clear: 60,
  exact: 20,
  good: 170,
};
