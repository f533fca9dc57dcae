import type { Random } from "@colophon/testing/pictures.ts";
import { type Canvas, type Sizes, drawCanvas } from "../canvas.ts";
import { page } from "../drawing.ts";
import type { Design, Filling, Sheet } from "../design.ts";

/** What all members say, and what each says. */
export interface Form {
  readonly form: string;
  readonly says: (random: Random) => string;
}

/** A printed form whose members differ in what is filled in. */
export function printed(name: string, sizes: Sizes, lay: (canvas: Canvas) => Form): Design {
  return {
    name,
    family: "printed",
    photographs: 0,
    draw: (random): Sheet => {
      const canvas = drawCanvas(random, sizes, 25);
      const { width, height, style } = canvas;
      const { form, says } = lay(canvas);
      const member = ({ random: own }: Filling): string =>
        page(width, height, style.ground, [form, says(own)]);
      return { width, height, window: null, member };
    },
  };
}

export const WIDE = [
  [1200, 800],
  [1280, 720],
  [1100, 850],
] as const;
export const TALL = [
  [850, 1100],
  [900, 1300],
  [1000, 1414],
] as const;
export const SQUARE = [
  [1000, 1000],
  [900, 950],
] as const;
