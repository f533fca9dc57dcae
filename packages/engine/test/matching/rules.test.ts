import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { decide } from "../../src/matching/decide/decide.ts";
import { areOddsToldByLittle } from "../../src/matching/decide/borne-out.ts";
import { CLEAN, meets } from "../../src/matching/decide/demand.ts";
import type { Evidence, LayerEvidence, ResidualStatistics } from "../../src/matching/decide/evidence.ts";
import { RULES, type RuleName } from "../../src/matching/decide/rules.ts";
import { SURE_SCENE } from "../../src/matching/decide/model.ts";
import { situationOf } from "../../src/matching/decide/situation.ts";
import { NO_LAYERS, OPEN, SIMILAR, evidence, layer, layers } from "./layers.ts";

const DOCUMENT = readFileSync(new URL("../../../../docs/decision.md", import.meta.url), "utf8");

/** Under half of the blocks agree, all of those beside a sign; the boldest are its own. */
const UNDER_SIGN = { median: 0.8, same: 90, good: 80, present: 70, clear: 50, exact: 40, gap: 0.1 };
const BESIDE_SIGN = { covered: 0.65, used: 30, clear: 28 };
/** Half of the blocks of a page agree, those beside a caption clearly. */
const CAPTIONED = { good: 120, same: 130, present: 120, clear: 100, exact: 90, gap: 0.1 };
const BESIDE_CAPTION = { covered: 0.2, used: 60, bad: 0, clear: 55 };
/** Noise that drowns the blocks with little detail. */
const DROWNED = { median: 0.7, roughMedian: 0.7, good: 110, gap: 0.12 };

const spoilt = (median: number, change = {}): LayerEvidence =>
  layer({ median, roughMedian: median, clear: 50, exact: 25, good: 180, ...change });
/** All that a small crop leaves. */
const SIX = { used: 6, same: 6, roughlySame: 6, roughMedian: 0.8 };
const part = (median: number): LayerEvidence => layer({ ...SIMILAR, median }, 0.5);

