import { seededRandom } from "@colophon/testing/pictures.ts";
import { describe, expect, test } from "vitest";
import type { Luma } from "../../src/image/luma.ts";
import { KINDS, WEAK, kindsOf } from "../../src/signature/block-kinds.ts";
import { measureBlocks } from "../../src/signature/block-measures.ts";
import { BLOCK } from "../../src/signature/projections.ts";

const SIDE = 4 * BLOCK;
/** Four pixels to a cell. */
const MAP = Float64Array.of(0.25, 0, 0, 0, 0.25, 0, 0, 0, 1);
/** Energy from which a block is asked. */
const LEAST = 2;
const MIDDLE = { x: [(SIDE - 1) / 8], y: [(SIDE - 1) / 8] };

function picture(level: (x: number, y: number) => number): Luma {
  const data = Uint8Array.from({ length: SIDE * SIDE }, (_, k) => level(k % SIDE, Math.floor(k / SIDE)));
  return { width: SIDE, height: SIDE, data };
}

/** The kind of one block that shows this; `energy` of the compared band. */
function kindOf(luma: Luma, energy = 50): string {
  const [kind] = kindsOf(measureBlocks(MIDDLE, MAP, luma), [energy], LEAST);
  return kind === WEAK ? "weak" : KINDS[kind!]!;
}

const random = seededRandom(7);
const grain = Array.from({ length: SIDE * SIDE }, () => random());
const at = (x: number, y: number): number => grain[y * SIDE + x]!;
/** A hill of light with some grain. */
const photographed = (x: number, y: number): number =>
  120 + 60 * Math.sin(x / 9) * Math.cos(y / 7) + 40 * (at(x, y) - 0.5);
/** Letters of a kind: rings on a ground. */
const isStroke = (x: number, y: number): boolean => {
  const square = ((x % 16) - 8) ** 2 + ((y % 16) - 8) ** 2;
  return square > 16 && square < 36;
};

describe("a block of the query shows", () => {
  test("something photographed", () => expect(kindOf(picture(photographed))).toBe("natural"));
  test("lettering on a ground, coded again or not", () => {
    expect(kindOf(picture((x, y) => (isStroke(x, y) ? 20 : 240)))).toBe("graphic");
    expect(kindOf(picture((x, y) => (isStroke(x, y) ? 20 : 236) + 8 * at(x, y)))).toBe("graphic");
  });
  test("a rule, whichever way it goes", () => {
    expect(kindOf(picture((x) => (x > 20 && x < 26 ? 0 : 255)))).toBe("rule");
    expect(kindOf(picture((_, y) => (y > 20 && y < 26 ? 0 : 255)))).toBe("rule");
  });
  test("lettering over something photographed", () =>
    expect(kindOf(picture((x, y) => (isStroke(x, y) ? 250 : 110 + 40 * (at(x, y) - 0.5))))).toBe("mixed"));
  test("nothing to speak of", () => {
    expect(kindOf(picture((x, y) => 200 + (x + y) / SIDE))).toBe("weak");
    expect(kindOf(picture(photographed), 1)).toBe("weak");
  });
});

test("every measure is a whole number, and the same turned upside down", () => {
  const luma = picture(photographed);
  const measures = measureBlocks(MIDDLE, MAP, luma);
  const upsideDown = measureBlocks(MIDDLE, MAP, { ...luma, data: luma.data.map((level) => 255 - level) });
  expect(upsideDown.contrast).toEqual(measures.contrast);
  expect(upsideDown.low).toEqual(measures.high);
  expect(measures.oneWay[0]).toBeGreaterThanOrEqual(127);
});
