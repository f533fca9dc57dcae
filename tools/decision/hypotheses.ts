import { DESIGNS } from "../../bench/matching/designs/catalogue.ts";
import { FIRST_SIGNS, type Odds, SIGN_NAMES, closerOdds, isClose } from "@colophon/engine/lab";
import { type Boosting, type Example, type Tree, boostTrees, evaluateTrees } from "../train/boosted-trees.ts";
import { NEARLY_STILL, type Row, isRight, isWrongPart, isWrongScene, chance } from "./judged-pairs.ts";

const ALL: readonly number[] = [...SIGN_NAMES.keys()];

/** What the trees of a first look are made of. */
const PART: Boosting = {
  trees: 2400,
  depth: 5,
  rate: 0.025,
  ridge: 4,
  least: 1,
  rows: 0.4,
  columns: 0.2,
  signs: ALL.slice(0, FIRST_SIGNS),
  seed: 1,
};
const SCENE: Boosting = { ...PART, trees: 1440, rate: 0.0125, seed: 2 };
/** Signs that come from blocks' bits: what they say of one pair is another thing under another key. */
const HANGS_ON_KEY =
  /^(coarse|fine)\.(?!used$|natural$|mixed$|graphic$|rule$)|regions|^(coarse\.)?ground|^exchanged|in-good|in-bad|good-of-all|contradicted|^empty-ground\.(bad|largest-bad|exchanged)|tones\.(open|differing)/;
/** Those of a closer look: half of them see everything, half nothing that hangs on a key. */
const CLOSER: Boosting = { ...PART, trees: 1200, rate: 0.05, signs: ALL };
const CLOSER_SCENE: Boosting = { ...CLOSER, trees: 720, rate: 0.025, seed: 2 };
const KEYLESS = { signs: ALL.filter((sign) => !HANGS_ON_KEY.test(SIGN_NAMES[sign]!)), columns: 0.4 };
/** A picture under a design and another member of one are what the trees are for; the member itself is easy. */
const WEIGHTS = { other: 2, under: 3, bare: 3, itself: 1 } as const;
/** How much more right pairs of designs weigh than that: fewer are lost, bare ones first of all. */
const MORE_OF_RIGHT = { under: 2.5, bare: 5, itself: 2 } as const;
/**
 * Of other members those of templates and of pages around a photograph count as much more: there are few, and much of
 * them agrees.
 */
const WEIGHTS_OF_OTHERS = new Map([
  ["template", 12],
  ["shared-photograph", 18],
]);
/**
 * Forms that lie on a photograph, which all their members show: what tells them is little, and what is laid over a
 * picture looks the same.
 */
const ON_PHOTOGRAPHS = new Set(
  DESIGNS.filter(({ family, photographs }) => family === "printed" && photographs > 0).map(
    ({ name }) => name,
  ),
);
const ON_PHOTOGRAPH_WEIGHT = 0.15;
/**
 * How much pairs count the other way round, beside what they count as they were drawn: what is bare then is what there
 * is least of, and what lies under something is much the same.
 */
const SWAPPED_WEIGHTS = { other: 1, bare: 0.5, under: 0.25, itself: 1 } as const;
/** Attacks stand for all that is done to pictures that have no design, those on photographs for most of it. */
const ATTACK_WEIGHT = 10;
const PHOTOGRAPH_WEIGHT = 19;
/**
 * Lettering all over a picture spoils its blocks much as motion does: where those are told apart, a picture under a
 * design and a bare one weigh more than its edits.
 */
const SCENE_WEIGHTS = { under: 5, bare: 5, itself: 1 } as const;
/** All wrong pairs of scenes together count for this share of all right ones. */
const SCENES_TO_RIGHT = 0.5;

const directionWeight = ({ compared: { isSwapped, relation } }: Row): number =>
  isSwapped ? SWAPPED_WEIGHTS[relation] : 1;

/** Of so many pairs one is learned from as if its original had been registered before packets said what blocks show. */
const BEFORE_KINDS = 8;
const OWN_KINDS = SIGN_NAMES.map((name) => name.startsWith("again.shows."));

const isBeforeKinds = (row: Row): boolean => chance(row, 0) % BEFORE_KINDS === 0;

