import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import { type Style, drawStyle, page } from "../drawing.ts";
import type { Design, Filling, Sheet } from "../design.ts";

export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly style: Style;
  readonly random: Random;
  readonly unit: number;
}

/** What all members say, and what each says. */
export interface Form {
  readonly form: string;
  readonly says: (random: Random) => string;
}

/** A printed form whose members differ in what is filled in. */
export function printed(
  name: string,
  sizes: readonly (readonly [number, number])[],
  lay: (canvas: Canvas) => Form,
): Design {
  return {
    name,
    family: "printed",
    photographs: 0,
    draw: (random): Sheet => {
      const [width, height] = pick(random, sizes);
      const style = drawStyle(random);
      const { form, says } = lay({ width, height, style, random, unit: Math.min(width, height) / 25 });
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
