import { describe, expect, test } from "vitest";
import { decide, decideWhole, LEAST_PART_INSET } from "../../src/matching/decide/decide.ts";
import type { Evidence, LayerEvidence } from "../../src/matching/decide/evidence.ts";
import { LEAST_PART, LEAST_PART_PRINTED, LEAST_SCENE, SURE_SCENE } from "../../src/matching/decide/model.ts";
import { OPEN, SIMILAR, evidence, layer, layers } from "./layers.ts";

const isMatch = (each: Evidence): boolean => decide(each).isMatch;
const refused = (refusedBy: string): object => ({ isMatch: false, refusedBy });

/** Blocks that agree roughly, of pictures of which this share of one lies within the other. */
const rough = (contained: number): LayerEvidence => layer({ median: 0.9, roughMedian: 0.89 }, contained);

describe("a query is refused", () => {
  test("when fewer than eight cells agree with the placement, and fewer than eight tenths of the blocks", () => {
    expect(decide(evidence({ inliers: 7, ...layers(layer({ good: 159 })) }))).toEqual(
      refused("too-few-points"),
    );
    expect(isMatch(evidence({ inliers: 7, ...layers(layer({ good: 160 })) }))).toBe(true);
  });
  test("when all that agrees is what other pictures share with the original, however exactly", () => {
    const shared = { ...layers(layer({ good: 199 })), odds: { ...OPEN, part: LEAST_PART } };
    expect(decide(evidence(shared))).toEqual(refused("shared-part"));
    expect(decideWhole(evidence({ ...shared, inliers: 0 }))).toEqual(refused("shared-part"));
    expect(isMatch(evidence())).toBe(true);
  });
  test("of what lies in a small part of it by a limit of its own, photograph or page", () => {
    const inset = evidence({ ...layers(layer({ good: 190 })), isInset: true });
    for (const textLikeness of [0, 0.97]) {
      const at = (part: number): Evidence => ({ ...inset, textLikeness, odds: { ...OPEN, part } });
      expect(isMatch(at(LEAST_PART_INSET + 1))).toBe(true);
      expect(decide(at(LEAST_PART_INSET))).toEqual(refused("shared-part"));
    }
  });
  test("of printed matter by a limit of its own", () => {
    const but1 = layers(layer({ good: 199 }));
    const page = evidence({ ...but1, textLikeness: 0.97 });
    expect(decide({ ...page, odds: { ...OPEN, part: LEAST_PART_PRINTED } })).toEqual(refused("shared-part"));
    for (const part of [LEAST_PART, LEAST_PART_PRINTED].flatMap((limit) => [limit, limit + 1])) {
      const odds = { ...OPEN, part };
      expect(isMatch({ ...page, odds })).toBe(part > LEAST_PART_PRINTED);
      expect(isMatch({ ...page, odds, isAllThere: true })).toBe(part > LEAST_PART_PRINTED);
      expect(isMatch({ ...page, odds, areBothPrinted: false })).toBe(part > LEAST_PART);
    }
  });
  test("when what moved says another photograph of the scene, however much agrees", () => {
    const odds = { ...OPEN, scene: LEAST_SCENE };
    expect(decide(evidence({ odds }))).toEqual(refused("another-view"));
    expect(decideWhole(evidence({ odds }))).toEqual(refused("another-view"));
    expect(isMatch(evidence({ odds, isAllThere: true }))).toBe(true);
  });
  test("when it shows the scene at another moment", () =>
    expect(decide(evidence(layers(layer(SIMILAR))))).toEqual(refused("no-rule")));
  test("when its blocks agree only when shifted", () =>
    expect(isMatch(evidence(layers(layer({ gap: 0.05 }))))).toBe(false));
  test("when both are pages that share a part", () =>
    expect(isMatch(evidence({ ...layers(layer({}, 0.5)), textLikeness: 0.97 }))).toBe(false));
  test("when nothing can be compared", () =>
    expect(isMatch(evidence({ coarse: null, fine: null }))).toBe(false));
  test("when few points agree and few blocks do", () => {
    const coarse = layer({ used: 60, same: 14, good: 14, roughlySame: 14 });
    expect(isMatch(evidence({ inliers: 11, ...layers(coarse) }))).toBe(false);
    expect(isMatch(evidence({ inliers: 10, ...layers(layer({ good: 90 })) }))).toBe(false);
    expect(isMatch(evidence({ inliers: 11, ...layers(layer({ good: 90 })) }))).toBe(true);
  });
  test("when it shows a picture of a page and little else of it", () => {
    const part = layer({ good: 110, present: 110, clear: 60, exact: 40 });
    expect(isMatch(evidence({ ...layers(part), textLikeness: 0.6 }))).toBe(false);
    expect(isMatch(evidence({ ...layers(part), textLikeness: 0.4 }))).toBe(true);
  });
  test("when it is a degraded view of the scene that reaches beyond it", () => {
    for (const [quantisation, containment] of [
      [30, 0.85],
      [80, 0.95],
    ] as const) {
      expect(isMatch(evidence({ ...layers(rough(containment)), quantisation }))).toBe(false);
      expect(isMatch(evidence({ ...layers(rough(0.99)), quantisation }))).toBe(true);
    }
  });
});

