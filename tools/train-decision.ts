/**
 * Learns what tells a derived picture from one that shares a part with the original, and from another photograph of the scene, and writes it as the engine
 * reads it.
 *
 *     node tools/train-decision.ts --traces DIR [--traces DIR]... [--out FILE] [--budget 0.005] [--printed-budget 0.03] [--folds 5]
 *
 * `--traces`: folders that `bench/matching/designs/trace.ts` wrote. First it trains once for each fold of designs, scenes and originals and judges each
 * fold by trees that have not seen it; of these judgements it takes the limits. `--budget`: most of the pairs of different pictures, of one design or of
 * one scene, that may match; `--printed-budget`: the same of printed matter. The same traces give the same file: nothing is drawn at random.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Odds, SIGN_NAMES, SURE_SCENE } from "@colophon/engine/lab";
import { type Replayed, decided, replayed } from "../bench/matching/designs/replay.ts";
import { shareText } from "../bench/matching/designs/shares.ts";
import { type Compared, readTraces } from "../bench/matching/designs/traces.ts";
import { type Boosting, type Example, type Tree, boostTrees, evaluateTrees } from "./train/boosted-trees.ts";

const PART: Boosting = { trees: 160, depth: 3, rate: 0.1, ridge: 2, least: 1 };
const SCENE: Boosting = { ...PART, trees: 96 };
/** A picture under a design and another member of one are what the trees are for; the member itself is easy. */
const WEIGHTS = { other: 2, under: 2, bare: 1, itself: 1 } as const;
/** Attacks stand for all that is done to pictures that have no design. */
const ATTACK_WEIGHT = 2;
/** All wrong pairs of scenes together count for this share of all right ones. */
const SCENES_TO_RIGHT = 0.5;
/** Text-likeness over which an original looks printed, at least in part. */
const PRINTED = 0.5;
/** Limits are looked for in steps of a sixteenth. */
const STEP = 64;
const HIGHEST = 8192;
/** Most of the right pairs that the rules accept which the hypothesis of another photograph may refuse. */
const LOST = 0.003;
/** Scenes in which nothing, or one small thing, moves: not told from an edit. */
const NEARLY_STILL = /^(exposure-bracket|video-adjacent)$/;
/** Hard pairs that are no photographs of one scene. */
const NO_SCENE = /^(periodic|flat|same-template|shared-overlay)$/;

interface Judged {
  readonly replayed: Replayed;
  /** By trees that have seen no pair of its fold. */
  odds: Odds;
  /** Whether it matches whatever the hypotheses say, whether a rule lets it match, and whether a clear hypothesis would. */
  readonly always: boolean;
  readonly byRule: boolean;
  readonly byOdds: boolean;
}

interface Row {
  readonly compared: Compared;
  readonly fold: number;
  readonly findings: readonly Judged[];
}

interface Limits {
  readonly leastPart: number;
  /** The same where the original is printed matter. */
  readonly leastPartPrinted: number;
  readonly leastScene: number;
  readonly sureScene: number;
}

const MOST = Number.MAX_SAFE_INTEGER;

const isScene = ({ group, name }: Compared): boolean =>
  group === "scene" || (group === "hard" && !NO_SCENE.test(name));
/** Whether the original looks printed, as `situationOf` judges. */
const isPrinted = ({ findings }: Row): boolean =>
  findings.some(({ replayed: { evidence } }) => evidence.textLikeness > PRINTED);
const isRight = ({ compared }: Row): boolean => compared.relation !== "other";
const isWrongPart = ({ compared }: Row): boolean =>
  compared.relation === "other" && compared.group !== "hard" && compared.group !== "scene";
const isWrongScene = ({ compared }: Row): boolean => compared.relation === "other" && isScene(compared);

/** Folds hold whole designs, whole scenes, and originals with all their attacks. */
function foldOf({ group, name, registered, draw }: Compared, folds: number): number {
  const whole = group === "attack" ? registered : group === "hard" || group === "scene" ? `${draw}` : name;
  let hash = 7;
  for (const letter of whole) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return (hash >>> 3) % folds;
}

function judged(finding: Replayed): Judged {
  return {
    replayed: finding,
    odds: { part: 0, scene: 0 },
    always: decided(finding, { part: -MOST, scene: -MOST }).isMatch,
    byRule: decided(finding, { part: MOST, scene: SURE_SCENE }).isMatch,
    byOdds: decided(finding, { part: MOST, scene: MOST }).isMatch,
  };
}

