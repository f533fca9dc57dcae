import { describe, expect, test } from "vitest";
import { NONE_NEAR } from "../../src/matching/compare/point-agreement.ts";
import { addDescribedAgain } from "../../src/matching/decide/described-again.ts";
import { lookAt } from "../../src/matching/decide/looked-at.ts";
import { Signs, counted } from "../../src/matching/decide/sign-list.ts";
import { COLUMNS, type Place, ROWS, drawnLayer, pointsIn } from "./drawn-layer.ts";

const PLACES = Array.from(
  { length: COLUMNS * ROWS },
  (_, k): Place => [k % COLUMNS, Math.floor(k / COLUMNS)],
);
const [BITS, ELSE] = [2, 60];
/** Odds of a point that looks drawn, and of one that looks photographed. */
const [DRAWN, PHOTOGRAPHED] = [200, 60];
const ALL = COLUMNS * ROWS;

const isIn = (places: readonly Place[], place: Place): boolean =>
  places.some(([c, r]) => c === place[0] && r === place[1]);

/** The signs by name, one point at each place; those of some places differ by so many bits. */
function signsOf(
  drawn: Parameters<typeof drawnLayer>[0],
  differing: readonly Place[] = [],
  by = ELSE,
  uncovered: readonly Place[] = [],
  there: { readonly detail: number; readonly kept: number } = { detail: 100, kept: 0.9 },
  lettered: readonly Place[] = [],
): (name: string) => number {
  const again = {
    covered: Uint8Array.from(PLACES, (place) => Number(!isIn(uncovered, place))),
    distance: Uint8Array.from(PLACES, (place) =>
      isIn(uncovered, place) ? NONE_NEAR : isIn(differing, place) ? by : BITS,
    ),
    detail: Float32Array.from(PLACES, (place) => (isIn(differing, place) ? there.detail : 100)),
    kept: Float32Array.from(PLACES, (place) => (isIn(differing, place) ? there.kept : 0.9)),
    drawn: Uint8Array.from(PLACES, (place) => (isIn(lettered, place) ? DRAWN : PHOTOGRAPHED)),
  };
  const signs = new Signs();
  addDescribedAgain(signs.under("again"), again, pointsIn(PLACES, []), lookAt(drawnLayer(drawn)));
  return (name) => signs.values[signs.names.indexOf(`again.${name}`)]!;
}

const square = (column: number, row: number, side: number): Place[] =>
  Array.from({ length: side * side }, (_, k) => [column + (k % side), row + Math.floor(k / side)]);