test("each sign of a degraded query lets it agree roughly", () => {
  const roughly = { ...SIMILAR, roughMedian: 0.89 };
  for (const change of [
    { quantisation: 11 },
    { noise: 7 },
    { coarse: layer({ ...roughly, cellsPerPixel: 1.1 }) },
    { fine: layer({ ...roughly, fineness: 0.8 }) },
  ]) {
    expect(decide(evidence({ ...layers(layer(roughly)), ...change }))).toEqual({
      isMatch: true,
      rule: "degraded",
    });
  }
  expect(isMatch(evidence(layers(layer(roughly))))).toBe(false);
});

test("each sign of a poor query lets it agree somewhat", () => {
  const somewhat = { ...SIMILAR, median: 0.78, good: 150, gap: 0.06 };
  for (const change of [
    { quantisation: 61 },
    { noise: 11 },
    { coarse: layer({ ...somewhat, cellsPerPixel: 1.7 }) },
    { fine: layer({ ...somewhat, fineness: 0.3 }) },
  ]) {
    expect(decide(evidence({ ...layers(layer(somewhat)), ...change }))).toEqual({
      isMatch: true,
      rule: "poor",
    });
  }
  expect(isMatch(evidence({ ...layers(layer(somewhat)), noise: 9 }))).toBe(false);
});

/** Under a third of all blocks agree: lettering covers the ground. */
const COVERED = { used: 200, same: 70, good: 60, present: 60, clear: 50, exact: 40, gap: 0.1 };
/** Of 40 blocks, those that agree well, and clearly. */
const described = (good: number, clear: number): LayerEvidence =>
  layer({ used: 40, same: 40, roughlySame: 40, good, present: good, clear, exact: clear }, 1, {
    used: 40,
    bad: 40 - good,
    clear,
  });

describe("of an original whose points tell all that it shows", () => {
  test("it is enough that this agrees, whatever lies on the ground around it", () => {
    const covered = evidence({ ...layers(layer(COVERED, 1, { bad: 60 })), textLikeness: 0.97 });
    const shown = layers(described(40, 36));
    expect(isMatch(covered)).toBe(false);
    expect(isMatch({ ...covered, expectedBlocks: { described: shown, expected: shown } })).toBe(true);
    expect(
      isMatch({ ...covered, expectedBlocks: { described: shown, expected: layers(described(30, 20)) } }),
    ).toBe(false);
  });
  test("a page says something else where that disagrees, though the rest agrees", () => {
    const expected = layers(described(20, 10));
    const page = (good: number, clear: number): Evidence =>
      evidence({
        textLikeness: 0.97,
        expectedBlocks: { described: layers(described(good, clear)), expected },
      });
    expect(isMatch(page(30, 24))).toBe(true);
    expect(decide(page(26, 24))).toEqual(refused("says-otherwise"));
    expect(decide(page(36, 20))).toEqual(refused("says-otherwise"));
    expect(decideWhole(page(36, 20))).toEqual(refused("says-otherwise"));
    expect(isMatch({ ...page(36, 20), textLikeness: 0.4 })).toBe(true);
  });
});