/** For each rule evidence that it alone accepts, and evidence that falls a little short of it. */
const CASES: Readonly<Record<RuleName, readonly [accepted: Evidence, refused: Evidence]>> = {
  "shown-whole": [
    evidence({ isInset: true, ...layers(layer({ ...SIMILAR, median: 0.86, good: 199 })) }),
    evidence({ isInset: true, ...layers(layer({ ...SIMILAR, median: 0.86, good: 198 })) }),
  ],
  "small-crop": [
    evidence({ inliers: 9, coarse: null, fine: layer({ ...SIX, good: 6 }) }),
    evidence({ inliers: 9, coarse: null, fine: layer({ ...SIX, good: 5 }) }),
  ],
  learned: [
    evidence({ ...layers(layer(SIMILAR)), odds: { ...OPEN, scene: SURE_SCENE + 1 } }),
    evidence({ ...layers(layer(SIMILAR)), odds: { ...OPEN, scene: SURE_SCENE } }),
  ],
  "part-in-common": [evidence({ ...layers(part(0.98)) }), evidence({ ...layers(part(0.97)) })],
  "both-layers": [
    evidence({ coarse: layer({ ...SIMILAR, median: 0.95 }), fine: layer({ ...SIMILAR, median: 0.96 }) }),
    evidence({ coarse: layer({ ...SIMILAR, median: 0.89 }), fine: layer({ ...SIMILAR, median: 0.96 }) }),
  ],
  "fine-layer": [
    evidence({ coarse: layer(SIMILAR), fine: layer({ ...SIMILAR, median: 0.98 }) }),
    evidence({ coarse: layer(SIMILAR), fine: layer({ ...SIMILAR, median: 0.97 }) }),
  ],
  "under-sign": [
    evidence({ ...layers(layer(UNDER_SIGN, 1, BESIDE_SIGN, { good: 8 })) }),
    evidence({ ...layers(layer(UNDER_SIGN, 1, { ...BESIDE_SIGN, bad: 1 }, { good: 8 })) }),
  ],
  "exactly-or-not": [
    evidence({
      coarse: layer(SIMILAR),
      fine: layer({ ...SIMILAR, clear: 70, exact: 60, present: 100, gap: 0.02 }),
    }),
    evidence({
      coarse: layer(SIMILAR),
      fine: layer({ ...SIMILAR, clear: 70, exact: 40, present: 100, gap: 0.02 }),
    }),
  ],
  veiled: [
    evidence({
      coarse: layer({ ...SIMILAR, median: 0.75, good: 110, gap: 0.1 }),
      fine: layer({ median: 0.92, roughMedian: 0.85, good: 130, present: 120, clear: 60, exact: 45 }),
    }),
    evidence({
      coarse: layer({ ...SIMILAR, median: 0.91, good: 110, gap: 0.1 }),
      fine: layer({ median: 0.92, roughMedian: 0.85, good: 130, present: 120, clear: 60, exact: 45 }),
    }),
  ],
  toned: [evidence({ ...layers(spoilt(0.91)) }), evidence({ coarse: spoilt(0.91), fine: spoilt(0.88) })],
  even: [
    evidence({
      coarse: spoilt(0.91, { good: 195, gap: 0.015 }),
      fine: spoilt(0.82, { good: 175, gap: 0.05 }),
    }),
    evidence({
      coarse: spoilt(0.91, { good: 185, gap: 0.015 }),
      fine: spoilt(0.82, { good: 175, gap: 0.05 }),
    }),
  ],
  smeared: [
    evidence({
      coarse: layer({ median: 0.97, good: 199 }),
      fine: layer({ median: 0.7, good: 120, same: 150, gap: 0.15, clear: 20, exact: 5 }),
    }),
    evidence({
      coarse: layer({ median: 0.97, good: 190 }),
      fine: layer({ median: 0.7, good: 120, same: 150, gap: 0.15, clear: 20, exact: 5 }),
    }),
  ],
  boldest: [
    evidence({
      coarse: layer(
        { ...SIMILAR, median: 0.91, good: 150, gap: 0.018 },
        1,
        {},
        { median: 0.96, good: 50, gap: 0 },
      ),
      fine: layer({ ...SIMILAR, median: 0.8, good: 120 }, 1, {}, { median: 0.94, good: 50, gap: 0 }),
    }),
    evidence({
      coarse: layer(
        { ...SIMILAR, median: 0.91, good: 150, gap: 0.018 },
        1,
        {},
        { median: 0.96, good: 50, gap: 0 },
      ),
      fine: layer({ ...SIMILAR, median: 0.8, good: 120 }, 1, {}, { median: 0.92, good: 50, gap: 0 }),
    }),
  ],
  "shown-in-part": [
    evidence({
      coarse: layer({ median: 0.94, roughMedian: 0.74, same: 130, good: 95, clear: 60 }),
      fine: layer({ median: 0.98, roughMedian: 0.96, same: 130, good: 105, clear: 80 }),
      quantisation: 17,
    }),
    evidence({
      coarse: layer({ median: 0.94, roughMedian: 0.74, same: 130, good: 95, clear: 60 }),
      fine: layer({ ...SIMILAR, same: 130, good: 105, roughMedian: 0.8 }),
      quantisation: 17,
    }),
  ],
  degraded: [
    evidence({ ...layers(layer({ ...SIMILAR, roughMedian: 0.89 })), quantisation: 30 }),
    evidence({ ...layers(layer({ ...SIMILAR, roughMedian: 0.87 })), quantisation: 30 }),
  ],
  "degraded-mixed": [
    evidence({ ...layers(layer({ ...SIMILAR, roughMedian: 0.89 })), quantisation: 30, textLikeness: 0.6 }),
    evidence({
      ...layers(layer({ ...SIMILAR, roughMedian: 0.89, good: 140 })),
      quantisation: 30,
      textLikeness: 0.6,
    }),
  ],
  "degraded-beyond": [
    evidence({ ...layers(layer({ ...SIMILAR, roughMedian: 0.95 }, 0.85)), quantisation: 30 }),
    evidence({ ...layers(layer({ ...SIMILAR, roughMedian: 0.93 }, 0.85)), quantisation: 30 }),
  ],
  poor: [
    evidence({ ...layers(layer({ ...SIMILAR, median: 0.78, good: 150, gap: 0.06 })), quantisation: 70 }),
    evidence({ ...layers(layer({ ...SIMILAR, median: 0.78, good: 145, gap: 0.06 })), quantisation: 70 }),
  ],
  "poor-overlaid": [
    evidence({
      ...layers(layer({ ...SIMILAR, median: 0.9, good: 110, same: 120, gap: 0.04 })),
      quantisation: 70,
    }),
    evidence({
      ...layers(layer({ ...SIMILAR, median: 0.9, good: 95, same: 120, gap: 0.04 })),
      quantisation: 70,
    }),
  ],
  "poor-boldest": [
    evidence({ coarse: layer(DROWNED, 1, {}, { median: 0.85, good: 88, gap: 0 }), noise: 20 }),
    evidence({ coarse: layer(DROWNED, 1, {}, { median: 0.85, good: 80, gap: 0 }), noise: 20 }),
  ],
  page: [
    evidence({
      ...layers(layer({ median: 0.97, good: 170 }, 1, { bad: 9 }, { median: 0.96 })),
      textLikeness: 0.97,
    }),
    evidence({
      ...layers(layer({ median: 0.97, good: 165 }, 1, { bad: 9 }, { median: 0.96 })),
      textLikeness: 0.97,
    }),
  ],
  "page-captioned": [
    evidence({ ...layers(layer(CAPTIONED, 1, BESIDE_CAPTION, { median: 0.9 })), textLikeness: 0.97 }),
    evidence({
      ...layers(layer(CAPTIONED, 1, { ...BESIDE_CAPTION, bad: 1 }, { median: 0.9 })),
      textLikeness: 0.97,
    }),
  ],
  "page-under-sign": [
    evidence({
      ...layers(layer(UNDER_SIGN, 1, { ...BESIDE_SIGN, covered: 0.45 }, { good: 8 })),
      textLikeness: 0.97,
    }),
    evidence({
      ...layers(layer(UNDER_SIGN, 1, { ...BESIDE_SIGN, covered: 0.55 }, { good: 8 })),
      textLikeness: 0.97,
    }),
  ],
  "page-boldest": [
    evidence({
      ...layers(
        layer({ median: 0.95, good: 120, gap: 0.02 }, 1, { bad: 9 }, { median: 0.98, good: 50, gap: 0 }),
      ),
      textLikeness: 0.97,
    }),
    evidence({
      ...layers(
        layer({ median: 0.95, good: 120, gap: 0.02 }, 1, { bad: 9 }, { median: 0.98, good: 48, gap: 0 }),
      ),
      textLikeness: 0.97,
    }),
  ],
  "page-degraded": [
    evidence({
      ...layers(layer({ ...SIMILAR, roughMedian: 0.96, good: 165 })),
      quantisation: 30,
      textLikeness: 0.97,
    }),
    evidence({
      ...layers(layer({ ...SIMILAR, roughMedian: 0.96, good: 155 })),
      quantisation: 30,
      textLikeness: 0.97,
    }),
  ],
};