/** Of a right pair the best placed finding, of a wrong one all. */
function examplesOf(
  rows: readonly Row[],
  isWrong: (row: Row) => boolean,
  weightOf: (row: Row) => number,
): Example[] {
  return rows
    .filter((row) => isRight(row) || isWrong(row))
    .flatMap((row) =>
      (isRight(row) ? row.findings.slice(0, 1) : row.findings).map((finding) => ({
        signs: finding.replayed.signs,
        isPositive: isRight(row),
        weight: weightOf(row),
      })),
    );
}

function partTrees(rows: readonly Row[]): Tree[] {
  return boostTrees(
    examplesOf(rows, isWrongPart, ({ compared: { group, relation } }) =>
      group === "attack" ? ATTACK_WEIGHT : WEIGHTS[relation],
    ),
    PART,
  );
}

function sceneTrees(rows: readonly Row[]): Tree[] {
  const weight =
    (SCENES_TO_RIGHT * rows.filter(isRight).length) / Math.max(1, rows.filter(isWrongScene).length);
  const weightOf = (row: Row): number =>
    isRight(row) ? 1 : NEARLY_STILL.test(row.compared.name) ? weight / 2 : weight;
  return boostTrees(examplesOf(rows, isWrongScene, weightOf), SCENE);
}

function judge(rows: readonly Row[], folds: number): void {
  for (let fold = 0; fold < folds; fold += 1) {
    const others = rows.filter((row) => row.fold !== fold);
    const [part, scene] = [partTrees(others), sceneTrees(others)];
    for (const row of rows.filter((each) => each.fold === fold))
      for (const finding of row.findings) {
        const { signs } = finding.replayed;
        finding.odds = { part: evaluateTrees(part, signs), scene: evaluateTrees(scene, signs) };
      }
  }
}

function isMatched(
  { findings }: Row,
  { leastPart, leastPartPrinted, leastScene, sureScene }: Limits,
): boolean {
  return findings.some(
    ({ odds, replayed: { evidence }, always, byRule, byOdds }) =>
      always ||
      ((odds.part > (evidence.textLikeness > PRINTED ? leastPartPrinted : leastPart) ||
        evidence.isAllThere) &&
        odds.scene > leastScene &&
        (byRule || (byOdds && odds.scene > sureScene))),
  );
}

/** The lowest limit that keeps a share of the rows that match within a budget. */
function lowest(rows: readonly Row[], budget: number, limitsAt: (limit: number) => Limits): number {
  for (let limit = -HIGHEST; limit < HIGHEST; limit += STEP)
    if (rows.filter((row) => isMatched(row, limitsAt(limit))).length <= budget * rows.length) return limit;
  throw new RangeError("No limit keeps the budget.");
}

