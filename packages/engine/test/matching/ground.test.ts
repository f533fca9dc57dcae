import { describe, expect, test } from "vitest";
import { type Ground, groundIn } from "../../src/matching/decide/ground.ts";
import { lookAt } from "../../src/matching/decide/looked-at.ts";
import { COLUMNS, type Place, ROWS, drawnLayer, pointsIn } from "./drawn-layer.ts";

const EVERYWHERE = Array.from(
  { length: COLUMNS * ROWS },
  (_, k): Place => [k % COLUMNS, Math.floor(k / COLUMNS)],
);
const PIN: readonly Place[] = [
  [2, 2],
  [3, 2],
  [3, 3],
];
const OTHER_PIN: readonly Place[] = [
  [8, 5],
  [8, 6],
  [9, 6],
];
const isIn = (places: readonly Place[], [c, r]: Place): boolean =>
  places.some(([x, y]) => x === c && y === r);
const beside = (places: readonly Place[]): Place[] => EVERYWHERE.filter((place) => !isIn(places, place));

const look = (drawn: Parameters<typeof drawnLayer>[0], gone: readonly Place[] = []): Ground =>
  groundIn(lookAt(drawnLayer(drawn)), pointsIn([[0, 0]], gone));

describe("ground in which the query shows hardly anything", () => {
  test("agrees all over where nothing differs", () =>
    expect(look({ plain: EVERYWHERE })).toMatchObject({
      faint: 108,
      good: 108,
      clear: 108,
      apart: 108,
      missing: 0,
      bolder: 0,
    }));

  test("tells where the original shows something that the query lacks", () =>
    expect(look({ plain: EVERYWHERE, lacking: PIN }, PIN)).toMatchObject({
      good: 105,
      missing: 3,
      grouped: 3,
      groups: 1,
      largestMissing: 3,
      gone: 3,
      found: 0,
      added: 0,
    }));

  test("says nothing where noise decides", () =>
    expect(look({ plain: EVERYWHERE, lacking: PIN, spurious: 1.5 }, PIN)).toMatchObject({
      faint: 0,
      missing: 0,
      bolder: 0,
    }));

  test("says nothing by one block alone", () =>
    expect(look({ plain: EVERYWHERE, lacking: [[5, 5]] })).toMatchObject({ missing: 1, groups: 0, gone: 0 }));

  test("lacks nothing beside and under what is bold", () =>
    expect(
      look(
        {
          plain: beside(OTHER_PIN),
          put: OTHER_PIN,
          lacking: [
            [7, 5],
            [9, 7],
            [10, 6],
          ],
        },
        OTHER_PIN,
      ),
    ).toMatchObject({ bolder: 3, added: 1, largestAdded: 3, missing: 0, groups: 0 }));

  test("lacks nothing where something flat lies over it", () =>
    expect(look({ plain: EVERYWHERE, lacking: PIN, flat: PIN })).toMatchObject({ flatter: 3, missing: 0 }));

  test("shows what two fillings exchange as something added and something missing", () =>
    expect(look({ plain: beside(OTHER_PIN), put: OTHER_PIN, lacking: PIN })).toMatchObject({
      added: 1,
      groups: 1,
      apart: 93,
      goodApart: 90,
    }));
});

test("where blocks show something, those that do not agree are neither", () =>
  expect(look({ taken: PIN })).toMatchObject({ faint: 0, others: 3, missing: 0, bolder: 0 }));
