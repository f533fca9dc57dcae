import { pick } from "@colophon/testing/chance.ts";
import { box, drawStyle, page, photograph } from "../drawing.ts";
import type { Design, Filling, Sheet } from "../design.ts";
import { between, several } from "../language.ts";
import { FIGURES } from "./figures.ts";
import { SIZES, composed } from "./forms.ts";
import { ornaments } from "./ornaments.ts";
import { TEXTS } from "./texts.ts";

/**
 * A photograph somewhere on a page of pieces, with ornaments about it: every draw is a design of its own. `share`: of
 * the page's sides.
 */
function composedTemplate(name: string, [least, most]: readonly [number, number]): Design {
  return {
    name,
    family: "template",
    photographs: 1,
    draw: (random): Sheet => {
      const [width, height] = pick(random, SIZES);
      const style = drawStyle(random);
      const unit = Math.min(width, height) / 20;
      const side = (): number => least + (most - least) * random();
      const [w, h] = [width * side(), height * side()];
      const frame = {
        x: (width - w) * random(),
        y: (height - h) * random(),
        width: w,
        height: h,
        ...(random() < 0.2 ? { round: true } : {}),
        ...(random() < 0.2 ? { turn: between(random, -12, 12) } : {}),
        corner: random() < 0.5 ? 0 : style.corner,
      };
      const { form, says } = composed({ x: 0, y: 0, width, height }, style, random, {
        kinds: [...TEXTS, ...FIGURES],
        count: between(random, 2, 7),
      });
      const ground = { width, height, style, random, unit };
      const under = random() < 0.4 ? ornaments(ground, 1) : "";
      const edge =
        random() < 0.6
          ? box(frame.x - unit / 3, frame.y - unit / 3, w + unit / 1.5, h + unit / 1.5, {
              fill: pick(random, ["#fff", style.accent, style.second]),
            })
          : "";
      const over = random() < 0.4 ? ornaments(ground, 1) : "";
      const isSame = random() < 0.4;
      const same = isSame ? says(random) : "";
      const member = ({ random: own, photographs }: Filling): string =>
        page(width, height, style.ground, [
          form,
          under,
          isSame ? same : says(own),
          edge,
          photograph(photographs[0]!, frame),
          over,
        ]);
      return { width, height, window: w / h, member };
    },
  };
}

/** From small photographs to such as fill nearly all of the page. */
export const COMPOSED_TEMPLATES: readonly Design[] = several(12, (k) =>
  composedTemplate(`composed-template-${k}`, [0.35 + 0.035 * k, 0.55 + 0.038 * k]),
);
