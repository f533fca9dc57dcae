import type { Design } from "../design.ts";
import { several } from "../language.ts";
import { overlay } from "../overlay.ts";
import { ornaments } from "./ornaments.ts";

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
