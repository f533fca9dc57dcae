import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type HalfPlane, type Polygon, UNIT_SQUARE, areaOf, clip } from "../../src/geometry/polygon.ts";
import { unionArea } from "../../src/geometry/union-area.ts";

type Corner = Polygon[number];

const between = ([x, y]: Corner, [u, v]: Corner, share: number): Corner => [
  x + share * (u - x),
  y + share * (v - y),
];

/** The half-planes inside of a convex polygon's sides. */
function sidesOf(polygon: Polygon): HalfPlane<Corner>[] {
  const turn = polygon.reduce((sum, [x, y], k) => {
    const [u, v] = polygon[(k + 1) % polygon.length]!;
    return sum + x * v - u * y;
  }, 0);
  return polygon.map(([ax, ay], k) => {
    const [bx, by] = polygon[(k + 1) % polygon.length]!;
    return ([x, y]) => Math.sign(turn) * ((bx - ax) * (y - ay) - (by - ay) * (x - ax));
  });
}

const box = (left: number, top: number, right: number, bottom: number): Polygon => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

const corner: fc.Arbitrary<Corner> = fc.tuple(
  fc.integer({ min: 0, max: 40 }),
  fc.integer({ min: 0, max: 40 }),
);

/**
 * Corners on a coarse raster in the order of their hull: many share corners, sides and lines, and some have no area.
 */
const convex: fc.Arbitrary<Polygon> = fc.array(corner, { minLength: 3, maxLength: 9 }).map(hullOf);

/** Andrew's monotone chain; a line or a point for corners on one line. */
function hullOf(corners: readonly Corner[]): Polygon {
  const sorted = corners.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (points: readonly Corner[]): Corner[] => {
    const kept: Corner[] = [];
    for (const point of points) {
      for (;;) {
        const [a, b] = [kept.at(-2), kept.at(-1)];
        if (!a || !b || (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0) break;
        kept.pop();
      }
      kept.push(point);
    }
    return kept;
  };
  return [...chain(sorted).slice(0, -1), ...chain(sorted.toReversed()).slice(0, -1)];
}

/** Area over 0..40 that lies in one of the polygons, by the middles of a fine raster. */
function rasterArea(polygons: readonly Polygon[], steps: number): number {
  const solid = polygons.filter((polygon) => areaOf(polygon) > 0).map(sidesOf);
  let within = 0;
  for (let row = 0; row < steps; row += 1) {
    for (let column = 0; column < steps; column += 1) {
      const at = [(40 * (column + 0.5)) / steps, (40 * (row + 0.5)) / steps] as const;
      if (solid.some((sides) => sides.every((side) => side(at) >= 0))) within += 1;
    }
  }
  return (within * 1600) / steps ** 2;
}

describe("clipping", () => {
  test("keeps the order and cuts corners off", () => {
    expect(clip(box(-1, 0, 1, 1), sidesOf(UNIT_SQUARE), between)).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ]);
    const diamond: Polygon = [
      [0.5, -0.25],
      [1.25, 0.5],
      [0.5, 1.25],
      [-0.25, 0.5],
    ];
    const octagon = clip(diamond, sidesOf(UNIT_SQUARE), between);
    expect(octagon).toHaveLength(8);
    expect(areaOf(octagon)).toBeCloseTo(1 - 4 * (0.25 ** 2 / 2), 12);
  });

  test("leaves nothing of what lies outside, and everything of what lies inside", () => {
    expect(clip(box(2, 2, 3, 3), sidesOf(UNIT_SQUARE), between)).toEqual([]);
    const inside = box(0.2, 0.3, 0.4, 0.9);
    expect(clip(inside, sidesOf(UNIT_SQUARE), between)).toEqual(inside);
  });
});

describe("area of a union", () => {
  test("of nothing, of one, of the same twice, of what has no area", () => {
    expect(unionArea([])).toBe(0);
    expect(unionArea([UNIT_SQUARE])).toBe(1);
    expect(unionArea([UNIT_SQUARE, UNIT_SQUARE.toReversed()])).toBe(1);
    const line: Polygon = [
      [0, 0],
      [1, 1],
      [0.5, 0.5],
    ];
    expect(unionArea([line, [], [[1, 2]]])).toBe(0);
  });

  test("of a cross", () => {
    expect(unionArea([box(0, 1, 3, 2), box(1, 0, 2, 3)])).toBeCloseTo(5, 12);
  });

  test("is both areas less what they share, to the last digits", () => {
    fc.assert(
      fc.property(convex, convex, (a, b) => {
        const shared = areaOf(b) > 0 ? areaOf(clip(a, sidesOf(b), between)) : 0;
        expect(unionArea([a, b])).toBeCloseTo(areaOf(a) + areaOf(b) - shared, 8);
      }),
      { numRuns: 2_000 },
    );
  });

  test("is what a raster counts, however many polygons meet", () => {
    fc.assert(
      fc.property(fc.array(convex, { minLength: 1, maxLength: 12 }), (polygons) => {
        expect(Math.abs(unionArea(polygons) - rasterArea(polygons, 160))).toBeLessThan(8);
      }),
      { numRuns: 100 },
    );
  });

  test("does not depend on the order, nor on what is already covered", () => {
    fc.assert(
      fc.property(fc.array(convex, { minLength: 1, maxLength: 8 }), (polygons) => {
        const area = unionArea(polygons);
        expect(unionArea(polygons.toReversed())).toBeCloseTo(area, 8);
        expect(unionArea([...polygons, ...polygons])).toBeCloseTo(area, 8);
        const turned = polygons.map((polygon) => polygon.map(([x, y]) => [y, x] as const));
        expect(unionArea(turned)).toBeCloseTo(area, 8);
      }),
      { numRuns: 300 },
    );
  });
});
