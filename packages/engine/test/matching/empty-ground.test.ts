import { describe, expect, test } from "vitest";
import { type EmptyGround, emptyGroundIn } from "../../src/matching/decide/empty-ground.ts";
import { exchangedIn } from "../../src/matching/decide/exchanged.ts";
import { groundIn } from "../../src/matching/decide/ground.ts";
import { lookAt } from "../../src/matching/decide/looked-at.ts";
import { type Place, drawnLayer, pointsIn } from "./drawn-layer.ts";

type Drawn = Parameters<typeof drawnLayer>[0];
const look = (drawn: Drawn): EmptyGround => emptyGroundIn(lookAt(drawnLayer(drawn)));

/** The lower part of a page on which nothing is printed. */
const EMPTY = Array.from({ length: 60 }, (_, k): Place => [k % 12, 4 + Math.floor(k / 12)]);
const isAt = ([column, row]: Place, places: readonly Place[]): boolean =>
  places.some(([c, r]) => c === column && r === row);
const beside = (places: readonly Place[]): Place[] => EMPTY.filter((place) => !isAt(place, places));
const WRITTEN: readonly Place[] = [
  [4, 6],
  [5, 6],
  [6, 6],
];

describe("the original's empty ground", () => {
  test("is empty in both where nothing was added", () =>
    expect(look({ empty: EMPTY, plain: EMPTY, flat: EMPTY })).toMatchObject({
      told: 108,
      empty: 60,
      bothEmpty: 60,
      added: 0,
      missing: 0,
      both: 48,
      bad: 0,
    }));

  test("tells what was added, which is no block that does not agree", () => {
    const written = { empty: EMPTY, plain: beside(WRITTEN), flat: beside(WRITTEN), put: WRITTEN };
    expect(look(written)).toMatchObject({ added: 3, largestAdded: 3, missing: 0, both: 48, bad: 0 });
    const looked = lookAt(drawnLayer(written));
    const points = { original: pointsIn([[0, 0]], []), query: pointsIn([[0, 0]], []) };
    expect(exchangedIn(looked, points)).toMatchObject({ used: 48, bad: 0 });
    expect(groundIn(looked, null)).toMatchObject({ faint: 0, missing: 0, bolder: 3 });
  });

  test("tells what is missing where the query is flat all around, and not beside what it shows", () => {
    const [kept, ...rest] = WRITTEN;
    const filled = { empty: beside(WRITTEN), plain: EMPTY, flat: EMPTY };
    expect(look(filled)).toMatchObject({ empty: 57, missing: 3, largestMissing: 3 });
    expect(look({ ...filled, plain: beside([kept!]), flat: beside([kept!]) })).toMatchObject({
      missing: rest.length - 1,
    });
    expect(look({ ...filled, flat: [] })).toMatchObject({ missing: 0, bothEmpty: 0 });
  });
});