describe("the original's points, described in the query, say", () => {
  test("that all is the same", () => {
    const sign = signsOf({});
    expect([sign("same"), sign("half"), sign("hundredth"), sign("places.least")]).toEqual([255, 4, 4, 255]);
    expect([sign("other.places-count"), sign("other.groups"), sign("beyond-6.count")]).toEqual([0, 0, 0]);
    expect(sign("covered")).toBe(counted(ALL));
  });

  test("where something else is, how much of it lies together, and whether the query is bolder there", () => {
    const changed = [...square(1, 1, 3), ...square(8, 5, 2)];
    const taken = signsOf({ taken: changed }, changed);
    expect(taken("other.places-count")).toBe(counted(13));
    expect(taken("other.largest")).toBe(counted(9));
    expect(taken("other.groups")).toBe(counted(2));
    expect([taken("other.bolder"), taken("other.plainer")]).toEqual([0, counted(13)]);
    expect(taken("in-bad.other")).toBe(255);
    expect(taken("in-good.other")).toBe(0);
    expect(taken("natural.other-of-other")).toBe(255);
    const put = signsOf({ put: changed }, changed);
    expect([put("other.bolder"), put("other.plainer")]).toEqual([counted(13), 0]);
    const plain = signsOf({ plain: changed }, changed);
    expect(plain("other.plain")).toBe(counted(13));
    expect(plain("in-plain.other")).toBe(255);
  });

  test("what blocks do not: something else in agreeing ones, the same in such as do not agree", () => {
    expect(signsOf({}, square(2, 2, 2))("in-good.other-count")).toBe(counted(4));
    expect(signsOf({ taken: square(2, 2, 2) })("in-bad.same")).toBe(255);
  });

  test("what differs by more than usual, however little that is", () => {
    const sign = signsOf({}, square(4, 4, 2), BITS + 8);
    expect([sign("same"), sign("other.groups")]).toEqual([255, 0]);
    expect([sign("beyond-6.count"), sign("beyond-10.count")]).toEqual([counted(4), 0]);
    expect([sign("beyond-6.groups"), sign("beyond-6.largest")]).toEqual([counted(1), counted(4)]);
  });

  test("whether something lies over the original, is there instead, or is missing", () => {
    const changed = square(3, 3, 3);
    const look = (detail: number, kept: number): ReturnType<typeof signsOf> =>
      signsOf({ taken: changed }, changed, ELSE, [], { detail, kept });
    const [over, instead, missing] = [look(200, 0.6), look(100, 0.45), look(20, 0.45)];
    expect([over("other.gone"), over("other.over")]).toEqual([0, counted(9)]);
    expect([instead("other.gone"), instead("other.over")]).toEqual([0, 0]);
    expect([missing("other.gone"), missing("other.over")]).toEqual([counted(9), 0]);
    expect([over("other.detail.half"), instead("other.detail.half")]).toEqual([128, 64]);
    expect([over("other.own.half"), instead("other.own.half"), missing("other.own.half")]).toEqual([
      85, 32, 6,
    ]);
    expect(instead("other.own-share")).toBe(32);
  });

  test("whether it is lettering that is missing, or what is photographed", () => {
    const lettering = square(3, 3, 3);
    const usual = { detail: 100, kept: 0.9 };
    const bare = signsOf({ taken: lettering }, lettering, ELSE, [], usual, lettering);
    expect(bare("own.drawn")).toBe(Math.floor((255 * 9) / ALL));
    expect([bare("own.drawn.other"), bare("own.photographed.other")]).toEqual([255, 0]);
    expect([bare("own.drawn.same"), bare("own.photographed.same")]).toEqual([0, 255]);
    expect([bare("own.drawn.other-count"), bare("own.photographed.same-count")]).toEqual([
      counted(9),
      counted(ALL - 9),
    ]);
    expect([bare("own.drawn.other-of-other"), bare("own.photographed.same-of-same")]).toEqual([255, 255]);
    expect([bare("own.odds-of-same"), bare("own.odds-of-other")]).toEqual([PHOTOGRAPHED, DRAWN]);
    const shown = PLACES.filter((place) => !isIn(lettering, place));
    const framed = signsOf({ taken: shown }, shown, ELSE, [], usual, lettering);
    expect([framed("own.drawn.other"), framed("own.photographed.other")]).toEqual([0, 255]);
    expect([framed("own.odds-of-same"), framed("own.odds-of-other")]).toEqual([DRAWN, PHOTOGRAPHED]);
  });

  test("what the query shows where something else is", () => {
    const lettering = square(3, 3, 3);
    const usual = { detail: 100, kept: 0.9 };
    const there = (drawn: Parameters<typeof drawnLayer>[0]): number[] => {
      const sign = signsOf(drawn, lettering, ELSE, [], usual, lettering);
      return ["photographed", "drawn", "plain"].map((what) => sign(`own.drawn.${what}-there`));
    };
    expect(there({})).toEqual([255, 0, 0]);
    expect(there({ plain: lettering })).toEqual([0, 0, 255]);
    expect(there({ isDrawn: true })).toEqual([0, 255, 0]);
  });

  test("nothing of what the query does not cover", () => {
    const sign = signsOf({}, square(0, 0, 3), ELSE, square(0, 0, 3));
    expect(sign("covered")).toBe(counted(ALL - 9));
    expect([sign("same"), sign("other.groups")]).toEqual([255, 0]);
    expect([sign("own.photographed.uncovered"), sign("own.drawn.uncovered")]).toEqual([255, 0]);
  });
});

test("without a closer look all of them are 0", () => {
  const signs = new Signs();
  addDescribedAgain(signs.under("again"), null, pointsIn(PLACES, []), lookAt(drawnLayer({})));
  expect(signs.values.every((value) => value === 0)).toBe(true);
});
