type Vertex = readonly [x: number, y: number];

/** Corners in order, either way round; what is computed of polygons here holds for convex ones. */
export type Polygon = readonly Vertex[];

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
 * What lies in all the half-planes (Sutherland and Hodgman, "Reentrant polygon clipping", 1974). The order of the
 * corners stays; a corner that is cut off gives way to where its edges are cut. `between` is the point `share` of the
 * way from one corner to the next. Empty when nothing is left.
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

/** The middle of a polygon's area; the mean of its corners where it has none. */
export function centroidOf(polygon: Polygon): Vertex {
  const [left, top] = polygon[0]!;
  let [doubled, x, y] = [0, 0, 0];
  for (const [k, corner] of polygon.entries()) {
    const next = polygon[(k + 1) % polygon.length]!;
    // From the first corner, so that little is lost of a small polygon far away.
    const [a, b, c, d] = [corner[0] - left, corner[1] - top, next[0] - left, next[1] - top];
    const cross = a * d - b * c;
    doubled += cross;
    x += (a + c) * cross;
    y += (b + d) * cross;
  }
  if (doubled === 0) {
    const mean = (axis: 0 | 1): number =>
      polygon.reduce((sum, corner) => sum + corner[axis], 0) / polygon.length;
    return [mean(0), mean(1)];
  }
  return [left + x / (3 * doubled), top + y / (3 * doubled)];
}

/** How far a corner lies from the stretch between two others. */
export function distanceToSegment([x, y]: Vertex, [x0, y0]: Vertex, [x1, y1]: Vertex): number {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : ((x - x0) * dx + (y - y0) * dy) / square;
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(x - x0 - share * dx, y - y0 - share * dy);
}