describe.each(RULES)("rule $name", ({ name, why, measured }) => {
  const [accepted, short] = CASES[name];

  test("alone accepts what it is for, and not what falls short of it", () => {
    expect(decide(accepted)).toEqual({ isMatch: true, rule: name });
    expect(decide(short)).toEqual({ isMatch: false, refusedBy: "no-rule" });
    const situation = situationOf(accepted);
    const others = RULES.filter((rule) => rule.name !== name && rule.applies(situation));
    expect(others.filter((rule) => rule.holds(accepted, situation))).toEqual([]);
  });

  test("says why it is there and where it was measured", () => {
    expect(why).toMatch(/\.$/);
    const heading = `${measured.charAt(0).toUpperCase()}${measured.slice(1).replaceAll("-", " ")}`;
    expect(DOCUMENT).toMatch(new RegExp(`^##+ ${heading}$`, "m"));
    expect(DOCUMENT).toContain(`\`${name}\``);
  });
});

/** What each clause of a rule is for: evidence that falls short of it in one thing only. */
const SHORT: Readonly<Record<string, Evidence>> = {
  "a small crop that lies beyond the original": evidence({
    inliers: 9,
    coarse: null,
    fine: layer({ ...SIX, good: 6 }, 0.8),
  }),
  "a small crop of a page that few points agree on": evidence({
    inliers: 11,
    coarse: null,
    fine: layer({ ...SIX, good: 6 }),
    textLikeness: 0.6,
  }),
  "learned odds of a photograph of which neither lies within the other": evidence({
    ...layers(part(0.97)),
    odds: { ...OPEN, scene: SURE_SCENE + 1 },
  }),
  "learned odds of a page of which neither lies within the other and little is shown": evidence({
    ...layers(layer(SIMILAR, 0.8)),
    odds: { ...OPEN, scene: SURE_SCENE + 1 },
    textLikeness: 0.6,
    shown: 0.44,
  }),
  "a part in common that few points agree on": evidence({ ...layers(part(0.98)), inliers: 19 }),
  "a part in common that is less than most of the original": evidence({ ...layers(part(0.98)), shown: 0.44 }),
  "tones of which the large blocks do not agree": evidence({
    coarse: spoilt(0.91, { good: 170 }),
    fine: spoilt(0.91),
  }),
  "tones of which the small blocks do not agree": evidence({
    coarse: spoilt(0.91),
    fine: spoilt(0.91, { good: 170 }),
  }),
  "a sign that leaves little beside it": evidence({
    ...layers(layer(UNDER_SIGN, 1, { ...BESIDE_SIGN, used: 19, clear: 19 }, { good: 8 })),
  }),
  "a sign beside which blocks agree only roughly": evidence({
    ...layers(layer(UNDER_SIGN, 1, { ...BESIDE_SIGN, clear: 25 }, { good: 8 })),
  }),
};

