/**
 * Learns what tells a derived picture from one that shares a part with the original, and from another photograph of the scene, and writes it as the engine
 * reads it.
 *
 *     node tools/train-decision.ts --photographs DIR --data DIR --work DIR [--traces DIR]... [--report DIR]... [--out FILE]
 *                                  [--folds 5] [--on]
 *
 * `--photographs`, `--data`, `--work`: as for `decision/material.ts`, which draws and compares what is learned from. `--traces`: folders that
 * `bench/matching/designs/trace.ts` wrote, beside that or instead of it. First it trains once for each fold of designs, scenes and originals and judges
 * each fold by trees that have not seen it; of these judgements it takes the limits. `--report`: folders of traces that nothing is learned from, neither
 * trees nor limits. `--on`: keeps the limits and the trees in use, and learns trees that go on from them, once there are signs that they do not know. The same
 * traces give the same file, wherever they lie.
 */
import { writeFileSync } from "node:fs";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import {
  LEAST_PART,
  LEAST_PART_PRINTED,
  LEAST_SCENE,
  SCENE_TREES,
  SIGNS,
  SIGN_NAMES,
  SURE_SCENE,
} from "@colophon/engine/lab";
import { BUDGETS, type Limits, chooseLimits } from "./decision/choose-limits.ts";
import {
  EARLIER,
  type Hypotheses,
  judgeBy,
  judgeByFolds,
  judgeOn,
  learn,
  learnOn,
} from "./decision/hypotheses.ts";
import { type Row, readRows } from "./decision/judged-pairs.ts";
import { prepareMaterial } from "./decision/material.ts";
import { printFolds, printLimits, printShares, printStability } from "./decision/tables.ts";
import type { Tree } from "./train/boosted-trees.ts";

const listed = (trees: readonly Tree[]): string =>
  trees
    .flatMap(({ feature, threshold, leaf }) => [
      ...feature.flatMap((sign, k) => [sign, threshold[k]!]),
      ...leaf,
    ])
    .join(", ");

function modelText(
  part: string,
  scene: string,
  { leastPart, leastPartPrinted, leastScene, sureScene }: Limits,
): string {
  const budgets = Object.entries(BUDGETS).map(([family, budget]) => `${budget} (${family})`);
  return `// Written by tools/train-decision.ts, which says how. All odds are logarithms, in 1/1024.

/** Odds up to which what agrees counts as something shared. Of different pictures of one design at most so many match: ${budgets.join(", ")}. */
export const LEAST_PART: number = ${leastPart};
/** The same where the original looks printed, at least in part. */
export const LEAST_PART_PRINTED: number = ${leastPartPrinted};
/** Odds up to which it counts as another photograph of the scene, and over which it does not, whatever the rules say. */
export const LEAST_SCENE: number = ${leastScene};
export const SURE_SCENE: number = ${sureScene};
/** The signs that the trees ask for, by number: \`SIGN_NAMES\` had so many. */
export const SIGNS: number = ${SIGN_NAMES.length};
/** The trees of either hypothesis, as \`sumOfLeaves\` takes them. */
export const PART_TREES: readonly number[] = [${part}];
export const SCENE_TREES: readonly number[] = [${scene}];
`;
}

/** What limits make of pairs under one key, and how far other keys agree. */
function printJudged(rows: readonly Row[], limits: Limits): void {
  const first = rows.filter(({ key }) => key === rows[0]!.key);
  printShares(first, limits);
  printLimits(first, limits);
  printStability(rows, limits);
}

/** What a round of learning does. */
interface Round<Trees> {
  readonly learned: (rows: readonly Row[]) => Trees;
  readonly judge: (rows: readonly Row[], trees: Trees) => void;
  readonly limits: (rows: readonly Row[]) => Limits;
  readonly text: (trees: Trees, limits: Limits) => string;
}

const WHOLE: Round<Hypotheses> = {
  learned: learn,
  judge: judgeBy,
  limits: chooseLimits,
  text: ({ part, scene }, limits) => modelText(listed(part), listed(scene), limits),
};

const ON: Round<readonly Tree[]> = {
  learned: learnOn,
  judge: judgeOn,
  limits: () => ({
    leastPart: LEAST_PART,
    leastPartPrinted: LEAST_PART_PRINTED,
    leastScene: LEAST_SCENE,
    sureScene: SURE_SCENE,
  }),
  text: (further, limits) =>
    modelText(`${EARLIER.join(", ")}, ${listed(further)}`, SCENE_TREES.join(", "), limits),
};

interface Run {
  readonly traces: readonly string[];
  readonly report: readonly string[];
  readonly out: string | undefined;
  readonly folds: number;
}

function run<Trees>({ learned, judge, limits: limitsOf, text }: Round<Trees>, where: Run): void {
  const { traces, report, out, folds } = where;
  const rows = readRows(traces, folds);
  judgeByFolds(rows, folds, learned, judge);
  const limits = limitsOf(rows);
  process.stdout.write(`${rows.length} traces; ${JSON.stringify(limits)}\n`);
  printJudged(rows, limits);
  printFolds(rows, folds, limits);
  if (out === undefined && report.length === 0) return;
  const trees = learned(rows);
  if (out !== undefined) writeFileSync(out, text(trees, limits));
  if (report.length === 0) return;
  const others = readRows(report, folds);
  judge(others, trees);
  process.stdout.write(`\n${others.length} traces that nothing was learned from\n`);
  printJudged(others, limits);
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      photographs: { type: "string" },
      data: { type: "string" },
      work: { type: "string" },
      traces: { type: "string", multiple: true, default: [] },
      report: { type: "string", multiple: true, default: [] },
      out: { type: "string" },
      folds: { type: "string", default: "5" },
      on: { type: "boolean", default: false },
    },
  });
  const { photographs, data, work, traces, report, out, on } = values;
  if (on && SIGNS === SIGN_NAMES.length) refuseCommandLine("--on: the trees in use know every sign");
  if (photographs !== undefined && data !== undefined && work !== undefined) {
    traces.push(await prepareMaterial({ photographs, data, work }, on ? "further" : "whole"));
  }
  if (traces.length === 0) {
    refuseCommandLine("--photographs, --data and --work, or --traces DIR are required");
  }
  const where = { traces, report, out, folds: Number(values.folds) };
  if (on) run(ON, where);
  else run(WHOLE, where);
}

if (import.meta.main) await main();
