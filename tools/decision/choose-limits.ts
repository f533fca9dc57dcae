import { CLEAR_PART, CLEAR_SCENE } from "@colophon/engine/lab";
import {
  NEARLY_STILL,
  PRINTED,
  type Row,
  isPrinted,
  isRight,
  isWrongPart,
  isWrongScene,
} from "./judged-pairs.ts";

export interface Limits {
  readonly leastPart: number;
  /** The same where the original is printed matter. */
  readonly leastPartPrinted: number;
  readonly leastScene: number;
  readonly sureScene: number;
}

/** Most of the pairs of different pictures that may match: of all, and of printed matter. */
export interface Budgets {
  readonly budget: number;
  readonly printedBudget: number;
}

/** Limits are looked for in steps of a sixteenth. */
const STEP = 64;
const HIGHEST = 8192;
/** Most of the right pairs that the rules accept which the hypothesis of another photograph may refuse. */
const LOST = 0.005;

export function isMatched(
  { findings }: Row,
  { leastPart, leastPartPrinted, leastScene, sureScene }: Limits,
): boolean {
  return findings.some(({ odds, replayed: { evidence }, always, byRule, byOdds }) => {
    const { textLikeness, isAllThere, isInset } = evidence;
    const isScene = textLikeness <= PRINTED;
    const isShared = odds.part <= (isScene ? leastPart : leastPartPrinted) && !(isScene && isInset);
    const isRefused = !isAllThere && (isShared || odds.scene <= leastScene);
    const isClear = odds.scene > sureScene || (odds.part > CLEAR_PART && odds.scene > CLEAR_SCENE);
    return always || (!isRefused && (byRule || (byOdds && isClear)));
  });
}

/** The lowest limit that keeps a share of the rows that match within a budget. */
function lowest(rows: readonly Row[], budget: number, limitsAt: (limit: number) => Limits): number {
  for (let limit = -HIGHEST; limit < HIGHEST; limit += STEP) {
    if (rows.filter((row) => isMatched(row, limitsAt(limit))).length <= budget * rows.length) return limit;
  }
  throw new RangeError("No limit keeps the budget.");
}

type SceneLimits = Pick<Limits, "leastScene" | "sureScene">;

/** The limits against other photographs; that from which odds alone accept is chosen by what they accept, not by what matches whatever they say. */
function sceneLimits(rows: readonly Row[], budget: number): SceneLimits {
  const open = {
    leastPart: -HIGHEST,
    leastPartPrinted: -HIGHEST,
    leastScene: -HIGHEST,
    sureScene: HIGHEST,
  };
  const accepted = rows.filter((row) => isRight(row) && isMatched(row, open));
  let leastScene = HIGHEST;
  while (accepted.filter((row) => !isMatched(row, { ...open, leastScene })).length > LOST * accepted.length) {
    leastScene -= STEP;
  }
  const moved = rows.filter((row) => isWrongScene(row) && !NEARLY_STILL.test(row.compared.name));
  const byOddsAlone = moved.map((row) => ({
    ...row,
    findings: row.findings.map((finding) => ({ ...finding, always: false, byRule: false })),
  }));
  const sureScene = lowest(byOddsAlone, budget, (limit) => ({ ...open, leastScene, sureScene: limit }));
  return { leastScene, sureScene };
}

/** The limits: first against other photographs, then against parts in common. */
export function chooseLimits(rows: readonly Row[], { budget, printedBudget }: Budgets): Limits {
  const scenes = {
    leastPart: -HIGHEST,
    leastPartPrinted: -HIGHEST,
    ...sceneLimits(rows, budget),
  };
  const right = rows.filter(isRight);
  const raised = (from: number, at: (limit: number) => Limits): number => {
    const found = (limit: number): number => right.filter((row) => isMatched(row, at(limit))).length;
    let limit = from;
    while (limit < HIGHEST && found(limit + STEP) === found(limit)) limit += STEP;
    return limit;
  };
  const wrong = rows.filter(isWrongPart);
  const ofPrinted = (limit: number): Limits => ({ ...scenes, leastPartPrinted: limit });
  const ofOthers = (limit: number): Limits => ({ ...scenes, leastPart: limit });
  const others = wrong.filter((row) => !isPrinted(row));
  return {
    ...scenes,
    leastPartPrinted: raised(lowest(wrong.filter(isPrinted), printedBudget, ofPrinted), ofPrinted),
    leastPart: raised(lowest(others, budget, ofOthers), ofOthers),
  };
}