/** Of a right pair the best placed finding, of a wrong one all. */
function examplesOf(
  rows: readonly Row[],
  isWrong: (row: Row) => boolean,
  weightOf: (row: Row) => number,
): Example[] {
  return rows
    .filter((row) => isRight(row) || isWrong(row))
    .flatMap((row) => {
      const isBefore = isBeforeKinds(row);
      return (isRight(row) ? row.findings.slice(0, 1) : row.findings).map(({ replayed: { signs } }) => ({
        signs: isBefore ? signs.map((value, sign) => (OWN_KINDS[sign] ? 0 : value)) : signs,
        isPositive: isRight(row),
        weight: weightOf(row) * directionWeight(row),
      }));
    });
}

const attackWeight = ({ compared: { name } }: Row): number =>
  name.includes("photo") ? PHOTOGRAPH_WEIGHT : ATTACK_WEIGHT;

function partWeight(row: Row): number {
  const { group, relation, name } = row.compared;
  if (group === "attack") return attackWeight(row);
  if (relation !== "other") return WEIGHTS[relation] * MORE_OF_RIGHT[relation];
  return (
    WEIGHTS.other * (ON_PHOTOGRAPHS.has(name) ? ON_PHOTOGRAPH_WEIGHT : (WEIGHTS_OF_OTHERS.get(group) ?? 1))
  );
}

/** What tells a derived picture from one that shares a part with the original. */
const partExamples = (rows: readonly Row[]): Example[] => examplesOf(rows, isWrongPart, partWeight);

/** What tells a derived picture from another photograph of the scene. */
function sceneExamples(rows: readonly Row[]): Example[] {
  const weight =
    (SCENES_TO_RIGHT * rows.filter(isRight).length) / Math.max(1, rows.filter(isWrongScene).length);
  const weightOf = (row: Row): number => {
    const { group, relation } = row.compared;
    if (group === "attack") return attackWeight(row);
    if (relation !== "other") return SCENE_WEIGHTS[relation];
    return NEARLY_STILL.test(row.compared.name) ? weight / 2 : weight;
  };
  return examplesOf(rows, isWrongScene, weightOf);
}

/** The trees of either hypothesis. */
export interface Hypotheses {
  readonly part: readonly Tree[];
  readonly scene: readonly Tree[];
}

/** The trees of a first look, and those of a closer one. */
export interface Looks {
  readonly first: Hypotheses;
  readonly closer: Hypotheses;
}

/**
 * What the trees that see everything count for in a closer look, and those that see nothing that hangs on a key; the
 * first look counts for the rest.
 */
const SHARE = 1 / 4;
const KEYLESS_SHARE = 1 / 2;

/** Trees of which the leaves are what they count for: see `closerOdds`. */
function countingFor(share: number, trees: readonly Tree[]): Tree[] {
  return trees.map((tree) => ({ ...tree, leaf: tree.leaf.map((leaf) => Math.round(share * leaf)) }));
}

const closerTrees = (examples: readonly Example[], boosting: Boosting): Tree[] => [
  ...countingFor(SHARE, boostTrees(examples, boosting)),
  ...countingFor(KEYLESS_SHARE, boostTrees(examples, { ...boosting, ...KEYLESS })),
];

/** Learns both hypotheses for a first look. */
function learnFirst(rows: readonly Row[]): Hypotheses {
  return { part: boostTrees(partExamples(rows), PART), scene: boostTrees(sceneExamples(rows), SCENE) };
}

/** Learns both for a closer one. */
function learnCloser(rows: readonly Row[]): Hypotheses {
  return {
    part: closerTrees(partExamples(rows), CLOSER),
    scene: closerTrees(sceneExamples(rows), CLOSER_SCENE),
  };
}

/** Learns both hypotheses for either look. */
export function learn(rows: readonly Row[]): Looks {
  return { first: learnFirst(rows), closer: learnCloser(rows) };
}

function oddsBy({ part, scene }: Hypotheses, signs: Uint8Array): Odds {
  return { part: evaluateTrees(part, signs), scene: evaluateTrees(scene, signs) };
}

/** Judges pairs by trees. */
export function judgeBy(rows: readonly Row[], { first, closer }: Looks): void {
  for (const { findings } of rows) {
    for (const finding of findings) {
      const { signs } = finding.replayed;
      const odds = oddsBy(first, signs);
      finding.odds = isClose(odds) ? closerOdds(odds, oddsBy(closer, signs)) : odds;
    }
  }
}

/** Judges each fold by trees that have seen the others alone. */
export function judgeByFolds(rows: readonly Row[], folds: number): void {
  for (let fold = 0; fold < folds; fold += 1) {
    const trees = learn(rows.filter((row) => row.fold !== fold));
    judgeBy(
      rows.filter((row) => row.fold === fold),
      trees,
    );
  }
}
