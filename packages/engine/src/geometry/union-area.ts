import type { Polygon } from "./polygon.ts";

interface Edge {
  /** The end on the left, and the slope. */
  readonly x: number;
  readonly y: number;
  readonly slope: number;
  /** The end on the right. */
  readonly to: number;
}

function edgesOf(polygon: Polygon): Edge[] {
  return polygon.flatMap(([ax, ay], k) => {
    const [bx, by] = polygon[(k + 1) % polygon.length]!;
    if (ax === bx) return [];
    const [x, y, to, end] = ax < bx ? [ax, ay, bx, by] : [bx, by, ax, ay];
    return [{ x, y, slope: (end - y) / (to - x), to }];
  });
}

const heightAt = ({ x, y, slope }: Edge, at: number): number => y + slope * (at - x);

/** Where two edges cross, by x; null for parallel ones and where they end before. */
function crossing(a: Edge, b: Edge): number | null {
  const [from, to] = [Math.max(a.x, b.x), Math.min(a.to, b.to)];
  if (from >= to || a.slope === b.slope) return null;
  const x = from + (heightAt(b, from) - heightAt(a, from)) / (a.slope - b.slope);
  return x > from && x < to ? x : null;
}

/** From where to where a convex polygon reaches above and below `at`; null beside it. */
function reachAt(edges: readonly Edge[], at: number): readonly [number, number] | null {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const edge of edges) {
    if (at < edge.x || at > edge.to) continue;
    const height = heightAt(edge, at);
    low = Math.min(low, height);
    high = Math.max(high, height);
  }
  return low < high ? [low, high] : null;
}

/** How much of a line the intervals cover together. */
function coveredLength(intervals: readonly (readonly [number, number])[]): number {
  let covered = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const [low, high] of intervals.toSorted((a, b) => a[0] - b[0])) {
    covered += Math.max(0, high - Math.max(low, end));
    end = Math.max(end, high);
  }
  return covered;
}

/**
 * Area that convex polygons cover together, exact but for rounding: between two neighbouring corners or crossings, by
 * x, no edge begins, ends or meets another, so that what is covered grows or shrinks evenly and its middle stands for
 * it. Polygons without area add nothing. Four operations only, hence the same on every machine.
 */
export function unionArea(polygons: readonly Polygon[]): number {
  const shapes = polygons.map(edgesOf);
  const all = shapes.flat();
  const stops = all.flatMap(({ x, to }) => [x, to]);
  for (const [k, edge] of all.entries()) {
    for (let other = k + 1; other < all.length; other += 1) {
      const x = crossing(edge, all[other]!);
      if (x !== null) stops.push(x);
    }
  }
  const ascending = Float64Array.from(stops).toSorted();
  let area = 0;
  for (let k = 1; k < ascending.length; k += 1) {
    const [left, right] = [ascending[k - 1]!, ascending[k]!];
    if (left === right) continue;
    const middle = (left + right) / 2;
    const reaches = shapes.map((edges) => reachAt(edges, middle)).filter((reach) => reach !== null);
    area += (right - left) * coveredLength(reaches);
  }
  return area;
}
