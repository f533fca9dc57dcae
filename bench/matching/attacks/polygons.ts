import type { Point } from "./plane-map.ts";

type Polygon = readonly Point[];

/** The part of a convex polygon that lies within a picture (Sutherland and Hodgman 1974). */
export function clipped(polygon: Polygon, { width, height }: { width: number; height: number }): Point[] {
  const sides: ((point: Point) => number)[] = [
    ([x]) => x,
    ([x]) => width - x,
    ([, y]) => y,
    ([, y]) => height - y,
  ];
  return sides.reduce<Point[]>((rest, inside) => halved(rest, inside), [...polygon]);
}

function halved(polygon: Polygon, inside: (point: Point) => number): Point[] {
  return polygon.flatMap((to, at) => {
    const from = polygon.at(at - 1) ?? to;
    const [a, b] = [inside(from), inside(to)];
    const share = a / (a - b);
    const crossing: Point = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
    if (a < 0 && b < 0) return [];
    if (a >= 0 && b >= 0) return [to];
    return b >= 0 ? [crossing, to] : [crossing];
  });
}

/** How far the corner of either polygon that is furthest off lies from the other's outline, pixels. */
export function distanceApart(a: Polygon, b: Polygon): number {
  return Math.max(...a.map((corner) => distanceTo(corner, b)), ...b.map((corner) => distanceTo(corner, a)));
}

function distanceTo([x, y]: Point, polygon: Polygon): number {
  const distances = polygon.map(([toX, toY], at) => {
    const [fromX, fromY] = polygon.at(at - 1) ?? [toX, toY];
    const [alongX, alongY] = [toX - fromX, toY - fromY];
    const length = alongX ** 2 + alongY ** 2;
    const share = length === 0 ? 0 : ((x - fromX) * alongX + (y - fromY) * alongY) / length;
    const held = Math.min(1, Math.max(0, share));
    return Math.hypot(x - fromX - held * alongX, y - fromY - held * alongY);
  });
  return Math.min(...distances);
}
