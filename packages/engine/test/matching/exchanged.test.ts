import { describe, expect, test } from "vitest";
import { type Exchanged, exchangedIn } from "../../src/matching/decide/exchanged.ts";
import { lookAt } from "../../src/matching/decide/looked-at.ts";
import { type Place, drawnLayer, pointsIn as points } from "./drawn-layer.ts";

const NONE = points([], []);
const look = (drawn: Parameters<typeof drawnLayer>[0], original = NONE, query = NONE): Exchanged =>
  exchangedIn(lookAt(drawnLayer(drawn)), { original, query })!;

const WAY: readonly Place[] = [
  [2, 2],
  [3, 2],
  [4, 3],
  [4, 4],
];
const OTHER_WAY: readonly Place[] = [
  [8, 6],
  [9, 6],
  [9, 7],
];

describe("two pictures on one rich ground", () => {
  test("exchange nothing where all agrees", () =>
    expect(look({})).toMatchObject({ used: 108, bad: 0, bolder: 0, plainer: 0, largest: 0, beside: 0 }));

  test("only gain what is drawn over one of them", () =>
    expect(look({ put: WAY })).toMatchObject({ bolder: 4, plainer: 0, largestBolder: 4, largestPlainer: 0 }));

  test("gain in some places and lose in others, where each says its own", () =>
    expect(look({ put: WAY, taken: OTHER_WAY }, points([[0, 0]], OTHER_WAY))).toMatchObject({
      bad: 7,
      bolder: 4,
      plainer: 3,
      connected: 7,
      largest: 4,
      largestPlainer: 3,
      goneFromPlainer: 3,
      goneUnderBolder: 0,
    }));

  test("lose what was taken from plain ground, and nothing where there was nothing", () => {
    expect(look({ plain: OTHER_WAY }, points([], OTHER_WAY))).toMatchObject({
      plainer: 3,
      largestPlainer: 3,
    });
    expect(look({ plain: OTHER_WAY }, points([[0, 0]], []))).toMatchObject({ plainer: 0, bad: 0 });
  });

  test("differ in single places where one is only coarsely coded", () =>
    expect(
      look({
        taken: [
          [1, 1],
          [5, 5],
          [9, 2],
        ],
      }),
    ).toMatchObject({ bad: 3, connected: 0, largest: 1 }));
});

test("blocks that agree are counted beside those that do not, and apart from them", () => {
  const { beside, clearBeside, apart, clearApart } = look({ taken: [[5, 5]] });
  expect([beside, clearBeside, apart, clearApart]).toEqual([8, 8, 99, 99]);
});

test("points are counted by their strength, and by where they are gone", () => {
  const strong: readonly Place[] = [[2, 2]];
  expect(look({ put: WAY }, points([[0, 0]], strong))).toMatchObject({
    strong: 1,
    strongGone: 0,
    faint: 1,
    faintGone: 1,
    goneUnderBolder: 1,
  });
  expect(look({ put: WAY }, NONE, points([[0, 0]], [...WAY, [11, 8]]))).toMatchObject({
    newInBad: 4,
    newInGood: 1,
  });
  expect(look({ put: WAY }, points(WAY, []))).toMatchObject({ foundInBad: 4, goneUnderBolder: 0 });
});

test("nothing compared says nothing", () => expect(exchangedIn(null, null)).toBeNull());
