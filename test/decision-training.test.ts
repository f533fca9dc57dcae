import { describe, expect, it } from "vitest";
import { isHeldOut, isOfPart } from "../bench/matching/designs/held-out.ts";
import { seededRandom } from "@colophon/testing/pictures.ts";
import {
  type Boosting,
  type Example,
  type Tree,
  boostTrees,
  evaluateTrees,
} from "../tools/train/boosted-trees.ts";
import { type NetworkExample, learnNetwork, oddsBy } from "../tools/train/network.ts";

const BOOSTING: Boosting = {
  trees: 60,
  depth: 3,
  rate: 0.2,
  ridge: 1,
  least: 0.5,
  rows: 0.7,
  columns: 0.7,
  signs: [0, 1, 2, 3, 4],
  seed: 1,
};

/** Two signs that say it together, and three that say nothing. */
function examples(count: number, seed: number): Example[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const signs = Uint8Array.from({ length: 5 }, () => Math.floor(256 * random()));
    return { signs, isPositive: signs[0]! > 100 && signs[3]! < 180, weight: 1 };
  });
}

/** Examples on either side of a question. */
const sidesOf = (members: readonly Example[], sign: number, threshold: number): [Example[], Example[]] => [
  members.filter(({ signs }) => signs[sign]! <= threshold),
  members.filter(({ signs }) => signs[sign]! > threshold),
];

/**
 * What a question gains among examples of which nothing is known: each has a gradient of a half and a curvature of a
 * quarter.
 */
function gainOf(
  members: readonly Example[],
  sign: number,
  threshold: number,
  { ridge, least }: Boosting,
): number {
  const sides = sidesOf(members, sign, threshold);
  if (sides.some(({ length }) => length / 4 < least)) return 0;
  const score = (some: readonly Example[]): number =>
    some.reduce((sum, { isPositive }) => sum + (isPositive ? 0.5 : -0.5), 0) ** 2 / (some.length / 4 + ridge);
  return score(sides[0]) + score(sides[1]) - score(members);
}

describe("boosted trees", () => {
  const trees = boostTrees(examples(600, 1), BOOSTING);

  it("tell apart examples that they have not seen", () => {
    const others = examples(400, 2);
    const right = others.filter(({ signs, isPositive }) => evaluateTrees(trees, signs) > 0 === isPositive);
    expect(right.length).toBeGreaterThan(380);
  });

  it.each([3, 4, 5])("ask in every node what divides its examples best, seed %i", (seed) => {
    const all = examples(300, seed).map((each, k) => ({
      ...each,
      isPositive: each.isPositive !== k % 7 < 1,
    }));
    const whole = { ...BOOSTING, trees: 1, depth: 4, rows: 1, columns: 1 };
    const [{ feature, threshold }] = boostTrees(all, whole) as [Tree];
    const nodes = [all];
    for (const [node, sign] of feature.entries()) {
      const members = nodes[node]!;
      const thresholds = [...Array(255).keys()];
      const gains = whole.signs.flatMap((each) => thresholds.map((at) => gainOf(members, each, at, whole)));
      expect(gainOf(members, sign, threshold[node]!, whole)).toBeCloseTo(Math.max(0, ...gains), 6);
      nodes.push(...sidesOf(members, sign, threshold[node]!));
    }
  });

  it("are whole numbers, and the same for one seed alone", () => {
    expect(trees.flatMap(({ leaf }) => leaf).every(Number.isInteger)).toBe(true);
    expect(boostTrees(examples(600, 1), BOOSTING)).toEqual(trees);
    expect(boostTrees(examples(600, 1), { ...BOOSTING, seed: 2 })).not.toEqual(trees);
  });

  it("ask for no sign but those that they may", () => {
    const some = boostTrees(examples(600, 1), { ...BOOSTING, signs: [1, 3] });
    const asked = some.flatMap(({ feature, threshold }) => feature.filter((_, k) => threshold[k]! < 255));
    expect(new Set(asked)).toEqual(new Set([1, 3]));
  });
});

/** Two inputs that say it only together, one that says nothing, and 1; one kind is a third of them. */
function together(count: number, seed: number): NetworkExample[] {
  const random = seededRandom(seed);
  const side = (): number => (random() < 0.5 ? 1 : -1);
  return Array.from({ length: count }, () => {
    const inputs = Int8Array.of(side(), side(), side(), 1);
    return { inputs, isPositive: inputs[0] === inputs[1] };
  }).filter(({ isPositive }) => isPositive || random() < 0.5);
}

describe("a network", () => {
  const LEARNING = { units: 8, steps: 20_000, rate: 0.1, seed: 3 };
  const network = learnNetwork(together(600, 1), LEARNING);

  it("tells apart what no input tells alone", () => {
    for (const each of together(50, 2)) expect(oddsBy(network, each) > 0).toBe(each.isPositive);
  });

  it("is the same for one seed alone", () => {
    expect(learnNetwork(together(600, 1), LEARNING)).toEqual(network);
    expect(learnNetwork(together(600, 1), { ...LEARNING, seed: 4 })).not.toEqual(network);
  });
});

describe("what is held out", () => {
  const names = Array.from({ length: 400 }, (_, k) => `design-${k}`);

  it("is about a quarter of all names, told by the name alone", () => {
    const held = names.filter(isHeldOut);
    expect(held.length).toBeGreaterThan(60);
    expect(held.length).toBeLessThan(140);
    expect(names.filter((name) => isOfPart(name, "report"))).toEqual(held);
  });

  it("leaves every name to one part, and all of them without one", () => {
    for (const name of names) expect(isOfPart(name, "train")).toBe(!isOfPart(name, "report"));
    expect(names.every((name) => isOfPart(name, null))).toBe(true);
  });
});
