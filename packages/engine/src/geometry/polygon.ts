/** Corners in order, either way round; what is computed of polygons here holds for convex ones. */
export type Polygon = readonly (readonly [x: number, y: number])[];

/** A picture by its edges: `[0, 0]` to `[1, 1]`, clockwise from the upper left as it is shown. */
export const UNIT_SQUARE: Polygon = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
];

/** Which side of a line a corner lies on, and how far: 0 or more is kept. Linear in the corner. */
export type HalfPlane<Corner> = (corner: Corner) => number;

/**
 * What lies in all the half-planes (Sutherland and Hodgman, "Reentrant polygon clipping", 1974). The order of the corners stays; a corner that is
 * cut off gives way to where its edges are cut. `between` is the point `share` of the way from one corner to the next. Empty when nothing is left.
 */
export function clip<Corner>(
  corners: readonly Corner[],
  halfPlanes: readonly HalfPlane<Corner>[],
  between: (from: Corner, to: Corner, share: number) => Corner,
): readonly Corner[] {
  let kept = corners;
  for (const side of halfPlanes) {
    const cut: Corner[] = [];
    for (const [k, corner] of kept.entries()) {
      const before = kept[(k + kept.length - 1) % kept.length]!;
      const [from, to] = [side(before), side(corner)];
      if (from < 0 !== to < 0) cut.push(between(before, corner, from / (from - to)));
      if (to >= 0) cut.push(corner);
    }
    kept = cut;
  }
  return kept;
}

/** Enclosed area, never negative (Gauss's formula). */
export function areaOf(polygon: Polygon): number {
  let doubled = 0;
  for (const [k, [x, y]] of polygon.entries()) {
    const [u, v] = polygon[(k + 1) % polygon.length]!;
    doubled += x * v - u * y;
  }
  return Math.abs(doubled) / 2;
}
