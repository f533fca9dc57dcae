import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import { type Box, type Style, drawStyle, page } from "../drawing.ts";
import type { Design, Filling, Sheet } from "../design.ts";
import { between, several } from "../language.ts";
import { FIGURES } from "./figures.ts";
import { SIZES } from "./forms.ts";
import { cutUp, inset } from "./layout.ts";
import type { MakePiece } from "./piece.ts";
import { TEXTS } from "./texts.ts";

/** Something drawn once and put down anywhere, as a button, a device or a figure of a mock-up is. */
interface Component {
  readonly width: number;
  readonly height: number;
  readonly drawn: string;
}

const SMALLEST = 90;

function filledIn(area: Box, style: Style, random: Random, kinds: readonly MakePiece[]): string {
  const { form, says } = pick(random, kinds)({ ...area, style, random });
  return form + says(random);
}

function drawComponent(style: Style, random: Random, kinds: readonly MakePiece[]): Component {
  const width = SMALLEST + 330 * random();
  const height = SMALLEST + 330 * random();
  return { width, height, drawn: filledIn({ x: 0, y: 0, width, height }, style, random, kinds) };
}

/** A component somewhere in a cell: as large as it was drawn, or as the cell lets it be. */
function placed({ width, height, drawn }: Component, cell: Box, random: Random): string {
  const fitting = Math.min(cell.width / width, cell.height / height);
  const size = random() < 0.7 ? Math.min(1, fitting) : fitting;
  const x = cell.x + random() * (cell.width - size * width);
  const y = cell.y + random() * (cell.height - size * height);
  return `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${size.toFixed(3)})">${drawn}</g>`;
}

/**
 * Pages put together from one kit, each with other components at other places, between pieces of their own. `share`:
 * cells that hold a component.
 */
function kit(name: string, share: number, kinds: readonly MakePiece[]): Design {
  return {
    name,
    family: "printed",
    photographs: 0,
    draw: (random): Sheet => {
      const style = drawStyle(random);
      const components = several(between(random, 3, 8), () => drawComponent(style, random, kinds));
      const [width, height] = pick(random, SIZES);
      const member = ({ random: own }: Filling): string => {
        const [wide, high] = own() < 0.5 ? [width, height] : pick(own, SIZES);
        const cells = cutUp({ x: 0, y: 0, width: wide, height: high }, between(own, 4, 14), own);
        const parts = cells.map((cell) => {
          const free = inset(cell, 12);
          return own() < share ? placed(pick(own, components), free, own) : filledIn(free, style, own, kinds);
        });
        return page(wide, high, style.ground, parts);
      };
      return { width, height, window: null, member };
    },
  };
}

/** From a component or two to mostly components; of letters, of figures, of both. */
export const KITS: readonly Design[] = several(12, (k) =>
  kit(`kit-${k}`, 0.15 + 0.05 * k, [TEXTS, FIGURES, [...TEXTS, ...FIGURES]][k % 3]!),
);
