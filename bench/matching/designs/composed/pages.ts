import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import { type Box, drawStyle, page, photograph } from "../drawing.ts";
import type { Design, Filling, Sheet } from "../design.ts";
import { between, several } from "../language.ts";
import { FIGURES } from "./figures.ts";
import { SIZES, composed } from "./forms.ts";
import { cutUp, inset } from "./layout.ts";
import { TEXTS } from "./texts.ts";

const KINDS = [...TEXTS, ...FIGURES];

/**
 * Pages of other pieces, in other letters and colours, around one photograph, which shows well under 0.6 of what the
 * page says.
 */
function composedPage(name: string, share: number): Design {
  return {
    name,
    family: "shared-photograph",
    photographs: 1,
    draw: (random): Sheet => {
      const shape = 0.7 + 0.9 * random();
      const member = ({ random: own, photographs }: Filling): string => {
        const [width, height] = pick(own, SIZES);
        const style = drawStyle(own);
        const wide = Math.min(width * 0.75, Math.sqrt(share * width * height * shape));
        const frame = {
          x: (width - wide) * own(),
          y: Math.max(0, height - wide / shape) * own(),
          width: wide,
          height: wide / shape,
        };
        const { form, says } = composed({ x: 0, y: 0, width, height }, style, own, {
          kinds: KINDS,
          count: between(own, 5, 11),
        });
        return page(width, height, style.ground, [form, says(own), photograph(photographs[0]!, frame)]);
      };
      const [width, height] = SIZES[0];
      return { width, height, window: shape, member };
    },
  };
}

/** Collages of photographs in cells of drawn sizes, one of them in all members, in a cell of its own in each. */
function composedCollage(name: string, count: number): Design {
  return {
    name,
    family: "shared-photograph",
    photographs: count,
    draw: (random): Sheet => {
      const [width, height] = pick(random, SIZES);
      const cut = (by: Random): Box[] => cutUp({ x: 0, y: 0, width, height }, count, by);
      const fixed = random() < 0.5 ? cut(random) : null;
      const member = ({ random: own, photographs }: Filling): string => {
        const style = drawStyle(own);
        const cells = (fixed ?? cut(own)).toSorted((a, b) => b.width * b.height - a.width * a.height);
        // The largest cell shows another photograph: what is shared is not most of the collage.
        const first = 1 + Math.floor(own() * (cells.length - 1));
        return page(
          width,
          height,
          style.ground,
          cells.map((cell, k) =>
            photograph(photographs[(k - first + cells.length) % cells.length]!, inset(cell, 6), `cell-${k}`),
          ),
        );
      };
      return { width, height, window: null, member };
    },
  };
}

export const COMPOSED_PAGES: readonly Design[] = [
  ...several(6, (k) => composedPage(`composed-page-${k}`, 0.12 + 0.05 * k)),
  ...several(4, (k) => composedCollage(`composed-collage-${k}`, 3 + k)),
];
