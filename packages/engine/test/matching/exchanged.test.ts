import { describe, expect, test } from "vitest";
import type { LayerParts } from "../../src/matching/compare/parts.ts";
import { NONE_NEAR, type PlacedPoints } from "../../src/matching/compare/point-agreement.ts";
import { type Exchanged, exchangedIn } from "../../src/matching/decide/exchanged.ts";
import { lookAt } from "../../src/matching/decide/looked-at.ts";
import { BLOCK } from "../../src/signature/projections.ts";
import { LAYERS, blockStart } from "../../src/signature/block-signature.ts";

const [KIND] = LAYERS as [(typeof LAYERS)[number]];
const [COLUMNS, ROWS] = [12, 9];
const centre = (n: number): number => blockStart(n, KIND) + (BLOCK - 1) / 2;

/** A place of the grid, by its column and row. */
type Place = readonly [column: number, row: number];
const isIn = (places: readonly Place[], column: number, row: number): boolean =>
  places.some(([c, r]) => c === column && r === row);

interface Drawn {
  /** Where the query shows something of its own, as bold as a stroke; where it lacks something; where it shows nothing. */
  readonly put?: readonly Place[];
  readonly taken?: readonly Place[];
  readonly plain?: readonly Place[];
}

function layer({ put = [], taken = [], plain = [] }: Drawn): LayerParts {
  const all = Array.from({ length: COLUMNS * ROWS }, (_, k): Place => [k % COLUMNS, Math.floor(k / COLUMNS)]);
  const shown = all.filter(([c, r]) => !isIn(plain, c, r));
  const of = (value: (place: Place) => number): Float64Array => Float64Array.from(shown, value);
  const inPlace = of(([c, r]) => (isIn(put, c, r) || isIn(taken, c, r) ? 0 : 0.99));
  const bytes = (value: number): Uint8Array => new Uint8Array(shown.length).fill(value);
  const width = KIND.side;
  const height = blockStart(ROWS - 1, KIND) + BLOCK + 4;
  return {
    layer: { kind: KIND, number: 0, width, height, columns: COLUMNS, bits: new Uint16Array(COLUMNS * ROWS) },
    blocks: {
      count: shown.length,
      inPlace,
      best: inPlace,
      shiftX: of(() => 0),
      shiftY: of(() => 0),
      energy: of(([c, r]) => (isIn(put, c, r) ? 200 : 50)),
      x: of(([c]) => centre(c)),
      y: of(([, r]) => centre(r)),
    },
    plain: {
      x: Float64Array.from(plain, ([c]) => centre(c)),
      y: Float64Array.from(plain, ([, r]) => centre(r)),
    },
    measures: {
      contrast: bytes(100),
      low: bytes(60),
      high: bytes(60),
      flat: bytes(0),
      sharp: bytes(0),
      first: bytes(20),
      second: bytes(20),
      oneWay: bytes(128),
    },
    map: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
    within: { query: 1, original: 1 },
    containment: 1,
    fineness: 1,
    cellsPerPixel: 1,
  };
}

/** Points in places, the strongest first; those of the second list have no counterpart. */
function points(found: readonly Place[], gone: readonly Place[]): PlacedPoints {
  const all = [...found, ...gone];
  return {
    x: Float64Array.from(all, ([c]) => centre(c)),
    y: Float64Array.from(all, ([, r]) => centre(r)),
    covered: new Uint8Array(all.length).fill(1),
    distance: Uint8Array.from(all, (_, k) => (k < found.length ? 0 : NONE_NEAR)),
  };
}

const NONE = points([], []);
const look = (drawn: Drawn, original = NONE, query = NONE): Exchanged =>
  exchangedIn(lookAt(layer(drawn)), { original, query })!;

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
