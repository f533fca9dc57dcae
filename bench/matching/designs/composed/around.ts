import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import { type Box, drawStyle, page, photograph, text } from "../drawing.ts";
import type { Design, Filling, Sheet } from "../design.ts";
import { between, several, title } from "../language.ts";
import { FIGURES } from "./figures.ts";
import { SIZES, composed } from "./forms.ts";
import { inset } from "./layout.ts";
import { TEXTS } from "./texts.ts";

const KINDS = [...TEXTS, ...TEXTS, ...FIGURES];

type Side = "left" | "right" | "top" | "bottom" | "middle";
const SIDES: readonly Side[] = ["left", "right", "top", "bottom", "middle"];

/** Where a photograph of this size lies on a page: against a side, or anywhere. */
function placed(whole: Box, { width, height }: Pick<Box, "width" | "height">, side: Side, by: Random): Box {
  const [free, below] = [whole.width - width, whole.height - height];
  const x = side === "left" ? 0 : side === "right" ? free : free * by();
  const y = side === "top" ? 0 : side === "bottom" ? below : below * by();
  return { x: whole.x + x, y: whole.y + y, width, height };
}

/** What is left of a page beside a photograph: the larger bands above and below it, or left and right of it. */
function beside(whole: Box, frame: Box): Box[] {
  const right = frame.x + frame.width;
  const bottom = frame.y + frame.height;
  const bands = [
    { ...whole, height: frame.y - whole.y },
    { ...whole, y: bottom, height: whole.y + whole.height - bottom },
    { x: whole.x, y: frame.y, width: frame.x - whole.x, height: frame.height },
    { x: right, y: frame.y, width: whole.x + whole.width - right, height: frame.height },
  ];
  const least = 0.08 * Math.min(whole.width, whole.height);
  return bands.filter(({ width, height }) => Math.min(width, height) > least);
}

/**
 * Posters, cards, slides and previews of links: one photograph is a third to a half of the page, and what else it says
 * is other in every member. `share`: of the page's area.
 */
function largePhotograph(name: string, share: number): Design {
  return {
    name,
    family: "shared-photograph",
    photographs: 1,
    draw: (random): Sheet => {
      const size = pick(random, SIZES);
      const shape = 0.65 + 1.1 * random();
      const side = random() < 0.6 ? pick(random, SIDES) : null;
      const isOneLook = random() < 0.4;
      const look = drawStyle(random);
      const edge = random() < 0.5 ? 0 : 0.03;
      const at = random();
      const member = ({ random: own, photographs }: Filling): string => {
        const [width, height] = side === null ? pick(own, SIZES) : size;
        const style = isOneLook ? look : drawStyle(own);
        const whole = inset({ x: 0, y: 0, width, height }, edge * Math.min(width, height));
        const wide = Math.min(whole.width, whole.height * shape, Math.sqrt(share * width * height * shape));
        const frame = placed(
          whole,
          { width: wide, height: wide / shape },
          side ?? pick(own, SIDES),
          side === null ? own : () => at,
        );
        const says = beside(whole, frame).map((area) => {
          const unit = Math.min(area.height / 3, area.width / 7);
          if (own() < 0.5) {
            return text(style, area.x + unit / 4, area.y + 1.4 * unit, unit, title(own, style.script, 2), {
              bold: true,
              fill: style.accent,
            });
          }
          const piece = composed(area, style, own, { kinds: KINDS, count: between(own, 1, 4) });
          return piece.form + piece.says(own);
        });
        return page(width, height, style.ground, [...says, photograph(photographs[0]!, frame)]);
      };
      return { width: size[0], height: size[1], window: shape, member };
    },
  };
}

/** Two or three photographs beside each other, one of them in all members, on either side. */
function besideAnother(name: string, count: 2 | 3): Design {
  return {
    name,
    family: "shared-photograph",
    photographs: count,
    draw: (random): Sheet => {
      const isAcross = random() < 0.6;
      const shape = 0.7 + 0.7 * random();
      const share = count === 2 ? 0.4 + 0.12 * random() : 0.3 + 0.2 * random();
      const margin = random() < 0.3 ? 0 : 4 + 20 * random();
      const moves = random() < 0.5;
      const isFirst = random() < 0.5;
      const length = 1200;
      const [width, height] = isAcross
        ? [length, (length * share) / shape]
        : [length * share * shape, length];
      const member = ({ random: own, photographs }: Filling): string => {
        const style = drawStyle(own);
        const along = (from: number, to: number): Box =>
          inset(
            isAcross
              ? { x: from * width, y: 0, width: (to - from) * width, height }
              : { x: 0, y: from * height, width, height: (to - from) * height },
            margin / 2,
          );
        const leads = moves ? own() < 0.5 : isFirst;
        const start = leads ? 0 : 1 - share;
        const rest = leads ? share : 0;
        const each = (1 - share) / (count - 1);
        const cells = several(count - 1, (k) => along(rest + k * each, rest + (k + 1) * each));
        return page(width, height, style.ground, [
          photograph(photographs[0]!, along(start, start + share)),
          ...cells.map((cell, k) => photograph(photographs[k + 1]!, cell, `other-${k}`)),
        ]);
      };
      return { width, height, window: null, member };
    },
  };
}

/** Pages of which one photograph is much, and yet not most. */
export const AROUND_LARGE: readonly Design[] = [
  ...several(16, (k) => largePhotograph(`large-photograph-${k}`, 0.3 + 0.014 * k)),
  ...several(4, (k) => besideAnother(`beside-another-${k}`, 2)),
  ...several(3, (k) => besideAnother(`beside-two-${k}`, 3)),
];