test.each(Object.entries(SHORT))("%s does not match", (_, short) =>
  expect(decide(short)).toEqual({ isMatch: false, refusedBy: "no-rule" }),
);

test("every case has its rule", () => {
  expect(Object.keys(CASES)).toEqual(RULES.map(({ name }) => name));
});

/** The evidence with other figures of all blocks of a layer, or of the quarter with most detail. */
const changed = (
  each: Evidence,
  name: "coarse" | "fine",
  blocks: "all" | "strong",
  change: Partial<ResidualStatistics>,
): Evidence => {
  const of = each[name]!;
  return { ...each, [name]: { ...of, [blocks]: { ...of[blocks], ...change } } };
};

test.each([
  ["boldest", "fine", "strong", { used: 39, same: 39, good: 39 }],
  ["boldest", "coarse", "all", { good: 139 }],
  ["boldest", "coarse", "strong", { median: 0.94 }],
  ["page-boldest", "fine", "strong", { used: 14, same: 14, good: 14 }],
  ["page-boldest", "coarse", "strong", { good: 48 }],
  ["page-boldest", "fine", "strong", { good: 48 }],
] as const)("%s asks the %s layer, of %s blocks", (rule, name, blocks, change) => {
  const [accepted] = CASES[rule];
  expect(decide(accepted)).toEqual({ isMatch: true, rule });
  expect(decide(changed(accepted, name, blocks, change)).isMatch).toBe(false);
});

test.each([
  ["few look the same", { same: 4 }],
  ["few agree", { used: 7, same: 7, good: 4 }],
  ["most that look the same do not agree", { good: 99 }],
])("blocks meet no demand when %s", (_, change) => {
  expect(meets(layer().all, CLEAN)).toBe(true);
  expect(meets(layer(change).all, CLEAN)).toBe(false);
});

