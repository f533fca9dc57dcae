import { describe, expect, test } from "vitest";
import { addOwnKinds } from "../../src/matching/decide/own-kinds.ts";
import { lookAt } from "../../src/matching/decide/looked-at.ts";
import { Signs, counted } from "../../src/matching/decide/sign-list.ts";
import { GRAPHIC, MIXED, NATURAL, WEAK } from "../../src/signature/block-kinds.ts";
import { COLUMNS, type Place, ROWS, drawnLayer, pointsIn } from "./drawn-layer.ts";

const PLACES = Array.from(
  { length: COLUMNS * ROWS },
  (_, k): Place => [k % COLUMNS, Math.floor(k / COLUMNS)],
);
const ALL = COLUMNS * ROWS;
const [SAME, ELSE] = [2, 60];
/** The left third of the picture. */
const LEFT = PLACES.filter(([column]) => column < COLUMNS / 3);

const isIn = (places: readonly Place[], [column, row]: Place): boolean =>
  places.some(([c, r]) => c === column && r === row);

/**
 * The signs by name, one point at each place, of an original that shows one kind on the left and another on the right.
 */
function signsOf(
  drawn: Parameters<typeof drawnLayer>[0],
  [left, right]: readonly [number, number],
  differing: readonly Place[] = [],
): (name: string) => number {
  const describedAgain = {
    covered: new Uint8Array(ALL).fill(1),
    distance: Uint8Array.from(PLACES, (place) => (isIn(differing, place) ? ELSE : SAME)),
    detail: new Float32Array(ALL),
    kept: new Float32Array(ALL),
    drawn: new Uint8Array(ALL),
  };
  const ownKinds = Uint8Array.from(PLACES, (place) => (isIn(LEFT, place) ? left : right));
  const signs = new Signs();
  const parts = { ownKinds, describedAgain };
  addOwnKinds(signs.under("shows"), parts, pointsIn(PLACES, []), lookAt(drawnLayer(drawn)));
  return (name) => signs.values[signs.names.indexOf(`shows.${name}`)]!;
}

describe("what the original's own blocks show says", () => {
  test("how much of each kind there is, and that it agrees", () => {
    const sign = signsOf({}, [GRAPHIC, NATURAL]);
    expect([sign("graphic"), sign("natural"), sign("weak")]).toEqual([85, 170, 0]);
    expect([sign("graphic.in-good"), sign("natural.in-good"), sign("in-good")]).toEqual([255, 255, 255]);
    expect(sign("blocks")).toBe(counted(ALL));
    expect(sign("natural.in-good.natural")).toBe(170);
  });

  test("lettering of the original under which the query shows a photograph", () => {
    const sign = signsOf({ taken: LEFT }, [MIXED, NATURAL], LEFT);
    expect([sign("mixed.in-bad.natural"), sign("natural.in-bad.natural")]).toEqual([255, 0]);
    expect([sign("mixed.in-good"), sign("natural.in-good")]).toEqual([0, 255]);
    expect([sign("mixed.points.other"), sign("natural.points.other")]).toEqual([255, 0]);
    expect(sign("mixed.points.photographed-there-of-other")).toBe(255);
    expect(sign("mixed.points.other-count")).toBe(counted(LEFT.length));
  });

  test("one photograph exchanged for another", () => {
    const sign = signsOf({ taken: LEFT }, [NATURAL, NATURAL], LEFT);
    expect(sign("natural.in-bad.natural")).toBe(255);
    expect([sign("natural.points.other"), sign("natural.points.same")]).toEqual([85, 170]);
  });

  test("what is missing where the query is plain, and what is new where the original is", () => {
    const missing = signsOf({ plain: LEFT }, [GRAPHIC, NATURAL], LEFT);
    expect([missing("graphic.plain"), missing("graphic.in-bad.weak")]).toEqual([255, 255]);
    expect(missing("graphic.points.plain-there")).toBe(255);
    const added = signsOf({ put: LEFT, isDrawn: true }, [WEAK, GRAPHIC]);
    expect([added("weak"), added("weak.in-bad.graphic")]).toEqual([85, 255]);
    const neither = signsOf({ plain: LEFT }, [WEAK, NATURAL]);
    expect(neither("blocks")).toBe(counted(ALL - LEFT.length));
  });

  test("nothing where the original does not say it", () => {
    const signs = new Signs();
    const nothing = { ownKinds: null, describedAgain: null };
    addOwnKinds(signs.under("shows"), nothing, pointsIn(PLACES, []), lookAt(drawnLayer({})));
    expect(new Set(signs.values)).toEqual(new Set([0]));
  });
});
