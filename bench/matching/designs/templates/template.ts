import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import { type Canvas, type Sizes, drawCanvas } from "../canvas.ts";
import { type Frame, type Style, box, disc, page, photograph, text } from "../drawing.ts";
import { several, word, words } from "../language.ts";
import type { Design, Filling, Sheet } from "../design.ts";

/** What lies under and over the photograph; `says` draws what each member says, and nothing where all say the same. */
export interface Laid {
  readonly frame: Frame;
  readonly under: string;
  readonly over?: string;
  readonly says?: (random: Random) => string;
}

/** A design whose members are photographs in one template. */
export function template(name: string, sizes: Sizes, lay: (canvas: Canvas) => Laid): Design {
  return {
    name,
    family: "template",
    photographs: 1,
    draw: (random): Sheet => {
      const canvas = drawCanvas(random, sizes, 20);
      const { width, height, style } = canvas;
      const { frame, under, over = "", says } = lay(canvas);
      const member = ({ random: own, photographs }: Filling): string =>
        page(width, height, style.ground, [
          under,
          photograph(photographs[0]!, frame),
          over,
          says === undefined ? "" : says(own),
        ]);
      return { width, height, window: frame.width / frame.height, member };
    },
  };
}

export const WIDE = [
  [1280, 800],
  [1200, 750],
  [1366, 768],
] as const;
export const TALL = [
  [800, 1200],
  [1080, 1500],
  [900, 1300],
] as const;
export const SQUARE = [
  [1000, 1000],
  [1080, 1080],
  [900, 1000],
] as const;
export const ANY = [...WIDE, ...TALL, ...SQUARE] as const;

/** Rows of words, as wide as they come. */
export const lines = (
  style: Style,
  random: Random,
  x: number,
  y: number,
  size: number,
  count: number,
  long: number,
): string =>
  several(count, (k) => text(style, x, y + 1.5 * size * k, size, words(random, style.script, long))).join("");

/** A screen's window with its bar and buttons. */
export const chrome = ({ width, unit, style, random }: Canvas): string =>
  box(0, 0, width, 2.2 * unit, { fill: style.faint }) +
  several(3, (k) =>
    disc((0.9 + 0.9 * k) * unit, 1.1 * unit, 0.3 * unit, {
      fill: pick(random, ["#f05050", "#f0c040", "#50c050"]),
    }),
  ).join("") +
  box(5 * unit, 0.5 * unit, width * 0.5, 1.2 * unit, { fill: style.ground, corner: unit / 2 }) +
  text(
    style,
    5.5 * unit,
    1.4 * unit,
    0.8 * unit,
    `${word(random, "latin")}.example/${word(random, "latin")}`,
  );
