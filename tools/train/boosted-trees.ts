import { type Random, seededRandom } from "@colophon/testing/pictures.ts";

/** One example: signs from 0 to 255, whether it is of the first kind, and how much it counts. */
export interface Example {
  readonly signs: Uint8Array;
  readonly isPositive: boolean;
  readonly weight: number;
}

export interface Boosting {
  readonly trees: number;
  /** Questions asked one after the other in each tree. */
  readonly depth: number;
  /** How far each tree goes, and how strongly few examples are held back. */
  readonly rate: number;
  readonly ridge: number;
  /** Least weight, times p (1 - p), on either side of a question. */
  readonly least: number;
  /**
   * Shares of the examples and of the signs that each tree sees, drawn for every tree (J. Friedman, "Stochastic
   * gradient boosting", 2002): what many signs say a little outlives what one says of these examples.
   */
  readonly rows: number;
  readonly columns: number;
  /** The signs that may be asked for, by number. */
  readonly signs: readonly number[];
  readonly seed: number;
}

/**
 * A complete binary tree in the order of a heap: question k asks whether sign `feature[k]` is over `threshold[k]`, and
 * goes on at 2 k + 1 for no and 2 k + 2 for yes; behind the questions stand the leaves, in `scale` parts of the
 * logarithm of the odds.
 */
export interface Tree {
  readonly feature: number[];
  readonly threshold: number[];
  readonly leaf: number[];
}

/** Parts of one unit of the logarithm of the odds: sums of leaves are whole numbers, and equal on every machine. */
export const SCALE = 1024;

interface Gain {
  readonly gain: number;
  readonly feature: number;
  readonly threshold: number;
}

/**
 * Examples in one node of a tree, and for each of the tree's features, and each value of it, the sums of their gradient
 * and curvature.
 */
interface Node {
  readonly members: Int32Array;
  readonly sums: Float64Array;
}

/** Values of a sign, times two sums. */
const ROOM = 2 * 256;

const NO_SUMS = new Float64Array(0);

/** The signs of all examples, those of one kind beside each other. */
function bySign(examples: readonly Example[]): Uint8Array[] {
  const columns = Array.from(examples[0]!.signs, () => new Uint8Array(examples.length));
  for (const [k, { signs }] of examples.entries()) {
    for (let sign = 0; sign < signs.length; sign += 1) columns[sign]![k] = signs[sign]!;
  }
  return columns;
}

/** Sums gradient and curvature of examples by each value of each feature. */
function sumsOf(
  members: Int32Array,
  columns: readonly Uint8Array[],
  features: readonly number[],
  gradient: Float64Array,
  curvature: Float64Array,
): Float64Array {
  const sums = new Float64Array(ROOM * features.length);
  for (const [at, feature] of features.entries()) {
    const values = columns[feature]!;
    for (let m = 0; m < members.length; m += 1) {
      const k = members[m]!;
      const into = ROOM * at + 2 * values[k]!;
      sums[into]! += gradient[k]!;
      sums[into + 1]! += curvature[k]!;
    }
  }
  return sums;
}

/** The best question of the examples in one node. */
function bestQuestion({ sums }: Node, features: readonly number[], { ridge, least }: Boosting): Gain {
  let best: Gain = { gain: 1e-9, feature: 0, threshold: 255 };
  let [allG, allH] = [0, 0];
  for (let value = 0; value < ROOM; value += 2) {
    allG += sums[value]!;
    allH += sums[value + 1]!;
  }
  const score = (sumG: number, sumH: number): number => (sumG * sumG) / (sumH + ridge);
  for (const [at, feature] of features.entries()) {
    let [lowG, lowH] = [0, 0];
    for (let threshold = 0; threshold < 255; threshold += 1) {
      const from = ROOM * at + 2 * threshold;
      if (sums[from + 1] === 0) continue;
      lowG += sums[from]!;
      lowH += sums[from + 1]!;
      if (lowH < least || allH - lowH < least) continue;
      const gain = score(lowG, lowH) + score(allG - lowG, allH - lowH) - score(allG, allH);
      if (gain > best.gain + 1e-9) best = { gain, feature, threshold };
    }
  }
  return best;
}

