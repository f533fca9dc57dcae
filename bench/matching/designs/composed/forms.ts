import { pick } from "@colophon/testing/chance.ts";
import type { Box, Style } from "../drawing.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import type { Design } from "../design.ts";
import { between, several } from "../language.ts";
import { printed } from "../printed/form.ts";
import { FIGURES } from "./figures.ts";
import { cutUp, inset } from "./layout.ts";
import type { MakePiece, Piece } from "./piece.ts";
import { TEXTS } from "./texts.ts";

export const SIZES = [
  [1200, 800],
  [1280, 720],
  [1000, 1000],
  [850, 1100],
  [900, 1300],
  [1100, 500],
  [640, 900],
] as const;

/** Lays pieces out over a box, at random. */
export function composed(
  whole: Box,
  style: Style,
  random: Random,
  { kinds, count }: { readonly kinds: readonly MakePiece[]; readonly count: number },
): Piece {
  const margin = Math.min(whole.width, whole.height) * 0.025;
  const pieces = cutUp(inset(whole, margin), count, random).map((area) =>
    pick(random, kinds)({ ...inset(area, margin), style, random }),
  );
  return {
    form: pieces.map(({ form }) => form).join(""),
    says: (own) => pieces.map(({ says }) => says(own)).join(""),
  };
}

/** A form whose pieces and their places are drawn: every draw is a design of its own. */
function composedForm(
  name: string,
  kinds: readonly MakePiece[],
  [least, most]: readonly [number, number],
): Design {
  return printed(name, SIZES, ({ width, height, style, random }) => {
    // What says nothing of its own makes no two members.
    for (;;) {
      const count = between(random, least, most);
      const form = composed({ x: 0, y: 0, width, height }, style, random, { kinds, count });
      if (form.says(random) !== "") return form;
    }
  });
}

const ALL = [...TEXTS, ...FIGURES];

/** Forms of letters, of figures, and of both, from a few large pieces to many small ones. */
export const COMPOSED_FORMS: readonly Design[] = [
  ...several(4, (k) => composedForm(`lettered-form-${k}`, TEXTS, [3 + k, 5 + 2 * k])),
  ...several(6, (k) => composedForm(`drawn-form-${k}`, FIGURES, [1 + k, 3 + k])),
  ...several(14, (k) => composedForm(`mixed-form-${k}`, ALL, [2 + Math.floor(k / 2), 4 + Math.floor(k / 2)])),
];
