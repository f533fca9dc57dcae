import { areOddsBorneOut, isSure } from "./borne-out.ts";
import type { Evidence, ResidualStatistics } from "./evidence.ts";
import { isShownWhole } from "./shown-whole.ts";
import { FEW_BLOCKS, type Situation, isContained } from "./situation.ts";

export type RuleName = "shown-whole" | "small-crop" | "learned";

/** A way in which a query shows that it derives from the original. */
export interface Rule {
  readonly name: RuleName;
  readonly why: string;
  /** The heading of `docs/decision.md` that says more, in lower case with hyphens. */
  readonly measured: string;
  readonly holds: (evidence: Evidence, situation: Situation) => boolean;
}

/**
 * Least share of the original's points that lie in agreeing blocks where neither picture lies within the other. By
 * policy six tenths of what it shows must be seen; a fifth of the points of what is seen lie in blocks across its edge,
 * or in weak ones.
 */
const SHOWN = 0.45;

/** What the few blocks of a small crop must show. */
interface Demand {
  /** Of blocks that look the same at some shift, in place. */
  readonly median: number;
  /** Most that may be lost from the best shift to the place itself. */
  readonly gap: number;
  readonly fewest: number;
}

const SMALL: Demand = { median: 0.96, gap: 0.02, fewest: 5 };
const PRINTED: Demand = { ...SMALL, fewest: 8 };
const TINY: Demand = { median: 0.93, gap: 1.1, fewest: 3 };
/** Least share of the blocks that must agree, of the same ones and of all. */
const NEARLY_ALL = 0.9;
/** Inliers from which three blocks suffice, and of a page without clear odds. */
const ENOUGH_INLIERS = 12;

function meets({ used, same, good, median, gap }: ResidualStatistics, demand: Demand): boolean {
  return (
    Math.min(same, good) >= demand.fewest &&
    median > demand.median &&
    gap < demand.gap &&
    good > NEARLY_ALL * Math.max(same, used)
  );
}

function isSmallCrop(evidence: Evidence, { isScene }: Situation): boolean {
  const { inliers, odds, coarse, fine } = evidence;
  if (!isContained(evidence)) return false;
  return [coarse, fine].some((layer) => {
    if (layer === null || layer.all.used >= FEW_BLOCKS) return false;
    const { all } = layer;
    const isPlaced = inliers >= ENOUGH_INLIERS;
    if (isScene) return meets(all, SMALL) || (isPlaced && meets(all, TINY));
    return (isPlaced || (isSure(odds) && all.good === all.used)) && meets(all, PRINTED);
  });
}

/** Every rule; the first that holds names the answer. */
export const RULES: readonly [Rule, Rule, Rule] = [
  {
    name: "shown-whole",
    why: "The original lies whole in a small part of the query, as a mark on a photograph, and all that it shows agrees.",
    measured: "shown-whole",
    holds: isShownWhole,
  },
  {
    name: "small-crop",
    why: "A crop so small that few blocks are left: every one of them agrees on one of the layers.",
    measured: "small-crops",
    holds: isSmallCrop,
  },
  {
    name: "learned",
    why: "Both learned hypotheses speak for it, and blocks or points bear them out. Of a page that lies partly beyond another most must be shown.",
    measured: "hypotheses",
    holds: (evidence, { isApart, isScene }) =>
      areOddsBorneOut(evidence) && (!isApart || (!isScene && evidence.shown >= SHOWN)),
  },
];
