import { describe, expect, test } from "vitest";
import { CLOSER_PART_TREES, CLOSER_SCENE_TREES } from "../../src/matching/decide/closer-model.ts";
import { PART_TREES, SCENE_TREES, SIGNS } from "../../src/matching/decide/model.ts";
import { closerOdds, closerOddsOf, oddsOf } from "../../src/matching/decide/odds.ts";
import { FIRST_SIGNS, SIGN_NAMES, signsOf } from "../../src/matching/decide/signs.ts";
import { LEAVES, QUESTIONS, TREE_LENGTH, readTrees, sumOfLeaves } from "../../src/matching/decide/trees.ts";

/** A tree that only its first question and the left one below it matter to. */
const QUESTION_PAIRS = Array.from(
  { length: QUESTIONS },
  (_, k) =>
    [
      [0, 10],
      [1, 20],
    ][k] ?? [2, 255],
);
const LEAF_VALUES = Array.from(
  { length: LEAVES },
  (_, k) => ({ 0: 1, [LEAVES / 4]: 30, [LEAVES / 2]: 500 })[k] ?? 0,
);
const TREE = [...QUESTION_PAIRS.flat(), ...LEAF_VALUES];

describe("a tree", () => {
  test("leads to the leaf that the signs say", () => {
    expect(sumOfLeaves(TREE, Uint8Array.of(10, 20, 0))).toBe(1);
    expect(sumOfLeaves(TREE, Uint8Array.of(10, 21, 0))).toBe(30);
    expect(sumOfLeaves(TREE, Uint8Array.of(11, 0, 0))).toBe(500);
  });
  test("adds up with others", () =>
    expect(sumOfLeaves([...TREE, ...TREE], Uint8Array.of(11, 0, 0))).toBe(1000));
});

describe("a list of trees", () => {
  const bytes = Buffer.from(Int16Array.from([...TREE.with(TREE.length - 1, -300), ...TREE]).buffer);
  test("is read as it was written, whatever lines it is in", () =>
    expect([...readTrees(`\n${bytes.toString("base64").replaceAll(/.{7}/g, "$&\n")}\n`)]).toEqual([
      ...TREE.with(TREE.length - 1, -300),
      ...TREE,
    ]));
  test.each([1, 2, 2 * TREE.length - 2])("that lacks its last %i bytes is refused", (missing) =>
    expect(() => readTrees(bytes.subarray(0, bytes.length - missing).toString("base64"))).toThrow(RangeError),
  );
});

describe.each([
  ["parts in common", PART_TREES, FIRST_SIGNS],
  ["other photographs", SCENE_TREES, FIRST_SIGNS],
  ["parts in common, of a closer look", CLOSER_PART_TREES, SIGNS],
  ["other photographs, of a closer look", CLOSER_SCENE_TREES, SIGNS],
])("the trees about %s", (_, trees, signs) => {
  test("are whole, and ask for signs that there are", () => {
    expect(trees.length % TREE_LENGTH).toBe(0);
    expect(trees.length).toBeGreaterThan(0);
    expect(trees.every(Number.isInteger)).toBe(true);
    for (let tree = 0; tree < trees.length; tree += TREE_LENGTH) {
      for (let k = 0; k < QUESTIONS; k += 1) expect(trees[tree + 2 * k]).toBeLessThan(signs);
    }
  });
});

test("were learned from the signs that there are, in their order", () => {
  expect(SIGNS).toBe(SIGN_NAMES.length);
  expect(new Set(SIGN_NAMES).size).toBe(SIGN_NAMES.length);
});

test("the odds of a closer look count the first one's by a quarter", () =>
  expect(closerOdds({ part: 400, scene: -401 }, { part: 10, scene: 20 })).toEqual({ part: 110, scene: -80 }));

test("nothing compared has signs all the same, whole numbers from 0 to 255", () => {
  const signs = signsOf(
    { coarse: null, fine: null, points: null, describedAgain: null, ownKinds: null, tones: null },
    0,
    0,
  );
  expect(signs).toHaveLength(SIGNS);
  expect(Number.isInteger(oddsOf(signs).part)).toBe(true);
  expect(Number.isInteger(closerOddsOf(oddsOf(signs), signs).part)).toBe(true);
});
