import { pick } from "@colophon/testing/chance.ts";
import type { Design } from "../design.ts";
import { between, several } from "../language.ts";
import { overlay } from "../overlay.ts";
import { ornaments } from "./ornaments.ts";
import { SAYINGS } from "./sayings.ts";

const SIZES = [
  [1200, 800],
  [1280, 720],
  [1000, 1000],
  [900, 1200],
  [800, 600],
  [600, 800],
] as const;

/** Photographs under ornaments that are drawn: every draw is a design of its own. */
export const COMPOSED_OVERLAYS: readonly Design[] = several(12, (k) =>
  overlay(`ornaments-${k}`, SIZES, (canvas) => ornaments(canvas, 1 + Math.floor(k / 3))),
);

/**
 * Photographs under a thing or some at places of their own: what lies on a ground with other things in another member
 * of a form.
 */
export const MARKED_PHOTOGRAPHS: readonly Design[] = several(12, (k) =>
  overlay(`marked-photograph-${k}`, SIZES, (canvas) =>
    several(between(canvas.random, 1, 1 + Math.floor(k / 4)), () =>
      pick(canvas.random, SAYINGS)(canvas)(canvas.random),
    ).join(""),
  ),
);