describe("a rule looks at the layers that there are", () => {
  test.each([0.1, 0.97])("of an original with the coarse one alone, like text by %d", (textLikeness) => {
    const alone = evidence({ coarse: layer(SIMILAR), fine: null, textLikeness });
    expect(decide(alone)).toEqual({ isMatch: false, refusedBy: "no-rule" });
  });
  test("of a query of which the fine one alone could be compared", () => {
    const fine = layer({ roughMedian: 0.89 });
    expect(decide(evidence({ fine }))).toMatchObject({ isMatch: true });
    expect(decide(evidence({ coarse: null, fine }))).toEqual({ isMatch: true, rule: "degraded" });
  });
  test("of a page with pictures the coarse one, whatever the fine one says", () => {
    const degraded = { quantisation: 30, textLikeness: 0.6 };
    const coarse = layer({ median: 0.9, roughMedian: 0.9 });
    const fine = layer({ ...SIMILAR, roughMedian: 0.7 });
    expect(decide(evidence({ ...degraded, coarse, fine }))).toEqual({
      isMatch: true,
      rule: "degraded-mixed",
    });
  });
});

const few = (used: number, good: number): LayerEvidence => layer({ used, good });

test("learned odds are borne out by blocks: nearly all of few", () => {
  const odds = { ...OPEN, scene: SURE_SCENE + 1 };
  const learned = RULES.find(({ name }) => name === "learned")!;
  const holds = (coarse: LayerEvidence, fine: LayerEvidence): boolean => {
    const each = evidence({ coarse, fine, odds });
    return learned.holds(each, situationOf(each));
  };
  expect(holds(few(0, 0), few(4, 4))).toBe(true);
  expect(holds(few(5, 4), few(15, 12))).toBe(true);
  expect(holds(few(40, 15), few(60, 14))).toBe(true);
  expect(holds(few(0, 0), few(0, 0))).toBe(false);
  expect(holds(few(0, 0), few(3, 3))).toBe(false);
  expect(holds(few(5, 4), few(15, 11))).toBe(false);
  expect(holds(few(40, 14), few(60, 14))).toBe(false);
});

test("or by the original's points: nearly all that the query covers", () => {
  const learned = RULES.find(({ name }) => name === "learned")!;
  const holds = (covered: number, same: number, blocks = few(0, 0)): boolean => {
    const odds = { ...OPEN, scene: SURE_SCENE + 1 };
    const each = evidence({ ...layers(blocks), odds, again: { covered, same } });
    return learned.holds(each, situationOf(each));
  };
  expect(holds(6, 6)).toBe(true);
  expect(holds(100, 95)).toBe(true);
  expect(holds(5, 5)).toBe(false);
  expect(holds(100, 94)).toBe(false);
  // Few as they are, the blocks must not say otherwise.
  expect(holds(6, 6, few(1, 1))).toBe(true);
  expect(holds(6, 6, few(1, 0))).toBe(false);
});

test("what clear odds are told by is little with few inliers, or without blocks", () => {
  const clear = { ...OPEN, scene: SURE_SCENE + 1 };
  const many = layers(few(15, 15));
  expect(areOddsToldByLittle(clear, 12, many)).toBe(false);
  expect(areOddsToldByLittle(clear, 11, many)).toBe(true);
  expect(areOddsToldByLittle(clear, 12, layers(few(1, 1)))).toBe(true);
  expect(areOddsToldByLittle(OPEN, 5, NO_LAYERS)).toBe(false);
});

test("learned odds accept most of a page that is carried by another, though neither lies within the other", () => {
  const carried = evidence({
    ...layers(layer(SIMILAR, 0.8)),
    odds: { ...OPEN, scene: SURE_SCENE + 1 },
    textLikeness: 0.6,
    shown: 0.45,
  });
  expect(decide(carried)).toEqual({ isMatch: true, rule: "learned" });
});

test("a clean query may reach beyond a photograph, a degraded one may not", () => {
  const beyond = layers(layer({}, 0.8));
  expect(decide(evidence(beyond))).toEqual({ isMatch: true, rule: "both-layers" });
  expect(decide(evidence({ ...beyond, quantisation: 30 }))).toEqual({
    isMatch: true,
    rule: "degraded-beyond",
  });
});
