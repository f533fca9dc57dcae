import { BLOCK } from "../../signature/projections.ts";

/** How blocks look that lie outside of a few rectangles in which all disagreement is gathered. */
export interface Surroundings {
  /** Share of the compared area that the rectangles cover. */
  readonly covered: number;
  /** Blocks outside, how many of them disagree, and how many agree clearly. */
  readonly used: number;
  readonly bad: number;
  readonly clear: number;
}

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly blocks: number;
}

/** Disagreeing blocks no further apart than this, in cells, belong to one rectangle. */
const REACH = 2 * BLOCK;
/** Rectangles that may be overlays; a caption above, a caption below and a logo make three. */
const MOST = 3;

function distance(a: Rectangle, b: Rectangle): number {
  return Math.max(0, a.left - b.right, b.left - a.right, a.top - b.bottom, b.top - a.bottom);
}

function union(a: Rectangle, b: Rectangle): Rectangle {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
    blocks: a.blocks + b.blocks,
  };
}

/** Rectangles around points, all that are within reach of each other in one. */
function gathered(points: readonly Rectangle[]): Rectangle[] {
  let rectangles: Rectangle[] = [];
  for (const point of points) {
    let grown = point;
    for (;;) {
      const near = rectangles.filter((other) => distance(other, grown) <= REACH);
      if (near.length === 0) break;
      rectangles = rectangles.filter((other) => !near.includes(other));
      grown = near.reduce(union, grown);
    }
    rectangles.push(grown);
  }
  return rectangles;
}

function area({ left, top, right, bottom }: Omit<Rectangle, "blocks">): number {
  return (right - left + BLOCK) * (bottom - top + BLOCK);
}

/** The first `count` blocks: their centres, cells, and their agreement in place. */
export interface Placed {
  readonly count: number;
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  readonly agreement: ArrayLike<number>;
}

/**
 * Gathers the disagreeing blocks in up to three rectangles, those that hold most of them, and sums up what is a block or more
 * away from these. Under `bad` a block disagrees, over `clear` it agrees clearly.
 */
export function surroundings(
  { count, x, y, agreement }: Placed,
  { bad, clear }: { bad: number; clear: number },
): Surroundings {
  const point = (k: number): Rectangle => ({
    left: x[k]!,
    top: y[k]!,
    right: x[k]!,
    bottom: y[k]!,
    blocks: 1,
  });
  const whole = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const strange: Rectangle[] = [];
  for (let k = 0; k < count; k += 1) {
    whole.left = Math.min(whole.left, x[k]!);
    whole.top = Math.min(whole.top, y[k]!);
    whole.right = Math.max(whole.right, x[k]!);
    whole.bottom = Math.max(whole.bottom, y[k]!);
    if (agreement[k]! < bad) strange.push(point(k));
  }
  const overlays = gathered(strange)
    .filter(({ blocks }) => blocks > 1)
    .toSorted((a, b) => b.blocks - a.blocks || a.top - b.top || a.left - b.left)
    .slice(0, MOST);
  const outside = { used: 0, bad: 0, clear: 0 };
  for (let k = 0; k < count; k += 1) {
    if (overlays.some((overlay) => distance(overlay, point(k)) <= BLOCK)) continue;
    outside.used += 1;
    outside.bad += Number(agreement[k]! < bad);
    outside.clear += Number(agreement[k]! > clear);
  }
  const covered = overlays.reduce((sum, overlay) => sum + area(overlay), 0);
  return { covered: count === 0 ? 0 : covered / area(whole), ...outside };
}
