import { describe, expect, test } from "vitest";
import { type Evidence, isDerived, isWhole } from "../../src/matching/decision.ts";
import type { LayerEvidence, ResidualStatistics } from "../../src/matching/evidence.ts";
import type { Surroundings } from "../../src/matching/overlay.ts";

const AGREEING: ResidualStatistics = {
  used: 200,
  cellsPerPixel: 0.2,
  fineness: 1.5,
  same: 200,
  median: 0.99,
  roughlySame: 200,
  roughMedian: 0.99,
  good: 200,
  present: 200,
  clear: 180,
  exact: 150,
  gap: 0,
};

const layer = (
  change: Partial<ResidualStatistics> = {},
  containment = 1,
  beside: Partial<Surroundings> = {},
): LayerEvidence => ({
  all: { ...AGREEING, ...change },
  strong: {
    ...AGREEING,
    ...change,
    used: 50,
    same: 50,
    good: (50 * (change.good ?? 200)) / (change.used ?? 200),
  },
  beside: { covered: 0, used: 200, bad: 0, clear: 180, ...beside },
  containment,
});

const evidence = (change: Partial<Evidence> = {}): Evidence => ({
  support: 60,
  coarse: layer(),
  fine: layer(),
  coarseness: 3,
  noise: 1,
  textness: 0.1,
  ...change,
});

/** Blocks that agree as those of a neighbouring frame or a second photograph do. */
const SIMILAR = { median: 0.88, roughMedian: 0.87, clear: 60, exact: 20, good: 170 };

describe("a picture derives from an original when", () => {
  test("points and blocks agree", () => expect(isDerived(evidence())).toBe(true));
  test("it is degraded and its blocks agree roughly", () => {
    const rough = layer({ median: 0.9, roughMedian: 0.89 });
    expect(isDerived(evidence({ coarse: rough, fine: rough, coarseness: 30 }))).toBe(true);
  });
  test("it is a crop with six blocks, all in agreement", () => {
    const few = layer({ used: 6, same: 6, roughlySame: 6, good: 6 });
    expect(isDerived(evidence({ support: 9, coarse: null, fine: few }))).toBe(true);
  });
  test("lettering all over it spoils the large blocks only", () => {
    const coarse = layer({ median: 0.75, roughMedian: 0.6, good: 110, gap: 0.1 });
    const fine = layer({ median: 0.92, roughMedian: 0.85, good: 130, present: 120, clear: 60, exact: 45 });
    expect(isDerived(evidence({ coarse, fine }))).toBe(true);
  });
});

/** Three quarters of the blocks agree, exactly; those of a printed page. */
const MOST = { good: 150, same: 160, present: 150, clear: 140, exact: 120 };

test("captions and logos on a page leave all that is beside them", () => {
  const page = layer(MOST, 1, { covered: 0.2, used: 130, clear: 120 });
  expect(isDerived(evidence({ coarse: page, fine: page, textness: 0.97 }))).toBe(true);
});

describe("a picture does not derive from an original when", () => {
  test("fewer than eight cells support the placement", () =>
    expect(isDerived(evidence({ support: 7 }))).toBe(false));
  test("it shows the scene at another moment", () =>
    expect(isDerived(evidence({ coarse: layer(SIMILAR), fine: layer(SIMILAR) }))).toBe(false));
  test("its blocks agree only when shifted", () =>
    expect(isDerived(evidence({ coarse: layer({ gap: 0.05 }), fine: layer({ gap: 0.05 }) }))).toBe(false));
  test("both are pages that share a part", () => {
    const part = layer({}, 0.5);
    expect(isDerived(evidence({ coarse: part, fine: part, textness: 0.97 }))).toBe(false);
  });
  test("both are filled-in copies of one form", () => {
    for (const beside of [
      { covered: 0.2, used: 130, bad: 3, clear: 120 },
      { covered: 0.6, used: 60, clear: 58 },
      { covered: 0.2, used: 130, clear: 90 },
    ]) {
      const most = layer(MOST, 1, beside);
      expect(isDerived(evidence({ coarse: most, fine: most, textness: 0.97 }))).toBe(false);
    }
  });
  test("it is a degraded view of the scene and reaches beyond it", () => {
    for (const [coarseness, containment] of [
      [30, 0.85],
      [80, 0.95],
    ] as const) {
      const rough = layer({ median: 0.9, roughMedian: 0.89 }, containment);
      expect(isDerived(evidence({ coarse: rough, fine: rough, coarseness }))).toBe(false);
      const whole = layer({ median: 0.9, roughMedian: 0.89 }, 0.99);
      expect(isDerived(evidence({ coarse: whole, fine: whole, coarseness }))).toBe(true);
    }
  });
  test("nothing can be compared", () =>
    expect(isDerived(evidence({ coarse: null, fine: null }))).toBe(false));
});

test("a picture without texture is never matched as a whole", () => {
  const empty = layer({ used: 10, same: 10, good: 10 });
  expect(isWhole(evidence({ support: 0, coarse: empty, fine: empty }))).toBe(false);
  expect(isWhole(evidence({ support: 0 }))).toBe(true);
});
