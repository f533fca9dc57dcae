import { describe, expect, test } from "vitest";
import { decide, decideWhole, LEAST_PART_INSET } from "../../src/matching/decide/decide.ts";
import type { Evidence, LayerEvidence, Odds } from "../../src/matching/decide/evidence.ts";
import { LEAST_PART, LEAST_PART_PRINTED } from "../../src/matching/decide/model.ts";
import { OPEN, evidence, few, layer, layers, odds } from "./layers.ts";

const isMatch = (each: Evidence): boolean => decide(each).isMatch;
const refused = (refusedBy: string): object => ({ isMatch: false, refusedBy });
const matched = (rule: string): object => ({ isMatch: true, rule });

/** Odds that say neither clearly. */
const UNCLEAR: Odds = { part: -9000, scene: -9000 };

/** A photograph in which all agrees, at such odds of something shared. */
const at = (part: number): Evidence => evidence({ odds: odds(part, 2) });

describe("a query is refused", () => {
  test("when fewer than eight cells agree with the placement, and fewer than eight tenths of the blocks", () => {
    expect(decide(evidence({ inliers: 7, ...layers(layer({ good: 159 })) }))).toEqual(
      refused("too-few-points"),
    );
    expect(isMatch(evidence({ inliers: 7, ...layers(layer({ good: 160 })) }))).toBe(true);
    expect(isMatch(evidence({ inliers: 8, ...layers(layer({ good: 159 })) }))).toBe(true);
  });
  test("when all that agrees is what other pictures share with the original, however exactly", () => {
    expect(decide(at(LEAST_PART))).toEqual(refused("shared-part"));
    expect(decideWhole({ ...at(LEAST_PART), inliers: 0 })).toEqual(refused("shared-part"));
    expect(decide(at(LEAST_PART + 1))).toEqual(matched("learned"));
    expect(decideWhole({ ...at(LEAST_PART + 1), inliers: 0 })).toEqual(matched("learned"));
  });
  test("of what lies in a small part of it by a limit of its own, photograph or page", () => {
    const inset = evidence({ ...layers(layer({ good: 190 })), isInset: true });
    for (const textLikeness of [0, 0.97]) {
      const small = (part: number): Evidence => ({ ...inset, textLikeness, odds: odds(part, 2) });
      expect(isMatch(small(LEAST_PART_INSET + 1))).toBe(true);
      expect(decide(small(LEAST_PART_INSET))).toEqual(refused("shared-part"));
    }
  });
  test("of printed matter by a limit of its own", () => {
    const page = evidence({ textLikeness: 0.97 });
    for (const part of [LEAST_PART, LEAST_PART_PRINTED].flatMap((limit) => [limit, limit + 1])) {
      const each = { ...page, odds: odds(part, 2) };
      expect(isMatch(each)).toBe(part > LEAST_PART_PRINTED);
      expect(isMatch({ ...each, areBothPrinted: false })).toBe(part > LEAST_PART);
    }
  });
  test("when both hypotheses together say another photograph of the scene, however much agrees", () => {
    for (const part of [LEAST_PART + 1, 9_000]) {
      const other = evidence({ odds: odds(part, 0) });
      expect(decide(other)).toEqual(refused("another-view"));
      expect(decideWhole({ ...other, inliers: 0 })).toEqual(refused("another-view"));
      expect(isMatch(evidence({ odds: odds(part, 2) }))).toBe(true);
    }
  });
  test("when nothing can be compared", () =>
    expect(decide(evidence({ coarse: null, fine: null }))).toEqual(refused("not-borne-out")));
});

test("of the smallest crops the hypotheses are not asked: few blocks tell them nothing", () => {
  const small = layers(layer({ used: 20, same: 20, good: 19, median: 0.97 }));
  expect(decide(evidence({ ...small, odds: UNCLEAR }))).toEqual(matched("small-crop"));
  expect(decide(evidence({ odds: UNCLEAR }))).toEqual(refused("shared-part"));
});

/** A crop that five points place, with eight blocks of each layer but for the change. */
const five = (change: object, contained = 1, more: Partial<Evidence> = {}): Evidence =>
  evidence({
    ...layers(layer({ used: 8, good: 8, clear: 0, same: 8, median: 0.97, ...change }, contained)),
    inliers: 5,
    odds: UNCLEAR,
    ...more,
  });
