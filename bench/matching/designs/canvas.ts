import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import { type Style, drawStyle } from "./drawing.ts";

/** What a design is laid out on. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly style: Style;
  /** What all members of the design share is drawn by it. */
  readonly random: Random;
  /** What lengths are measured in: a part of the shorter side. */
  readonly unit: number;
}

/** Widths and heights that a design may have. */
export type Sizes = readonly (readonly [width: number, height: number])[];

/** A canvas of one of the sizes, in a style that is drawn. @param parts how many units the shorter side has */
export function drawCanvas(random: Random, sizes: Sizes, parts: number): Canvas {
  const [width, height] = pick(random, sizes);
  return { width, height, style: drawStyle(random), random, unit: Math.min(width, height) / parts };
}
