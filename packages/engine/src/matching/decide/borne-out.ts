import type { Evidence, Layers, Odds } from "./evidence.ts";
import { LEAST_BOTH, LEAST_PART } from "./model.ts";
import { type Situation, isContained } from "./situation.ts";

/**
 * Blocks of both layers that bear few points out when all agree: so many, or so many of them clearly, which chance does
 * to one of ten thousand.
 */
const FEW_UNANIMOUS = 10;
const FEW_CLEAR = 4;
/** How many suffice when nearly all agree: of what chance places six tenths do at most. */
const FEW_AGREED = 12;
const NEARLY_ALL = 0.8;
/**
 * Agreeing blocks of one layer that bear clear odds out; of fewer, on both layers, nearly all must agree, and so many.
 */
const MANY_FOR_ODDS = 15;
const FEW_FOR_ODDS = 4;

/**
 * Fewest of an original's points that tell where blocks do not, and how many of them must be the same: by chance none
 * of them is.
 */
const FEW_POINTS = 6;
const NEARLY_ALL_POINTS = 0.95;

/** Inliers from which nothing else has to bear a place out. */
const ENOUGH_INLIERS = 12;

/** Blocks of both layers: those that are asked, those that agree, and those that do so clearly. */
function blocksOfBoth({ coarse, fine }: Layers): { used: number; good: number; clear: number } {
  const sum = { used: 0, good: 0, clear: 0 };
  for (const layer of [coarse, fine]) {
    sum.used += layer?.all.used ?? 0;
    sum.good += layer?.all.good ?? 0;
    sum.clear += layer?.all.clear ?? 0;
  }
  return sum;
}

/** Both odds as one, those against another photograph counted twice; `docs/decision.md` has how that was chosen. */
export const bothOf = ({ part, scene }: Odds): number => part + 2 * scene;

/** Whether both learned hypotheses say clearly that the query derives from the original. */
export const isSure = (odds: Odds): boolean => odds.part > LEAST_PART && bothOf(odds) > LEAST_BOTH;

/** Whether blocks agree at all where the odds speak clearly: of few blocks, or none, they are told little. */
export function doBlocksBearOut(layers: Layers): boolean {
  const { used, good } = blocksOfBoth(layers);
  const isMany = [layers.coarse, layers.fine].some((layer) => (layer?.all.good ?? 0) >= MANY_FOR_ODDS);
  return isMany || (good >= FEW_FOR_ODDS && good >= NEARLY_ALL * used);
}

/** Whether clear odds are told by few inliers, or by no blocks, so that the original's points are to be looked for. */
export const areOddsToldByLittle = (odds: Odds, inliers: number, layers: Layers): boolean =>
  isSure(odds) && (inliers < ENOUGH_INLIERS || !doBlocksBearOut(layers));

/**
 * Whether the original's points look in the query as they did, nearly all of those that it covers, and no more blocks
 * disagree than coding spoils: a crop of something calm has hardly any.
 */
function doPointsBearOut(evidence: Evidence): boolean {
  const { again } = evidence;
  const { used, good } = blocksOfBoth(evidence);
  if (again === null || good < NEARLY_ALL * used) return false;
  return again.covered >= FEW_POINTS && again.same >= NEARLY_ALL_POINTS * again.covered;
}

/** Whether clear odds are told by more than a few points that agree. */
export const areOddsBorneOut = (evidence: Evidence): boolean =>
  doBlocksBearOut(evidence) || doPointsBearOut(evidence);

/**
 * Whether blocks or points say that the original lies where few points put it: all blocks agree, or of many nearly all,
 * or the odds are clear and its points are there. By chance a few points may agree, but not what lies around them. Of
 * anything but a scene, of which others may show the same part, the learned hypotheses must say so as well.
 */
export function isPlaceBorneOut(evidence: Evidence, { isScene }: Situation): boolean {
  const isClear = isSure(evidence.odds);
  if (isClear && doPointsBearOut(evidence)) return true;
  if (!(isScene || isClear) || evidence.isInset || !isContained(evidence)) return false;
  const { used, good, clear } = blocksOfBoth(evidence);
  if (good === used) return used >= FEW_UNANIMOUS || clear >= FEW_CLEAR;
  return used >= FEW_AGREED && good >= NEARLY_ALL * used;
}
