import { describe, expect, it } from "vitest";
import { isHeldOut, isOfPart } from "../bench/matching/designs/held-out.ts";
import { seededRandom } from "@colophon/testing/pictures.ts";
import { type Boosting, type Example, boostTrees, evaluateTrees } from "../tools/train/boosted-trees.ts";
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

describe("boosted trees", () => {
  const trees = boostTrees(examples(600, 1), BOOSTING);

  it("tell apart examples that they have not seen", () => {
    const others = examples(400, 2);
    const right = others.filter(({ signs, isPositive }) => evaluateTrees(trees, signs) > 0 === isPositive);
    expect(right.length).toBeGreaterThan(380);
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