/** Odds that speak clearly, of a photograph. */
const CLEAR = odds(LEAST_PART + 1, 2);

const printed = (change: object, more: Partial<Evidence> = {}): Evidence =>
  five(change, 1, { textLikeness: 1, odds: CLEAR, ...more });

/** The same of so many blocks, all of which agree, and at clear odds. */
const clearly = (used: number, clear: number): Evidence =>
  five({ used, good: used, same: used, clear }, 1, { odds: CLEAR });

describe("a crop that few points place", () => {
  test("matches when every block of it agrees", () =>
    expect(decide(five({}))).toEqual(matched("small-crop")));
  test("does when eight tenths of twelve agree on both layers together, and not when fewer do", () => {
    for (const [used, good, says] of [
      [12, 8, true],
      [12, 7, false],
      [3, 2, false],
    ] as const) {
      expect(isMatch(five({}, 1, { fine: few(used, good) }))).toBe(says);
    }
  });
  test("does when ten agree, or four clearly, if the hypotheses say so", () => {
    expect(isMatch(clearly(5, 0))).toBe(true);
    expect(isMatch(clearly(2, 2))).toBe(true);
    expect(decide(clearly(4, 1))).toEqual(refused("too-few-points"));
  });
  test("does of printed matter when both hypotheses say so clearly", () => {
    expect(decide(printed({}))).toEqual(matched("small-crop"));
    const most = { used: 30, good: 29, same: 30 };
    const shared = odds(LEAST_PART, 2);
    expect(isMatch(printed(most, { inliers: 9, odds: shared }))).toBe(false);
    expect(isMatch(printed(most, { inliers: 12, odds: shared }))).toBe(true);
    expect(isMatch(printed({}, { odds: shared }))).toBe(false);
    expect(isMatch(printed({}, { odds: odds(LEAST_PART + 1, 0) }))).toBe(false);
  });
  test("does in small, beyond the original and of printed matter when its points are there and both hypotheses say so clearly", () => {
    const again = { covered: 6, same: 6 };
    const enough = odds(LEAST_PART_PRINTED + 1, 2);
    for (const more of [{ isInset: true }, { textLikeness: 1 }, layers(few(2, 2, 0.85))]) {
      expect(isMatch(five({}, 1, { ...more, odds: enough, again }))).toBe(true);
      expect(isMatch(five({}, 1, { ...more, odds: odds(LEAST_PART, 2), again }))).toBe(false);
    }
    expect(decide(five({}, 1, { isInset: true, odds: enough, again: { covered: 6, same: 5 } }))).toEqual(
      refused("too-few-points"),
    );
  });
  test("nor when it is one of printed matter, reaches beyond the original, or shows it in small", () => {
    expect(decide(five({}, 1, { textLikeness: 0.6 }))).toEqual(refused("too-few-points"));
    expect(decide(five({}, 0.85))).toEqual(refused("too-few-points"));
    expect(decide(five({}, 1, { isInset: true }))).toEqual(refused("too-few-points"));
  });
});

/** A printed mark of few points in a small part of the query, of which the hypotheses think nothing. */
const mark = (change: object, isSpoilt = false, more: Partial<Evidence> = {}): Evidence =>
  evidence({
    ...layers(layer(change, 1, isSpoilt)),
    inliers: 5,
    isInset: true,
    odds: UNCLEAR,
    textLikeness: 0.97,
    ...more,
  });
/** One as narrow as a bar: thirteen blocks of the fine layer. */
const bar = (change: object, inliers = 8): Evidence =>
  mark({ used: 13, good: 13, same: 13, least: 0.9, ...change }, false, { inliers, coarse: null });
/** One all of whose coarse blocks agree, and so many of 90 fine ones. */
const lettered = (good: number, cellsPerPixel = 1.6): Evidence =>
  mark({}, false, { fine: layer({ used: 90, good, same: 90, cellsPerPixel }) });
/** One of whose 60 blocks that its points describe so many agree. */
const told = (ofPoints: number, more: Partial<Evidence> = {}): Evidence =>
  mark({ good: 180 }, false, {
    inliers: 12,
    odds: OPEN,
    described: layers(few(60, ofPoints)),
    ...more,
  });

