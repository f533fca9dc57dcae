import { describe, expect, test } from "vitest";
import { surroundings } from "../../src/matching/decide/overlay.ts";

const COLUMNS = 30;
const ROWS = 20;
const SPACING = 12;

/** A page of blocks that agree exactly but where `bad` says. */
function read(bad: (column: number, row: number) => boolean): ReturnType<typeof surroundings> {
  const blocks = Array.from(
    { length: COLUMNS * ROWS },
    (_, k) => [k % COLUMNS, Math.floor(k / COLUMNS)] as const,
  );
  return surroundings(
    {
      count: blocks.length,
      x: blocks.map(([column]) => column * SPACING),
      y: blocks.map(([, row]) => row * SPACING),
      agreement: blocks.map(([column, row]) => (bad(column, row) ? 0.1 : 1)),
    },
    { bad: 0.5, clear: 0.97 },
  );
}

const captions = (column: number, row: number): boolean => row < 2 || row > 17 || (column > 25 && row === 9);

describe("the surroundings of overlays", () => {
  test("are everything where nothing disagrees", () =>
    expect(read(() => false)).toEqual({ covered: 0, used: 600, bad: 0, clear: 600 }));

  test("begin a block away from a logo", () => {
    const { covered, used, bad, clear } = read((column, row) => column < 6 && row < 5);
    expect(covered).toBeCloseTo(30 / 600);
    expect([used, bad, clear]).toEqual([600 - 42, 0, 600 - 42]);
  });

  test("leave out two captions and a logo, and no fourth place", () => {
    expect(read(captions).bad).toBe(0);
    const fourth = read((column, row) => captions(column, row) || (column < 2 && row === 9));
    expect(fourth.bad).toBe(2);
  });

  test("hold single blocks that disagree, however few", () =>
    expect(read((column, row) => column === 4 && row === 4).bad).toBe(1));

  test("are what is left when disagreement is spread over the page", () =>
    expect(read((column, row) => column % 2 === 0 && row % 2 === 0)).toMatchObject({
      covered: 551 / 600,
      used: 0,
    }));
});
