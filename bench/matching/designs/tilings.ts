import { pick } from "@colophon/testing/chance.ts";
import type { Canvas } from "./canvas.ts";
import type { Design } from "./design.ts";
import { box, disc, path, rule, text, tiled } from "./drawing.ts";
import { between, several, title, word } from "./language.ts";
import { overlay } from "./overlay.ts";

const SIZES = [
  [1200, 800],
  [1000, 1000],
  [900, 1200],
  [1024, 768],
  [640, 800],
] as const;

const light = ({ style, random }: Canvas): string =>
  pick(random, ["#ffffff", "#ffffff", "#000000", style.accent]);
const faded = ({ random }: Canvas, drawn: string): string =>
  `<g opacity="${(0.25 + 0.6 * random()).toFixed(2)}">${drawn}</g>`;

/** Grids, tiles and hatching over a photograph: nowhere is there a large part without them. */
export const TILINGS: readonly Design[] = [
  overlay("line-grid", SIZES, (canvas) => {
    const { width, height, unit, random } = canvas;
    const [across, down] = [unit * (0.7 + 3 * random()), unit * (0.7 + 3 * random())];
    const [stroke, line] = [light(canvas), between(random, 1, 6)];
    return tiled(
      [width, height],
      [across, down],
      pick(random, [0, 0, 45, between(random, -40, 40)]),
      faded(canvas, rule(0, 0, across, 0, stroke, line) + rule(0, 0, 0, down, stroke, line)),
    );
  }),
  overlay("hatching", SIZES, (canvas) => {
    const { width, height, unit, random } = canvas;
    const step = unit * (0.4 + 1.6 * random());
    return tiled(
      [width, height],
      [step, step],
      between(random, -70, 70),
      faded(canvas, rule(0, step / 2, step, step / 2, light(canvas), step * (0.08 + 0.25 * random()))),
    );
  }),
  overlay("grid-and-lettering", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const step = unit * (3 + 4 * random());
    const stroke = light(canvas);
    return tiled(
      [width, height],
      [step, step],
      between(random, -45, 45),
      faded(
        canvas,
        rule(0, 0, step, step, stroke, 2) +
          rule(step, 0, 0, step, stroke, 2) +
          text(style, step * 0.1, step * 0.55, step * 0.2, title(random, style.script, 1), {
            fill: stroke,
            bold: true,
          }),
      ),
    );
  }),
  overlay("tiled-boxes", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const step = unit * (2 + 3 * random());
    return tiled(
      [width, height],
      [1.5 * step, step],
      pick(random, [0, -30, 20]),
      faded(
        canvas,
        box(step * 0.15, step * 0.2, step, step * 0.45, {
          stroke: light(canvas),
          line: between(random, 2, 5),
          corner: style.corner,
        }) +
          text(style, step * 0.25, step * 0.5, step * 0.25, word(random, style.script), {
            fill: light(canvas),
          }),
      ),
    );
  }),
  overlay("honeycomb", SIZES, (canvas) => {
    const { width, height, unit, random } = canvas;
    const s = unit * (0.8 + 1.5 * random());
    const h = s * Math.sqrt(3);
    return tiled(
      [width, height],
      [3 * s, h],
      pick(random, [0, 30, 15]),
      faded(
        canvas,
        path(
          `M0 ${h / 2}H${s / 2}L${s} 0H${2 * s}L${2.5 * s} ${h / 2}H${3 * s}M${s / 2} ${h / 2}L${s} ${h}M${2.5 * s} ${h / 2}L${2 * s} ${h}`,
          { stroke: light(canvas), line: between(random, 1, 5) },
        ),
      ),
    );
  }),
  overlay("chequers", SIZES, (canvas) => {
    const { width, height, unit, random } = canvas;
    const s = unit * (0.5 + 1.5 * random());
    const fill = light(canvas);
    const opacity = 0.15 + 0.3 * random();
    return tiled(
      [width, height],
      [2 * s, 2 * s],
      pick(random, [0, 45]),
      box(0, 0, s, s, { fill, opacity }) + box(s, s, s, s, { fill, opacity }),
    );
  }),
  overlay("rings-all-over", SIZES, (canvas) => {
    const { width, height, unit, random } = canvas;
    const s = unit * (1.5 + 2 * random());
    const [stroke, line] = [light(canvas), between(random, 2, 7)];
    return tiled(
      [width, height],
      [2 * s, 2 * s],
      between(random, 0, 45),
      faded(
        canvas,
        several(between(random, 1, 3), (k) => disc(s, s, s * (0.9 - 0.3 * k), { stroke, line })).join(""),
      ),
    );
  }),
];
