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

/** The same share of the blocks with most detail. */
const strongest = (used: number, change: Partial<ResidualStatistics>): ResidualStatistics => ({
  ...AGREEING,
  ...change,
  used,
  same: used,
  good: (used * (change.good ?? 200)) / (change.used ?? 200),
});

const layer = (
  change: Partial<ResidualStatistics> = {},
  containment = 1,
  beside: Partial<Surroundings> = {},
  detailed: Partial<Pick<ResidualStatistics, "median" | "good" | "gap">> = {},
): LayerEvidence => ({
  all: { ...AGREEING, ...change },
  half: { ...strongest(100, change), ...detailed },
  strong: { ...strongest(50, change), ...detailed },
  beside: { covered: 0, used: 200, bad: 0, clear: 180, ...beside },
  containment,
});

const evidence = (change: Partial<Evidence> = {}): Evidence => ({
  described: null,
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
  test("every large block agrees nearly perfectly and most of the small ones agree", () => {
    const coarse = layer({ median: 0.97, good: 199 });
    const fine = layer({ median: 0.7, good: 120, same: 150, gap: 0.15 });
    expect(isDerived(evidence({ coarse, fine }))).toBe(true);
    expect(isDerived(evidence({ coarse: layer({ median: 0.97, good: 190 }), fine }))).toBe(false);
    expect(isDerived(evidence({ coarse, fine, textness: 0.6 }))).toBe(false);
  });
  test("it is degraded and its blocks agree roughly", () => {
    const rough = layer({ median: 0.9, roughMedian: 0.89 });
    expect(isDerived(evidence({ coarse: rough, fine: rough, coarseness: 30 }))).toBe(true);
  });
  test("it is degraded, and the part of it that is shown agrees as a clean one does", () => {
    const coarse = layer({ median: 0.94, roughMedian: 0.74, same: 130, good: 95, clear: 60 });
    const fine = layer({ median: 0.98, roughMedian: 0.96, same: 130, good: 105, clear: 80 });
    expect(isDerived(evidence({ coarse, fine, coarseness: 17 }))).toBe(true);
    const similar = layer({ ...SIMILAR, same: 130, good: 105, roughMedian: 0.8 });
    expect(isDerived(evidence({ coarse, fine: similar, coarseness: 17 }))).toBe(false);
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

/** Under half of the blocks agree, all of those beside a sign; the boldest are its own. */
const UNDER_SIGN = { median: 0.8, same: 90, good: 80, present: 70, clear: 50, exact: 40, gap: 0.1 };
const BESIDE_SIGN = { covered: 0.65, used: 30, clear: 28 };

describe("a picture under a large sign derives from its original", () => {
  test("when all beside the sign agrees, and what is boldest does not", () => {
    const sign = layer(UNDER_SIGN, 1, BESIDE_SIGN, { good: 8 });
    expect(isDerived(evidence({ fine: sign, coarse: sign }))).toBe(true);
    const printed = layer(UNDER_SIGN, 1, { ...BESIDE_SIGN, covered: 0.45 }, { good: 8 });
    expect(isDerived(evidence({ fine: printed, coarse: printed, textness: 0.97 }))).toBe(true);
  });
  test("but not when two pictures carry the same sign, or the scene has moved, or a page is hidden", () => {
    for (const [beside, strong, textness] of [
      [BESIDE_SIGN, { good: 25 }, 0.1],
      [{ ...BESIDE_SIGN, clear: 22 }, { good: 8 }, 0.1],
      [{ ...BESIDE_SIGN, bad: 1 }, { good: 8 }, 0.1],
      [BESIDE_SIGN, { good: 8 }, 0.97],
    ] as const) {
      const sign = layer(UNDER_SIGN, 1, beside, strong);
      expect(isDerived(evidence({ fine: sign, coarse: sign, textness }))).toBe(false);
    }
  });
});

/** Nearly every block agrees, none of them perfectly. */
const spoilt = (median: number): LayerEvidence =>
  layer({ median, roughMedian: median, clear: 50, exact: 25, good: 180 });

test("another tone curve spoils small blocks no more than large ones, motion does", () => {
  const [coarse, fine] = [spoilt(0.91), spoilt(0.91)];
  expect(isDerived(evidence({ coarse, fine }))).toBe(true);
  expect(isDerived(evidence({ coarse, fine: spoilt(0.88) }))).toBe(false);
});

test("of a noisy picture, the half with most detail decides", () => {
  const noisy = { median: 0.75, roughMedian: 0.7, good: 110, gap: 0.12 };
  for (const [good, isFound] of [
    [88, true],
    [80, false],
  ] as const) {
    const coarse = layer(noisy, 1, {}, { median: 0.95, good, gap: 0 });
    expect(isDerived(evidence({ coarse, noise: 20 }))).toBe(isFound);
  }
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
const layers = (each: LayerEvidence): Pick<Evidence, "coarse" | "fine"> => ({ coarse: each, fine: each });

describe("of an original whose points tell all that it shows", () => {
  test("it is enough that this agrees, whatever lies on the ground around it", () => {
    const covered = evidence({ ...layers(layer(COVERED, 1, { bad: 60 })), textness: 0.97 });
    const shown = layers(described(40, 36));
    expect(isDerived(covered)).toBe(false);
    expect(isDerived({ ...covered, described: { shown, demanded: shown } })).toBe(true);
    expect(isDerived({ ...covered, described: { shown, demanded: layers(described(30, 20)) } })).toBe(false);
  });
  test("a page says something else where that disagrees, though the rest agrees", () => {
    const demanded = layers(described(20, 10));
    const page = (good: number, clear: number): Evidence =>
      evidence({ textness: 0.97, described: { shown: layers(described(good, clear)), demanded } });
    expect(isDerived(page(30, 24))).toBe(true);
    expect(isDerived(page(26, 24))).toBe(false);
    expect(isDerived(page(36, 20))).toBe(false);
    expect(isWhole(page(36, 20))).toBe(false);
    expect(isDerived({ ...page(36, 20), textness: 0.4 })).toBe(true);
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
