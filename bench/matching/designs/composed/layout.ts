import type { Random } from "@colophon/testing/pictures.ts";
import type { Box } from "../drawing.ts";

/** Shortest side of an area, as a share of the box's shorter one. */
const LEAST = 0.14;

/**
 * Cuts a box into `count` areas by one cut after the other, each through the largest area there is; fewer when they
 * become too small.
 */
export function cutUp(whole: Box, count: number, random: Random): Box[] {
  const least = LEAST * Math.min(whole.width, whole.height);
  const areas = [whole];
  while (areas.length < count) {
    areas.sort((a, b) => b.width * b.height - a.width * a.height);
    const { x, y, width, height } = areas.shift()!;
    const isAcross = width > height * (0.7 + 0.6 * random());
    const share = 0.25 + 0.5 * random();
    if (Math.min(share, 1 - share) * (isAcross ? width : height) < least) {
      areas.push({ x, y, width, height });
      break;
    }
    if (isAcross) {
      areas.push(
        { x, y, width: width * share, height },
        { x: x + width * share, y, width: width * (1 - share), height },
      );
    } else {
      areas.push(
        { x, y, width, height: height * share },
        { x, y: y + height * share, width, height: height * (1 - share) },
      );
    }
  }
  return areas;
}

/** The box without a margin all around. */
export function inset({ x, y, width, height }: Box, by: number): Box {
  return { x: x + by, y: y + by, width: Math.max(1, width - 2 * by), height: Math.max(1, height - 2 * by) };
}
