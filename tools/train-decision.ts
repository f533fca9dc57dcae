/**
 * Learns what tells a derived picture from one that shares a part with the original, and from another photograph of the scene, and writes it as the engine
 * reads it.
 *
 *     node tools/train-decision.ts --traces DIR [--traces DIR]... [--report DIR]... [--out FILE]
 *                                  [--budget 0.01] [--printed-budget 0.01] [--folds 5] [--go-on]
 *
 * `--traces`: folders that `bench/matching/designs/trace.ts` wrote. First it trains once for each fold of designs, scenes and originals and judges each
 * fold by trees that have not seen it; of these judgements it takes the limits. `--report`: folders of pairs that nothing is learned from, neither trees
 * nor limits. `--budget`: most of the pairs of different pictures, of one design or of one scene, that may match; `--printed-budget`: the same of printed
 * matter. `--go-on`: the trees in use are kept and further ones learned of what they leave in the first hypothesis; the second stays as it is. The same
 * traces, and the same trees to go on from, give the same file.
 */
import { writeFileSync } from "node:fs";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import {
  LEAST_PART,
  LEAST_PART_PRINTED,
  LEAST_SCENE,
  PART_TREES,
  SCENE_TREES,
  SIGN_NAMES,
  SURE_SCENE,
} from "@colophon/engine/lab";
import { type Budgets, type Limits, chooseLimits } from "./decision/choose-limits.ts";
import { type Hypotheses, judgeBy, judgeByFolds, learn } from "./decision/hypotheses.ts";
import { readRows } from "./decision/judged-pairs.ts";
import { printFolds, printLimits, printShares } from "./decision/tables.ts";
import type { Tree } from "./train/boosted-trees.ts";

const listed = (kept: readonly number[], trees: readonly Tree[]): string =>
  [
    ...kept,
    ...trees.flatMap(({ feature, threshold, leaf }) => [
      ...feature.flatMap((sign, k) => [sign, threshold[k]!]),
      ...leaf,
    ]),
  ].join(", ");

function modelText(
  { part, scene }: Hypotheses,
  goesOn: boolean,
  { leastPart, leastPartPrinted, leastScene, sureScene }: Limits,
  { budget, printedBudget }: Budgets,
): string {
  return `// Written by tools/train-decision.ts, which says how. All odds are logarithms, in 1/1024.

/** Odds up to which what agrees counts as something shared: at most ${budget} of different pictures of one design match. */
export const LEAST_PART: number = ${leastPart};
/** The same where the original looks printed, at least in part: at most ${printedBudget}. */
export const LEAST_PART_PRINTED: number = ${leastPartPrinted};
/** Odds up to which it counts as another photograph of the scene, and over which it does not, whatever the rules say. */
export const LEAST_SCENE: number = ${leastScene};
export const SURE_SCENE: number = ${sureScene};
/** The signs that the trees ask for, by number: \`SIGN_NAMES\` had so many. */
export const SIGNS: number = ${SIGN_NAMES.length};
/** The trees of either hypothesis, as \`sumOfLeaves\` takes them. */
export const PART_TREES: readonly number[] = [${listed(goesOn ? PART_TREES : [], part)}];
export const SCENE_TREES: readonly number[] = [${listed(goesOn ? SCENE_TREES : [], scene)}];
`;
}

const IN_USE: Limits = {
  leastPart: LEAST_PART,
  leastPartPrinted: LEAST_PART_PRINTED,
  leastScene: LEAST_SCENE,
  sureScene: SURE_SCENE,
};

function main(): void {
  const { values } = readCommandLine({
    options: {
      traces: { type: "string", multiple: true, default: [] },
      report: { type: "string", multiple: true, default: [] },
      out: { type: "string" },
      budget: { type: "string", default: "0.01" },
      "printed-budget": { type: "string", default: "0.01" },
      folds: { type: "string", default: "5" },
      "go-on": { type: "boolean", default: false },
    },
  });
  const budgets = { budget: Number(values.budget), printedBudget: Number(values["printed-budget"]) };
  const folds = Number(values.folds);
  if (values.traces.length === 0) refuseCommandLine("--traces DIR is required");
  const goesOn = values["go-on"];
  const rows = readRows(values.traces, folds, goesOn);
  judgeByFolds(rows, folds, goesOn);
  const limits = chooseLimits(rows, budgets, goesOn ? IN_USE : null);
  process.stdout.write(`${rows.length} pairs; ${JSON.stringify(limits)}\n`);
  printShares(rows, limits);
  printFolds(rows, folds, limits);
  printLimits(rows, limits);
  if (values.out === undefined && values.report.length === 0) return;
  const trees = learn(rows, goesOn);
  if (values.out !== undefined) writeFileSync(values.out, modelText(trees, goesOn, limits, budgets));
  if (values.report.length === 0) return;
  const others = readRows(values.report, folds, goesOn);
  judgeBy(others, trees);
  process.stdout.write(`\n${others.length} pairs that nothing was learned from\n`);
  printShares(others, limits);
  printLimits(others, limits);
}

if (import.meta.main) main();
