import { describe, expect, test } from "vitest";
import { lookAt } from "../../src/matching/decide/looked-at.ts";
import { type Regions, regionsIn } from "../../src/matching/decide/regions.ts";
import { type Place, drawnLayer, pointsIn } from "./drawn-layer.ts";

const look = (drawn: Parameters<typeof drawnLayer>[0], points = pointsIn([], [])): Regions =>
  regionsIn(lookAt(drawnLayer(drawn)), points);

const square = (column: number, row: number, side: number): Place[] =>
  Array.from({ length: side * side }, (_, k) => [column + (k % side), row + Math.floor(k / side)]);

describe("regions", () => {
  test("agree where all blocks do", () => {
    const { means, others } = look({});
    expect([means.length, others]).toEqual([108, 0]);
    expect(means[0]).toBeCloseTo(0.99);
  });

  test("agree all the same where single blocks err", () => {
    const { others, means } = look({
      taken: [
        [1, 1],
        [5, 5],
        [9, 2],
        [6, 8],
      ],
    });
    expect(others).toBe(0);
    expect(means[0]).toBeGreaterThan(0.6);
  });

  test("show something else where blocks beside each other do not agree, and are bolder or no more so", () => {
    expect(look({ taken: square(3, 3, 3) })).toMatchObject({ others: 5, largest: 5, bolder: 0, plainer: 5 });
    expect(look({ put: square(3, 3, 3) })).toMatchObject({ others: 5, largest: 5, bolder: 5, plainer: 0 });
    const two = look({ taken: [...square(1, 1, 3), ...square(7, 4, 4)] });
    expect(two).toMatchObject({ others: 17, largest: 12 });
    expect(two.depth).toBeCloseTo(12 * 0.8 * two.means[54]!);
  });

  test("are left out where few blocks are asked", () => {
    const edge = Array.from({ length: 108 }, (_, k): Place => [k % 12, Math.floor(k / 12)]);
    const three = edge.filter(([column, row]) => row > 0 || column > 2);
    expect(look({ plain: three }).means).toHaveLength(0);
  });

  test("tell how the original's points fare in them and beside them", () =>
    expect(
      look(
        { taken: square(3, 3, 3) },
        pointsIn(
          [
            [4, 4],
            [10, 8],
          ],
          [
            [3, 4],
            [5, 4],
          ],
        ),
      ),
    ).toMatchObject({ covered: 4, inAgreeing: 1, inOthers: 3, foundInOthers: 1 }));
});