/**
 * What lies on either side of a question. The side with fewer examples is summed up, and the other one is what it
 * leaves of the node's sums, which are used up.
 * @param sum null where nothing more is asked
 */
function divided(
  { members, sums }: Node,
  values: Uint8Array,
  threshold: number,
  sum: ((members: Int32Array) => Float64Array) | null,
): [Node, Node] {
  const low = members.filter((k) => values[k]! <= threshold);
  const high = members.filter((k) => values[k]! > threshold);
  if (sum === null) return [low, high].map((each) => ({ members: each, sums: NO_SUMS })) as [Node, Node];
  const isLowFew = low.length < high.length;
  const few = sum(isLowFew ? low : high);
  for (let k = 0; k < sums.length; k += 1) sums[k]! -= few[k]!;
  return [
    { members: low, sums: isLowFew ? few : sums },
    { members: high, sums: isLowFew ? sums : few },
  ];
}

/** The number of the leaf that an example falls into. */
function leafOf({ feature, threshold }: Pick<Tree, "feature" | "threshold">, signs: Uint8Array): number {
  let at = 0;
  while (at < feature.length) at = 2 * at + (signs[feature[at]!]! > threshold[at]! ? 2 : 1);
  return at - feature.length;
}

/** Sums of the leaves that an example falls into. */
export function evaluateTrees(trees: readonly Tree[], signs: Uint8Array): number {
  let sum = 0;
  for (const tree of trees) sum += tree.leaf[leafOf(tree, signs)]!;
  return sum;
}

/** Each of the first `count` numbers with this likelihood; all of them for 1. */
function drawn(count: number, share: number, random: Random): number[] {
  const numbers = Array.from({ length: count }, (_, k) => k);
  return share >= 1 ? numbers : numbers.filter(() => random() < share);
}

/** Boosts trees on the logistic loss. The same examples and the same seed give the same trees. */
export function boostTrees(examples: readonly Example[], boosting: Boosting): Tree[] {
  const { depth, rate, ridge } = boosting;
  const random = seededRandom(boosting.seed);
  const columns = bySign(examples);
  const questions = 2 ** depth - 1;
  const scores = new Float64Array(examples.length);
  const gradient = new Float64Array(examples.length);
  const curvature = new Float64Array(examples.length);
  return Array.from({ length: boosting.trees }, () => {
    for (const [k, { isPositive, weight }] of examples.entries()) {
      const p = 1 / (1 + Math.exp(-scores[k]! / SCALE));
      gradient[k] = weight * (Number(isPositive) - p);
      curvature[k] = weight * Math.max(1e-6, p * (1 - p));
    }
    const tree: Tree = { feature: [], threshold: [], leaf: [] };
    const features = drawn(boosting.signs.length, boosting.columns, random).map((k) => boosting.signs[k]!);
    const sum = (members: Int32Array): Float64Array =>
      sumsOf(members, columns, features, gradient, curvature);
    const seen = Int32Array.from(drawn(examples.length, boosting.rows, random));
    const nodes: Node[] = [{ members: seen, sums: sum(seen) }];
    for (let node = 0; node < questions; node += 1) {
      const { feature, threshold } = bestQuestion(nodes[node]!, features, boosting);
      tree.feature.push(feature);
      tree.threshold.push(threshold);
      const isLast = 2 * node + 1 >= questions;
      nodes.push(...divided(nodes[node]!, columns[feature]!, threshold, isLast ? null : sum));
    }
    for (const { members } of nodes.slice(questions)) {
      let [g, h] = [0, 0];
      for (const k of members) {
        g += gradient[k]!;
        h += curvature[k]!;
      }
      tree.leaf.push(Math.round((SCALE * rate * g) / (h + ridge)));
    }
    for (const [k, example] of examples.entries()) scores[k]! += tree.leaf[leafOf(tree, example.signs)]!;
    return tree;
  });
}
