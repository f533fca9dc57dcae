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

/** Adds a rectangle to others, none of which are within reach of each other: with all that are within its own it becomes one. */
function gather(rectangles: Rectangle[], added: Rectangle): void {
  let grown = added;
  for (let k = 0; k < rectangles.length; ) {
    if (distance(rectangles[k]!, grown) > REACH) {
      k += 1;
      continue;
    }
    grown = union(grown, rectangles[k]!);
    rectangles.splice(k, 1);
    k = 0;
  }
  rectangles.push(grown);
}

/** Whether a point lies no more than a block away from one of some rectangles. */
function isCovered(x: number, y: number, rectangles: readonly Rectangle[]): boolean {
  for (const { left, top, right, bottom } of rectangles) {
    if (Math.max(left - x, x - right, top - y, y - bottom) <= BLOCK) return true;
  }
  return false;
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
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const strange: Rectangle[] = [];
  for (let k = 0; k < count; k += 1) {
    left = Math.min(left, x[k]!);
    top = Math.min(top, y[k]!);
    right = Math.max(right, x[k]!);
    bottom = Math.max(bottom, y[k]!);
    if (agreement[k]! < bad) {
      gather(strange, { left: x[k]!, top: y[k]!, right: x[k]!, bottom: y[k]!, blocks: 1 });
    }
  }
  const overlays = strange
    .filter(({ blocks }) => blocks > 1)
    .toSorted((a, b) => b.blocks - a.blocks || a.top - b.top || a.left - b.left)
    .slice(0, MOST);
  const outside = { used: 0, bad: 0, clear: 0 };
  for (let k = 0; k < count; k += 1) {
    if (isCovered(x[k]!, y[k]!, overlays)) continue;
    outside.used += 1;
    outside.bad += Number(agreement[k]! < bad);
    outside.clear += Number(agreement[k]! > clear);
  }
  const covered = overlays.reduce((sum, overlay) => sum + area(overlay), 0);
  return { covered: count === 0 ? 0 : covered / area({ left, top, right, bottom }), ...outside };
}