test("lettering all over a photograph leaves what still looks photographed", () => {
  const under = evidence({ ...layers(layer(COVERED, 1, { bad: 60 })) });
  expect(isMatch(under)).toBe(false);
  expect(isMatch({ ...under, photographed: layers(layer({ used: 60, same: 50, good: 45 })) })).toBe(true);
});

test("of the smallest crops the hypotheses are not asked: few blocks tell them nothing", () => {
  const few = layer({ used: 20, same: 20, good: 19, roughlySame: 20, roughMedian: 0.8, median: 0.97 });
  const odds = { part: LEAST_PART, scene: LEAST_SCENE };
  expect(decide(evidence({ ...layers(few), odds }))).toEqual({ isMatch: true, rule: "small-crop" });
  const small = evidence({ ...layers(layer(SIMILAR)), photographed: layers(few), odds });
  expect(decide(small)).toEqual(refused("shared-part"));
});

/** A crop that five points place, with eight blocks of each layer but for the change. */
const five = (change: object, contained = 1, more: Partial<Evidence> = {}): Evidence =>
  evidence({
    ...layers(
      layer({ used: 8, good: 8, clear: 0, same: 8, roughlySame: 8, median: 0.97, ...change }, contained),
    ),
    inliers: 5,
    ...more,
  });