/** The limits: first against parts in common by the rules alone, then against other photographs, without the rules. */
function limitsFor(rows: readonly Row[], budget: number, printedBudget: number): Limits {
  const open = {
    leastPart: -HIGHEST,
    leastPartPrinted: -HIGHEST,
    leastScene: -HIGHEST,
    sureScene: HIGHEST,
  };
  const right = rows.filter(isRight);
  const accepted = right.filter((row) => isMatched(row, open));
  let leastScene = HIGHEST;
  while (accepted.filter((row) => !isMatched(row, { ...open, leastScene })).length > LOST * accepted.length) {
    leastScene -= STEP;
  }
  const moved = rows.filter((row) => isWrongScene(row) && !NEARLY_STILL.test(row.compared.name));
  const withoutRules = moved.map((row) => ({
    ...row,
    findings: row.findings.map((finding) => ({ ...finding, byRule: false })),
  }));
  const sureScene = lowest(withoutRules, budget, (limit) => ({ ...open, leastScene, sureScene: limit }));
  const scenes = { ...open, leastScene, sureScene };
  const raised = (from: number, at: (limit: number) => Limits): number => {
    const found = (limit: number): number => right.filter((row) => isMatched(row, at(limit))).length;
    let limit = from;
    while (limit < HIGHEST && found(limit + STEP) === found(limit)) limit += STEP;
    return limit;
  };
  const wrong = rows.filter(isWrongPart);
  const ofPrinted = (limit: number): Limits => ({ ...scenes, leastPartPrinted: limit });
  const ofOthers = (limit: number): Limits => ({ ...scenes, leastPart: limit });
  return {
    ...scenes,
    leastPartPrinted: raised(lowest(wrong.filter(isPrinted), printedBudget, ofPrinted), ofPrinted),
    leastPart: raised(
      lowest(
        wrong.filter((row) => !isPrinted(row)),
        budget,
        ofOthers,
      ),
      ofOthers,
    ),
  };
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const label = ({ group, relation, name }: Compared): string =>
  group === "hard" || group === "scene" ? `${group}, ${name}` : `${group}, ${relation}`;

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

function printShares(rows: readonly Row[], limits: Limits): void {
  for (const [group, some] of [...Map.groupBy(rows, ({ compared }) => label(compared))].toSorted(byName))
    print(
      `${group.padEnd(36)} ${shareText(some.filter((row) => isMatched(row, limits)).length, some.length)}`,
    );
}

/** What other limits against shared parts would give: of each family wrong, of each relation right. */
function printLimits(rows: readonly Row[], limits: Limits): void {
  const share = (some: readonly Row[], each: Limits): string =>
    (some.filter((row) => isMatched(row, each)).length / some.length).toFixed(3);
  const wrong = [...Map.groupBy(rows.filter(isWrongPart), ({ compared }) => compared.group)].toSorted(byName);
  const right = [
    ...Map.groupBy(rows.filter(isRight), ({ compared: { group, relation } }) =>
      group === "attack" ? group : relation,
    ),
  ].toSorted(byName);
  print(`limit    ${[...wrong, ...right].map(([name]) => name.slice(0, 9).padStart(10)).join("")}`);
  for (let leastPart = -1024; leastPart <= 4096; leastPart += 512)
    print(
      `${String(leastPart).padStart(8)} ${[...wrong, ...right].map(([, some]) => share(some, { ...limits, leastPart }).padStart(10)).join("")}`,
    );
}

/** Each fold by itself: how far the whole may be trusted. */
function printFolds(rows: readonly Row[], folds: number, limits: Limits): void {
  for (let fold = 0; fold < folds; fold += 1) {
    const of = (keep: (row: Row) => boolean): string => {
      const some = rows.filter((row) => row.fold === fold && keep(row));
      return shareText(some.filter((row) => isMatched(row, limits)).length, some.length);
    };
    print(`fold ${fold}: shared parts ${of(isWrongPart)}, scenes ${of(isWrongScene)}, right ${of(isRight)}`);
  }
}

const listed = (trees: readonly Tree[]): string =>
  trees
    .flatMap(({ feature, threshold, leaf }) => [
      ...feature.flatMap((sign, k) => [sign, threshold[k]!]),
      ...leaf,
    ])
    .join(", ");

function modelText(
  rows: readonly Row[],
  { leastPart, leastPartPrinted, leastScene, sureScene }: Limits,
  budget: number,
  printedBudget: number,
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
export const PART_TREES: readonly number[] = [${listed(partTrees(rows))}];
export const SCENE_TREES: readonly number[] = [${listed(sceneTrees(rows))}];
`;
}

function main(): void {
  const { values } = parseArgs({
    options: {
      traces: { type: "string", multiple: true, default: [] },
      out: { type: "string" },
      budget: { type: "string", default: "0.005" },
      "printed-budget": { type: "string", default: "0.03" },
      folds: { type: "string", default: "5" },
    },
  });
  const [budget, printedBudget] = [Number(values.budget), Number(values["printed-budget"])];
  const folds = Number(values.folds);
  if (values.traces.length === 0) throw new Error("--traces DIR is required");
  const rows: Row[] = [];
  for (const { compared, findings } of readTraces(values.traces))
    rows.push({
      compared,
      fold: foldOf(compared, folds),
      findings: findings.map((finding) => judged(replayed(finding))),
    });
  judge(rows, folds);
  const limits = limitsFor(rows, budget, printedBudget);
  print(`${rows.length} pairs; ${JSON.stringify(limits)}`);
  printShares(rows, limits);
  printFolds(rows, folds, limits);
  printLimits(rows, limits);
  if (values.out !== undefined) writeFileSync(values.out, modelText(rows, limits, budget, printedBudget));
}

if (import.meta.main) main();
