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
}

/**
 * A complete binary tree in the order of a heap: question k asks whether sign `feature[k]` is over `threshold[k]`, and goes on at 2 k + 1 for no and 2 k + 2
 * for yes; behind the questions stand the leaves, in `scale` parts of the logarithm of the odds.
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

/** The best question of the examples in one node. */
function bestQuestion(
  examples: readonly Example[],
  members: readonly number[],
  gradient: Float64Array,
  curvature: Float64Array,
  { ridge, least }: Boosting,
): Gain {
  const features = examples[0]!.signs.length;
  let best: Gain = { gain: 1e-9, feature: 0, threshold: 255 };
  const g = new Float64Array(256);
  const h = new Float64Array(256);
  let [allG, allH] = [0, 0];
  for (const k of members) {
    allG += gradient[k]!;
    allH += curvature[k]!;
  }
  const score = (sumG: number, sumH: number): number => (sumG * sumG) / (sumH + ridge);
  for (let feature = 0; feature < features; feature += 1) {
    g.fill(0);
    h.fill(0);
    for (const k of members) {
      const value = examples[k]!.signs[feature]!;
      g[value]! += gradient[k]!;
      h[value]! += curvature[k]!;
    }
    let [lowG, lowH] = [0, 0];
    for (let threshold = 0; threshold < 255; threshold += 1) {
      lowG += g[threshold]!;
      lowH += h[threshold]!;
      if (h[threshold] === 0) continue;
      if (lowH < least || allH - lowH < least) continue;
      const gain = score(lowG, lowH) + score(allG - lowG, allH - lowH) - score(allG, allH);
      if (gain > best.gain + 1e-9) best = { gain, feature, threshold };
    }
  }
  return best;
}

/** Sums of the leaves that an example falls into. */
export function evaluateTrees(trees: readonly Tree[], signs: Uint8Array): number {
  let sum = 0;
  for (const { feature, threshold, leaf } of trees) {
    let at = 0;
    while (at < feature.length) at = 2 * at + (signs[feature[at]!]! > threshold[at]! ? 2 : 1);
    sum += leaf[at - feature.length]!;
  }
  return sum;
}

/** Boosts trees on the logistic loss. The same examples give the same trees: nothing is drawn at random. */
export function boostTrees(examples: readonly Example[], boosting: Boosting): Tree[] {
  const { depth, rate, ridge } = boosting;
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
    let nodes: number[][] = [Array.from(examples.keys())];
    for (let node = 0; node < questions; node += 1) {
      const members = nodes[node]!;
      const { feature, threshold } = bestQuestion(examples, members, gradient, curvature, boosting);
      tree.feature.push(feature);
      tree.threshold.push(threshold);
      nodes[2 * node + 1] = members.filter((k) => examples[k]!.signs[feature]! <= threshold);
      nodes[2 * node + 2] = members.filter((k) => examples[k]!.signs[feature]! > threshold);
    }
    nodes = nodes.slice(questions);
    for (const members of nodes) {
      let [g, h] = [0, 0];
      for (const k of members) {
        g += gradient[k]!;
        h += curvature[k]!;
      }
      const value = Math.round((SCALE * rate * g) / (h + ridge));
      tree.leaf.push(value);
      for (const k of members) scores[k]! += value;
    }
    return tree;
  });
}