describe("a mark that lies whole in a small part of the query", () => {
  const whole = matched("shown-whole");

  test("needs neither many points nor the hypotheses when all that it shows agrees", () => {
    expect(decide(mark({}))).toEqual(whole);
    expect(decide(mark({ good: 199 }))).toEqual(whole);
    expect(decide(mark({}, false, { isInset: false }))).toEqual(refused("too-few-points"));
  });
  test("may lack single blocks only, none near another, on a layer that the query resolves", () => {
    expect(decide(mark({ good: 198 }))).toEqual(refused("too-few-points"));
    expect(decide(mark({ good: 199 }, true))).toEqual(refused("too-few-points"));
    expect(decide(mark({ cellsPerPixel: 1.7 }))).toEqual(refused("too-few-points"));
  });
  test("may not differ in what only the fine layer shows, where the query resolves it", () => {
    expect(decide(lettered(87))).toEqual(whole);
    expect(decide(lettered(86))).toEqual(refused("too-few-points"));
    expect(decide(lettered(50, 1.7))).toEqual(whole);
  });
  test("of few blocks must agree clearly, and by eight points", () => {
    expect(decide(bar({}))).toEqual(whole);
    expect(isMatch(bar({ least: 0.89 }))).toBe(false);
    expect(isMatch(bar({}, 7))).toBe(false);
    expect(isMatch(bar({ used: 11, good: 11, same: 11 }))).toBe(false);
  });
  test("is another one when what its points describe disagrees, unless the query is poor", () => {
    expect(isMatch(told(58))).toBe(true);
    expect(decide(told(57))).toEqual(refused("another-sign"));
    expect(isMatch(told(57, { isInset: false }))).toBe(true);
    expect(isMatch(told(57, { textLikeness: 0.4 }))).toBe(true);
  });
  test.each([
    { noise: 11 },
    { quantisation: 61 },
    { coarse: layer({ good: 180, cellsPerPixel: 1.7 }) },
    { fine: layer({ good: 180, fineness: 0.3 }) },
  ])("poor is one with %o", (poor) => {
    expect(decide(told(57, poor))).toEqual(matched("learned"));
  });
});

const asWhole = (coarse: LayerEvidence | null, fine: LayerEvidence | null): Evidence =>
  evidence({ inliers: 0, coarse, fine });

describe("as a whole", () => {
  test("a picture without texture never matches", () => {
    expect(decideWhole(asWhole(few(14, 14), null))).toEqual(refused("not-borne-out"));
    expect(decideWhole(asWhole(null, null))).toEqual(refused("not-borne-out"));
    expect(decideWhole(asWhole(few(15, 15), null))).toEqual(matched("learned"));
  });
  test("most of what can be compared agrees", () => {
    expect(decideWhole(asWhole(few(200, 120), few(200, 120)))).toEqual(matched("learned"));
    expect(decideWhole(asWhole(few(200, 119), few(200, 119)))).toEqual(refused("not-borne-out"));
  });
  test("a small crop is not enough", () => {
    const small = layer({ used: 14, same: 14, good: 14, median: 0.97 });
    expect(decide(evidence(layers(small)))).toEqual(matched("small-crop"));
    expect(decideWhole(asWhole(small, small))).toEqual(refused("not-borne-out"));
  });
  test("the fine layer decides where the coarse has few blocks, unless it is too fine for the query", () => {
    const fine = few(60, 50);
    expect(decideWhole(asWhole(few(39, 10), fine))).toEqual(matched("learned"));
    expect(decideWhole(asWhole(few(40, 10), fine))).toEqual(refused("not-borne-out"));
    const blurred = layer({ ...fine.all, fineness: 0.8 });
    expect(decideWhole(asWhole(few(39, 10), blurred))).toEqual(refused("not-borne-out"));
    expect(decideWhole(asWhole(few(14, 10), blurred))).toEqual(matched("learned"));
    const large = layer({ ...few(39, 10).all, cellsPerPixel: 1.1 });
    expect(decideWhole(asWhole(large, fine))).toEqual(refused("not-borne-out"));
    expect(decideWhole(asWhole(few(39, 10), few(39, 38)))).toEqual(refused("not-borne-out"));
  });
});
