import { describe, expect, test } from "vitest";
import { isMixed, isUnderSign, isVeiled } from "../../src/matching/decide/overlay-rules.ts";
import { layer } from "./layers.ts";

/** Two thirds of the blocks agree exactly, the others not at all. */
const MIXED = { used: 200, gap: 0.02, clear: 120, exact: 100, present: 130 };
const UNDER_SIGN = { covered: 0.5, used: 60, bad: 0, clear: 58 };
const COVER = 0.6;
const BOLD = { used: 50, good: 10 };
const VEILED = { used: 200, median: 0.9, gap: 0.04, clear: 80, exact: 60, present: 150 };
const COARSE = layer({ median: 0.8 });

describe("what agrees exactly or not at all", () => {
  test("is mixed", () => expect(isMixed(layer(MIXED))).toBe(true));

  test.each([
    ["few blocks are left", { used: 59, clear: 50 }],
    ["agreement lies in between", { gap: 0.03 }],
    ["too few agree clearly", { clear: 60 }],
    ["too few of those that agree do so exactly", { exact: 60 }],
  ])("is not mixed when %s", (_, change) => expect(isMixed(layer({ ...MIXED, ...change }))).toBe(false));
});

const under = (beside: object, bold: object = {}): boolean =>
  isUnderSign(layer({ used: 200 }, 1, { ...UNDER_SIGN, ...beside }, { ...BOLD, ...bold }), COVER);

describe("a picture beside a large sign", () => {
  test("lies under it", () => expect(under({})).toBe(true));

  test.each([
    ["the sign covers more than it may", { covered: 0.61 }, {}],
    ["too little is left", { used: 19, clear: 19 }, {}],
    ["anything beside it disagrees", { bad: 1 }, {}],
    ["what is left does not agree clearly", { clear: 52 }, {}],
    ["the boldest blocks agree", {}, { good: 17 }],
  ])("does not when %s", (_, beside, bold) => expect(under(beside, bold)).toBe(false));
});

describe("something thin laid all over", () => {
  test("spoils large blocks more than small ones", () => expect(isVeiled(COARSE, layer(VEILED))).toBe(true));

  test.each([
    ["few blocks are left", { used: 59, clear: 50 }],
    ["small blocks agree no better than large ones", { median: 0.82 }],
    ["agreement lies in between", { gap: 0.05 }],
    ["too few agree clearly", { clear: 50 }],
    ["too few of those that agree do so exactly", { exact: 40 }],
  ])("is not seen when %s", (_, change) =>
    expect(isVeiled(COARSE, layer({ ...VEILED, ...change }))).toBe(false),
  );
});
