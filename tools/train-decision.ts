/**
 * Learns what tells a derived picture from one that shares a part with the original, and from another photograph of the
 * scene, and writes it as the engine reads it.
 *
 *     node tools/train-decision.ts --photographs DIR --data DIR --work DIR [--traces DIR]... [--report DIR]...
 *                                  [--out DIR] [--folds 5]
 *
 * `--photographs`, `--data`, `--work`: as for `decision/material.ts`, which draws and compares what is learned from.
 * `--traces`: folders that `bench/matching/designs/trace.ts` wrote, beside that or instead of it. First it trains once
 * for each fold of designs, scenes and originals and judges each fold by trees that have not seen it; of these
 * judgements it takes the limits. `--report`: folders of traces that nothing is learned from, neither trees nor limits.
 * `--out`: the folder of the engine that gets `model.ts` and `closer-model.ts`. The same traces give the same files,
 * wherever they lie.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { SIGN_NAMES } from "@colophon/engine/lab";
import { BUDGETS, type Limits, chooseLimits } from "./decision/choose-limits.ts";
import { type Hypotheses, type Looks, judgeBy, judgeByFolds, learn } from "./decision/hypotheses.ts";
import { type Row, readRows } from "./decision/judged-pairs.ts";
import { prepareMaterial } from "./decision/material.ts";
import { printFolds, printLimits, printShares, printStability } from "./decision/tables.ts";
import { isWhatItSays } from "../bench/matching/designs/traces.ts";
import type { Tree } from "./train/boosted-trees.ts";
import { packed } from "./train/packed.ts";

/** The trees as `readTrees` takes them. */
const numbersOf = (trees: readonly Tree[]): number[] =>
  trees.flatMap(({ feature, threshold, leaf }) => [
    ...feature.flatMap((sign, k) => [sign, threshold[k]!]),
    ...leaf,
  ]);

/** The trees of either hypothesis, under names that begin so. */
function treesText({ part, scene }: Hypotheses, name: string): string {
  return `export const ${name}PART_TREES: Int16Array = readTrees(\`
${packed(numbersOf(part))}
\`);
export const ${name}SCENE_TREES: Int16Array = readTrees(\`
${packed(numbersOf(scene))}
\`);
`;
}

const HEAD = `// Written by tools/train-decision.ts, which says how.`;

function modelText({ first }: Looks, { leastPart, leastPartPrinted, leastBoth }: Limits): string {
  const budgets = Object.entries(BUDGETS).map(([family, budget]) => `${budget} (${family})`);
  return `${HEAD} All odds are logarithms, in 1/1024.

import { readTrees } from "./trees.ts";

/**
 * Odds up to which what agrees counts as something shared. Of different pictures of one design at most so many match:
 * ${budgets.join(", ")}.
 */
export const LEAST_PART: number = ${leastPart};
/** The same where original and query both look printed, at least in part. */
export const LEAST_PART_PRINTED: number = ${leastPartPrinted};
/**
 * Odds of both hypotheses together, as \`bothOf\` takes them, up to which it counts as another photograph of the scene.
 */
export const LEAST_BOTH: number = ${leastBoth};
/** The signs that the trees ask for, by number: \`SIGN_NAMES\` had so many. */
export const SIGNS: number = ${SIGN_NAMES.length};
/** The trees of a first look, as \`sumOfLeaves\` takes them. */
${treesText(first, "")}`;
}

function closerModelText({ closer }: Looks): string {
  return `${HEAD}

import { readTrees } from "./trees.ts";

/**
 * The trees of a closer look, as \`sumOfLeaves\` takes them; their leaves are what they count for: see \`closerOdds\`.
 */
${treesText(closer, "CLOSER_")}`;
}

/** What limits make of pairs under one key, and how far other keys agree. */
function printJudged(rows: readonly Row[], limits: Limits): void {
  const first = rows.filter(({ key }) => key === rows[0]!.key);
  printShares(first, limits);
  printLimits(first, limits);
  printStability(rows, limits);
}

/**
 * Pairs that limits and tables count. Learned from are members that derive from one another as well: what tells these
 * apart tells others that share less.
 */
const asSaid = (rows: readonly Row[]): Row[] => rows.filter(({ compared }) => isWhatItSays(compared));

interface Run {
  readonly traces: readonly string[];
  readonly report: readonly string[];
  readonly out: string | undefined;
  readonly folds: number;
}

function run({ traces, report, out, folds }: Run): void {
  const rows = readRows(traces, folds);
  judgeByFolds(rows, folds);
  const said = asSaid(rows);
  const limits = chooseLimits(said);
  process.stdout.write(`${said.length} traces; ${JSON.stringify(limits)}\n`);
  printJudged(said, limits);
  printFolds(said, folds, limits);
  if (out === undefined && report.length === 0) return;
  const trees = learn(rows);
  if (out !== undefined) {
    writeFileSync(join(out, "model.ts"), modelText(trees, limits));
    writeFileSync(join(out, "closer-model.ts"), closerModelText(trees));
  }
  if (report.length === 0) return;
  const others = asSaid(readRows(report, folds));
  judgeBy(others, trees);
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
    },
  });
  const { photographs, data, work, traces, report, out } = values;
  if (photographs !== undefined && data !== undefined && work !== undefined) {
    traces.push(await prepareMaterial({ photographs, data, work }));
  }
  if (traces.length === 0) {
    refuseCommandLine("--photographs, --data and --work, or --traces DIR are required");
  }
  run({ traces, report, out, folds: Number(values.folds) });
}

if (import.meta.main) await main();