describe("a crop that few points place", () => {
  test("matches when every block of it agrees", () =>
    expect(decide(five({}))).toEqual({ isMatch: true, rule: "small-crop" }));
  test("does when eight tenths of twelve agree on both layers together, and not when fewer do", () => {
    for (const [used, good, says] of [
      [12, 8, true],
      [12, 7, false],
      [3, 2, false],
    ] as const) {
      const fine = layer({ used, good, clear: 0, same: used, roughlySame: used, median: 0.97 });
      expect(isMatch(five({}, 1, { fine }))).toBe(says);
    }
  });
  test("does when ten agree, or four clearly, if the hypotheses say so", () => {
    const odds = { part: LEAST_PART + 1, scene: SURE_SCENE + 1 };
    const few = (used: number, clear: number): Evidence =>
      five({ used, good: used, same: used, roughlySame: used, clear }, 1, { odds });
    expect(isMatch(few(5, 0))).toBe(true);
    expect(isMatch(few(2, 2))).toBe(true);
    expect(decide(few(4, 1))).toEqual(refused("too-few-points"));
  });
  test("does of printed matter when both hypotheses say so clearly", () => {
    const odds = { part: LEAST_PART + 1, scene: SURE_SCENE + 1 };
    const printed = (change: object, more: Partial<Evidence> = {}): Evidence =>
      five(change, 1, { textLikeness: 1, odds, ...more });
    expect(decide(printed({}))).toEqual({ isMatch: true, rule: "small-crop" });
    const most = { used: 30, good: 29, same: 30, roughlySame: 30 };
    const shared = { ...odds, part: LEAST_PART };
    expect(isMatch(printed(most, { inliers: 9, odds: shared }))).toBe(false);
    expect(isMatch(printed(most, { inliers: 12, odds: shared }))).toBe(true);
    expect(isMatch(printed({}, { odds: shared }))).toBe(false);
    expect(isMatch(printed({}, { odds: { ...odds, scene: SURE_SCENE } }))).toBe(false);
  });
  test("does in small, beyond the original and of printed matter when its points are there and both hypotheses say so clearly", () => {
    const odds = { part: LEAST_PART + 1, scene: SURE_SCENE + 1 };
    const again = { covered: 6, same: 6 };
    for (const more of [{ isInset: true }, { textLikeness: 1 }, layers(layer({ used: 2, good: 2 }, 0.85))]) {
      expect(isMatch(five({}, 1, { ...more, odds, again }))).toBe(true);
      expect(isMatch(five({}, 1, { ...more, odds: { ...odds, part: LEAST_PART }, again }))).toBe(false);
    }
    expect(decide(five({}, 1, { isInset: true, odds, again: { covered: 6, same: 5 } }))).toEqual(
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
const mark = (change: object, beside = {}, more: Partial<Evidence> = {}): Evidence =>
  evidence({
    ...layers(layer(change, 1, beside)),
    inliers: 5,
    isInset: true,
    odds: { part: -9000, scene: -9000 },
    textLikeness: 0.97,
    ...more,
  });
/** One as narrow as a bar: thirteen blocks of the fine layer. */
const bar = (change: object, inliers = 8): Evidence =>
  mark({ used: 13, good: 13, same: 13, least: 0.9, ...change }, {}, { inliers, coarse: null });
/** One all of whose coarse blocks agree, and so many of 90 fine ones. */
const lettered = (good: number, cellsPerPixel = 1.6): Evidence =>
  mark({}, {}, { fine: layer({ used: 90, good, same: 90, cellsPerPixel }) });
/** One of whose 200 blocks so many agree, and so many of the 60 that its points describe. */
const told = (all: number, ofPoints: number, more: Partial<Evidence> = {}): Evidence => {
  const blocks = layers(layer({ used: 60, good: ofPoints, same: 60 }));
  const fine = layer({ good: all, cellsPerPixel: 1.7 });
  const expectedBlocks = { described: blocks, expected: blocks };
  return mark({ good: all }, {}, { inliers: 12, fine, expectedBlocks, ...more });
};

describe("a mark that lies whole in a small part of the query", () => {
  const whole = { isMatch: true, rule: "shown-whole" };

  test("needs neither many points nor the hypotheses when all that it shows agrees", () => {
    expect(decide(mark({}))).toEqual(whole);
    expect(decide(mark({ good: 199 }))).toEqual(whole);
    expect(decide(mark({}, {}, { isInset: false }))).toEqual(refused("too-few-points"));
  });
  test("may lack single blocks only, none near another, on a layer that the query resolves", () => {
    expect(decide(mark({ good: 198 }))).toEqual(refused("too-few-points"));
    expect(decide(mark({ good: 199 }, { covered: 0.01 }))).toEqual(refused("too-few-points"));
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
  test("may be sampled otherwise where its points describe nothing", () => {
    expect(isMatch(told(190, 60))).toBe(true);
    expect(decide(told(189, 60))).toEqual(refused("shared-part"));
    expect(decide(told(190, 59))).toEqual(refused("shared-part"));
    expect(decide(told(190, 60, { fine: layer({ good: 190 }) }))).toEqual(refused("shared-part"));
  });
  test("is another one when what its points describe disagrees, unless the query is poor", () => {
    expect(isMatch(told(180, 58, { odds: OPEN }))).toBe(true);
    expect(decide(told(180, 57, { odds: OPEN }))).toEqual(refused("says-otherwise"));
    expect(isMatch(told(180, 57, { odds: OPEN, isInset: false }))).toBe(true);
    expect(isMatch(told(180, 57, { odds: OPEN, textLikeness: 0.4 }))).toBe(true);
    expect(isMatch(told(180, 57, { odds: OPEN, noise: 11 }))).toBe(true);
  });
});

describe("as a whole", () => {
  test("a picture without texture never matches", () => {
    const empty = layer({ used: 10, same: 10, good: 10 });
    expect(decideWhole(evidence({ inliers: 0, ...layers(empty) }))).toEqual(refused("no-rule"));
    expect(decideWhole(evidence({ inliers: 0 })).isMatch).toBe(true);
  });
  test("most of what can be compared agrees", () => {
    const half = layer({ good: 110, same: 115 });
    expect(isMatch(evidence(layers(half)))).toBe(true);
    expect(decideWhole(evidence({ inliers: 0, ...layers(half) }))).toEqual(refused("no-rule"));
  });
  test("a small crop is not enough", () => {
    const few = layer({ used: 20, same: 20, good: 19, roughlySame: 20, roughMedian: 0.8, median: 0.97 });
    expect(decide(evidence({ ...layers(few) }))).toEqual({ isMatch: true, rule: "small-crop" });
    expect(decideWhole(evidence({ inliers: 0, ...layers(few) }))).toEqual(refused("no-rule"));
  });
});
