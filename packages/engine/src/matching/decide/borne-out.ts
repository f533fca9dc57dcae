import type { Evidence } from "./evidence.ts";
import { LEAST_PART, SURE_SCENE } from "./model.ts";
import { type Situation, isContained } from "./situation.ts";

/** Blocks of both layers that bear few points out when all agree: so many, or so many of them clearly, which chance does to one of ten thousand. */
const FEW_UNANIMOUS = 10;
const FEW_CLEAR = 4;
/** How many suffice when nearly all agree: of what chance places six tenths do at most. */
const FEW_AGREED = 12;
const NEARLY_ALL = 0.8;
/** Agreeing blocks of one layer that bear clear odds out; of fewer, on both layers, nearly all must agree, and so many. */
const MANY_FOR_ODDS = 15;
const FEW_FOR_ODDS = 4;

/** Blocks of both layers: those that are asked, those that agree, and those that do so clearly. */
function blocksOfBoth({ coarse, fine }: Evidence): { used: number; good: number; clear: number } {
  const sum = { used: 0, good: 0, clear: 0 };
  for (const layer of [coarse, fine]) {
    sum.used += layer?.all.used ?? 0;
    sum.good += layer?.all.good ?? 0;
    sum.clear += layer?.all.clear ?? 0;
  }
  return sum;
}

/** Whether both learned hypotheses say clearly that the query derives from the original. */
export const isSure = ({ odds }: Evidence): boolean => odds.part > LEAST_PART && odds.scene > SURE_SCENE;

/** Whether blocks agree at all where the odds speak clearly: of few blocks, or none, they are told little. */
export function areOddsBorneOut(evidence: Evidence): boolean {
  const { used, good } = blocksOfBoth(evidence);
  const isMany = [evidence.coarse, evidence.fine].some((layer) => (layer?.all.good ?? 0) >= MANY_FOR_ODDS);
  return isMany || (good >= FEW_FOR_ODDS && good >= NEARLY_ALL * used);
}

/**
 * Whether the blocks say that the original lies where few points put it: all of them agree, or of many nearly all. By chance a few points may agree, but not
 * what lies around them. Of anything but a scene, of which others may show the same part, the learned hypotheses must say so as well.
 */
export function isPlaceBorneOut(evidence: Evidence, { original }: Situation): boolean {
  const isOwn = original === "scene" || isSure(evidence);
  if (!isOwn || evidence.isInset || !isContained(evidence)) return false;
  const { used, good, clear } = blocksOfBoth(evidence);
  if (good === used) return used >= FEW_UNANIMOUS || clear >= FEW_CLEAR;
  return used >= FEW_AGREED && good >= NEARLY_ALL * used;
}
