import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { areOddsToldByLittle } from "../../src/matching/decide/borne-out.ts";
import { decide } from "../../src/matching/decide/decide.ts";
import type { Evidence, LayerEvidence } from "../../src/matching/decide/evidence.ts";
import { LEAST_PART } from "../../src/matching/decide/model.ts";
import { RULES, type RuleName } from "../../src/matching/decide/rules.ts";
import { situationOf } from "../../src/matching/decide/situation.ts";
import { NO_LAYERS, OPEN, evidence, few, layer, layers, odds } from "./layers.ts";

const DOCUMENT = readFileSync(new URL("../../../../docs/decision.md", import.meta.url), "utf8");

/** Odds that say that a part is shared. */
const SHARED = odds(LEAST_PART, 2);
/** All that a small crop leaves: so many blocks of six agree, and what they show. */
const six = (change: object = {}, contained = 1): LayerEvidence =>
  layer({ used: 6, same: 6, good: 6, median: 0.97, ...change }, contained);
const smallCrop = (fine: LayerEvidence, more: Partial<Evidence> = {}): Evidence =>
  evidence({ inliers: 9, coarse: null, fine, odds: SHARED, ...more });

/** For each rule evidence that it alone accepts, and evidence that falls a little short of it. */
const CASES: Readonly<Record<RuleName, readonly [accepted: Evidence, refused: Evidence]>> = {
  "shown-whole": [
    evidence({ isInset: true, odds: { part: -9000, scene: 0 }, ...layers(layer({ good: 199 })) }),
    evidence({ isInset: true, odds: { part: -9000, scene: 0 }, ...layers(layer({ good: 198 })) }),
  ],
  "small-crop": [smallCrop(six()), smallCrop(six({ good: 5 }))],
  learned: [evidence({ ...layers(layer({ good: 15 })) }), evidence({ ...layers(layer({ good: 14 })) })],
};

test("every case has its rule", () => {
  expect(Object.keys(CASES)).toEqual(RULES.map(({ name }) => name));
});

describe.each(RULES)("rule $name", ({ name, why, measured }) => {
  const [accepted, short] = CASES[name];

  test("accepts what it is for, and not what falls short of it", () => {
    expect(decide(accepted)).toEqual({ isMatch: true, rule: name });
    expect(decide(short)).toMatchObject({ isMatch: false });
  });

  test("says why it is there and where it was measured", () => {
    expect(why).toMatch(/\.$/);
    const heading = `${measured.charAt(0).toUpperCase()}${measured.slice(1).replaceAll("-", " ")}`;
    expect(DOCUMENT).toMatch(new RegExp(`^##+ ${heading}$`, "m"));
    expect(DOCUMENT).toContain(`\`${name}\``);
  });
});

const page = { textLikeness: 0.6 };

test.each([
  ["that lies beyond the original", smallCrop(six({}, 0.8))],
  ["that fewer than five blocks are left of", smallCrop(six({ used: 4, same: 4, good: 4 }))],
  ["that looks roughly the same", smallCrop(six({ median: 0.96 }))],
  ["that looks the same elsewhere", smallCrop(six({ gap: 0.02 }))],
  ["of which little looks the same at all", smallCrop(six({ same: 4 }))],
  ["that is none", smallCrop(layer())],
  ["of a page that few points agree on", smallCrop(few(8, 8), { ...page, inliers: 11 })],
  ["of a page of which seven blocks are left", smallCrop(few(7, 7), { ...page, inliers: 12 })],
])("a small crop %s does not match", (_, short) => {
  expect(decide(short)).toEqual({ isMatch: false, refusedBy: "shared-part" });
});

test.each([
  [
    "three blocks of a photograph, if twelve points agree",
    { used: 3, same: 3, good: 3, median: 0.94, gap: 0.1 },
    12,
  ],
  ["nine tenths of them, where more are left", { used: 39, same: 39, good: 36 }, 9],
])("of a small crop it is enough that %s do", (_, change, inliers) => {
  expect(decide(smallCrop(six(change), { inliers }))).toEqual({ isMatch: true, rule: "small-crop" });
});

test("a small crop of three blocks that agree roughly, or of two, is none", () => {
  const three = { used: 3, same: 3, good: 3, median: 0.94 };
  for (const change of [
    { ...three, median: 0.93 },
    { ...three, used: 2, same: 2, good: 2 },
  ]) {
    expect(decide(smallCrop(six(change), { inliers: 12 })).isMatch).toBe(false);
  }
  expect(decide(smallCrop(six(three), { inliers: 11 })).isMatch).toBe(false);
});

const [, , LEARNED] = RULES;
const holds = (change: Partial<Evidence>): boolean => {
  const each = evidence(change);
  return LEARNED.holds(each, situationOf(each));
};

const byBlocks = (coarse: LayerEvidence, fine: LayerEvidence): boolean => holds({ coarse, fine });

test("learned odds are borne out by blocks: nearly all of few", () => {
  expect(byBlocks(few(0, 0), few(4, 4))).toBe(true);
  expect(byBlocks(few(5, 4), few(15, 12))).toBe(true);
  expect(byBlocks(few(40, 15), few(60, 14))).toBe(true);
  expect(byBlocks(few(0, 0), few(0, 0))).toBe(false);
  expect(byBlocks(few(0, 0), few(3, 3))).toBe(false);
  expect(byBlocks(few(5, 4), few(15, 11))).toBe(false);
  expect(byBlocks(few(40, 14), few(60, 14))).toBe(false);
});

const byPoints = (covered: number, same: number, blocks = few(0, 0)): boolean =>
  holds({ ...layers(blocks), again: { covered, same } });

test("or by the original's points: nearly all that the query covers", () => {
  expect(byPoints(6, 6)).toBe(true);
  expect(byPoints(100, 95)).toBe(true);
  expect(byPoints(5, 5)).toBe(false);
  expect(byPoints(100, 94)).toBe(false);
  // Few as they are, the blocks must not say otherwise.
  expect(byPoints(6, 6, few(1, 1))).toBe(true);
  expect(byPoints(6, 6, few(1, 0))).toBe(false);
});

test("where neither lies within the other they accept a page of which most is shown, and no photograph", () => {
  for (const [textLikeness, contained, shown, says] of [
    [0.6, 0.9, 0, true],
    [0.6, 0.89, 0.45, true],
    [0.6, 0.89, 0.44, false],
    [0.1, 0.7, 0, true],
    [0.1, 0.69, 1, false],
  ] as const) {
    expect(holds({ ...layers(layer({}, contained)), textLikeness, shown })).toBe(says);
  }
});

test("what clear odds are told by is little with few inliers, or without blocks", () => {
  const many = layers(few(15, 15));
  expect(areOddsToldByLittle(OPEN, 12, many)).toBe(false);
  expect(areOddsToldByLittle(OPEN, 11, many)).toBe(true);
  expect(areOddsToldByLittle(OPEN, 12, layers(few(1, 1)))).toBe(true);
  expect(areOddsToldByLittle(SHARED, 5, NO_LAYERS)).toBe(false);
  expect(areOddsToldByLittle(odds(LEAST_PART + 1, 0), 5, NO_LAYERS)).toBe(false);
});
