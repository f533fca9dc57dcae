import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { box, text } from "../drawing.ts";
import { between, several, title } from "../language.ts";
import { printed } from "../printed/form.ts";
import { FIGURES } from "./figures.ts";
import { SIZES } from "./forms.ts";
import { type Ground, GROUNDS } from "./grounds.ts";
import { cutUp, inset } from "./layout.ts";
import type { MakePiece, Piece } from "./piece.ts";
import { SAYINGS, spot } from "./sayings.ts";
import { TEXTS } from "./texts.ts";

/** Pieces of a form at some places of a ground, on panels that let it through or none. */
function panels({ width, height, style, random }: Canvas, kinds: readonly MakePiece[]): Piece {
  const opacity = pick(random, [0, 0, 0.5, 0.75, 0.95]);
  const cells = cutUp({ x: 0, y: 0, width, height }, between(random, 3, 10), random);
  const taken = cells.filter((_, k) => k < 2 || random() < 0.5).map((cell) => inset(cell, 16));
  const pieces = taken.map((area) => pick(random, kinds)({ ...inset(area, 8), style, random }));
  return {
    form: taken
      .map(
        ({ x, y, width: wide, height: high }, k) =>
          box(x, y, wide, high, { fill: style.ground, opacity }) + pieces[k]!.form,
      )
      .join(""),
    says: (own) => pieces.map(({ says }) => says(own)).join(""),
  };
}

const KINDS: readonly (readonly MakePiece[])[] = [TEXTS, FIGURES, [...TEXTS, ...FIGURES]];

/** Names that all members show. */
const names = (canvas: Canvas): string =>
  several(between(canvas.random, 0, 14), () => {
    const { random, style, unit } = canvas;
    const size = unit * (0.5 + random());
    return text(style, ...spot(canvas, random), size, title(random, style.script, 1), {
      stroke: style.ground,
    });
  }).join("");

/** How much a member says on its ground. */
interface Amount {
  /** Fewest and most kinds of things that lie at places of their own. */
  readonly things: readonly [number, number];
  /** Whether it fills in a form in panels. */
  readonly isPanelled: boolean;
}

const AMOUNTS: Readonly<Record<string, Amount>> = {
  sparse: { things: [1, 1], isPanelled: false },
  marked: { things: [2, 3], isPanelled: false },
  panelled: { things: [0, 0], isPanelled: true },
  filled: { things: [1, 3], isPanelled: true },
};

/** A ground on which each member says its own. */
function onGround(name: string, ground: Ground, { things, isPanelled }: Amount): Design {
  return printed(name, SIZES, (canvas) => {
    const { random } = canvas;
    // What says nothing of its own makes no two members.
    for (;;) {
      const said = several(between(random, ...things), () => pick(random, SAYINGS)(canvas));
      const laid = isPanelled ? panels(canvas, pick(random, KINDS)) : null;
      const says = (own: Random): string => (laid?.says(own) ?? "") + said.map((one) => one(own)).join("");
      if (says(random) === "") continue;
      return { form: ground(canvas) + names(canvas) + (laid?.form ?? ""), says };
    }
  });
}

/** Forms on grounds that show much by themselves, which all members share. */
export const ON_GROUNDS: readonly Design[] = Object.entries(GROUNDS).flatMap(([name, ground]) =>
  Object.entries(AMOUNTS).map(([kind, amount]) => onGround(`${kind}-on-${name}`, ground, amount)),
);
