import { pick } from "@colophon/testing/chance.ts";
import { drawStyle, page, photograph } from "../drawing.ts";
import type { Design, Filling, Sheet } from "../design.ts";
import { several } from "../language.ts";
import { ornaments } from "./ornaments.ts";

const SIZES = [
  [1200, 800],
  [1280, 720],
  [1000, 1000],
  [900, 1200],
  [800, 600],
  [600, 800],
] as const;

/** Photographs under `count` ornaments that are drawn: every draw is a design of its own. */
function composedOverlay(name: string, count: number): Design {
  return {
    name,
    family: "overlay",
    photographs: 1,
    draw: (random): Sheet => {
      const [width, height] = pick(random, SIZES);
      const ground = { width, height, style: drawStyle(random), random, unit: Math.min(width, height) / 20 };
      const over = ornaments(ground, count);
      const member = ({ photographs }: Filling): string =>
        page(width, height, "#808080", [photograph(photographs[0]!, { x: 0, y: 0, width, height }), over]);
      return { width, height, window: width / height, member };
    },
  };
}

export const COMPOSED_OVERLAYS: readonly Design[] = several(12, (k) =>
  composedOverlay(`ornaments-${k}`, 1 + Math.floor(k / 3)),
);
