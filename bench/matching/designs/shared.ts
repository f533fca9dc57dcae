import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import type { Canvas, Sizes } from "./canvas.ts";
import type { Design, Filling, Sheet } from "./design.ts";
import { type Frame, box, disc, drawStyle, page, photograph, polyline, rule, text } from "./drawing.ts";
import { amount, between, clockTime, date, digits, person, several, title, word, words } from "./language.ts";

/**
 * Pages of other content around one photograph. It shows well under 0.6 of what the page says. `lay` draws a member:
 * what lies around the photograph, from a style of its own.
 */
function pages(
  name: string,
  sizes: Sizes,
  share: readonly [across: number, down: number],
  lay: (canvas: Canvas, frame: Frame) => string,
  others = 0,
): Design {
  return {
    name,
    family: "shared-photograph",
    photographs: 1 + others,
    draw: (random): Sheet => {
      const [width, height] = pick(random, sizes);
      const [across, down] = [share[0] * (0.85 + 0.25 * random()), share[1] * (0.85 + 0.25 * random())];
      const moves = random() < 0.5;
      const style = drawStyle(random);
      const place = (by: Random): Frame => ({
        x: Math.round((width - across * width) * by()),
        y: Math.round((height - down * height) * by()),
        width: across * width,
        height: down * height,
      });
      const fixed = place(random);
      const member = ({ random: own, photographs }: Filling): string => {
        const look = moves ? drawStyle(own) : style;
        const frame = moves ? place(own) : fixed;
        const canvas = { width, height, style: look, random: own, unit: Math.min(width, height) / 25 };
        // In a collage every member has the shared photograph in a place of its own.
        const first = others > 0 ? Math.floor(4 * own()) : 0;
        const cell = (at: number): Frame => ({
          x: 10 + ((at + first) % 2) * (width / 2),
          y: 10 + (Math.floor((at + first) / 2) % 2) * (height / 2),
          width: width / 2 - 20,
          height: height / 2 - 20,
        });
        const rest = photographs.slice(1).map((href, k) => photograph(href, cell(k + 1), `other-${k}`));
        const main = others > 0 ? cell(0) : frame;
        return page(width, height, look.ground, [
          lay(canvas, main),
          ...rest,
          photograph(photographs[0]!, main),
        ]);
      };
      return { width, height, window: (across * width) / (down * height), member };
    },
  };
}

const WIDE = [
  [1280, 800],
  [1200, 900],
] as const;
const TALL = [
  [850, 1200],
  [1000, 1414],
] as const;
const SQUARE = [
  [1100, 1100],
  [1000, 950],
] as const;

/** Where the `at`-th cell of a grid over the whole page begins. */
function cellAt(
  { width, height }: Canvas,
  at: number,
  columns: number,
  rows: number,
): readonly [number, number] {
  return [((at % columns) * width) / columns, (Math.floor(at / columns) * height) / rows];
}

/** Rows of words over the whole page. */
const prose = ({ width, height, style, random, unit }: Canvas, columns: number, size: number): string =>
  several(columns, (c) =>
    several(Math.floor(height / (1.6 * size)) - 1, (k) =>
      text(
        style,
        unit / 2 + (c * width) / columns,
        (k + 1) * 1.6 * size,
        size,
        words(random, style.script, Math.max(2, Math.round(width / columns / size / 4))),
      ),
    ).join(""),
  ).join("");

export const SHARED: readonly Design[] = [
  pages("article", TALL, [0.55, 0.3], (canvas) => prose(canvas, 1, canvas.unit * 0.8)),
  pages(
    "newspaper",
    TALL,
    [0.5, 0.3],
    (canvas) =>
      prose(canvas, 3, canvas.unit * 0.55) +
      box(0, 0, canvas.width, 3 * canvas.unit, { fill: canvas.style.accent }),
  ),
  pages("catalogue", SQUARE, [0.45, 0.45], (canvas) => {
    const { width, height, style, random, unit } = canvas;
    return several(9, (k) => {
      const [x, y] = cellAt(canvas, k, 3, 3);
      return (
        box(x + 8, y + 8, width / 3 - 16, height / 3 - 16, { stroke: style.faint, line: 3 }) +
        text(style, x + 20, y + 2 * unit, unit, title(random, style.script, 1)) +
        text(style, x + 20, y + 4 * unit, 1.4 * unit, amount(random), { fill: style.accent }) +
        disc(x + width / 5, y + height / 5, unit * (1 + random()), { fill: style.second })
      );
    }).join("");
  }),
  pages("feed", TALL, [0.8, 0.3], ({ height, style, random, unit }) =>
    several(
      5,
      (k) =>
        disc(2 * unit, (k * height) / 5 + 1.6 * unit, unit, { fill: style.accent }) +
        text(style, 4 * unit, (k * height) / 5 + 1.8 * unit, unit, person(random, style.script), {
          bold: true,
        }) +
        several(4, (l) =>
          text(
            style,
            unit,
            (k * height) / 5 + (4 + 1.3 * l) * unit,
            0.8 * unit,
            words(random, style.script, 8),
          ),
        ).join(""),
    ).join(""),
  ),
  pages(
    "slide-deck",
    WIDE,
    [0.4, 0.5],
    ({ width, style, random, unit }) =>
      box(0, 0, width, 3.5 * unit, { fill: style.accent }) +
      text(style, unit, 2.5 * unit, 2 * unit, title(random, style.script, 3), { fill: "#fff" }) +
      several(
        10,
        (k) =>
          disc(1.5 * unit, (5.7 + 2 * k) * unit, 0.3 * unit, { fill: style.ink }) +
          text(style, 2.5 * unit, (6 + 2 * k) * unit, 1.1 * unit, words(random, style.script, 8)),
      ).join(""),
  ),
  pages("desktop", WIDE, [0.4, 0.45], ({ width, height, style, random, unit }) =>
    several(4, () => {
      const [x, y] = [width * 0.6 * random(), height * 0.6 * random()];
      return (
        box(x, y, width * 0.4, height * 0.4, { fill: style.ground, stroke: style.ink, line: 2 }) +
        box(x, y, width * 0.4, 1.4 * unit, { fill: style.accent }) +
        several(6, (k) =>
          text(style, x + unit, y + (3 + 1.2 * k) * unit, 0.8 * unit, words(random, style.script, 5)),
        ).join("")
      );
    }).join(""),
  ),
  pages("messages", TALL, [0.6, 0.3], ({ width, height, style, random, unit }) =>
    several(Math.floor(height / (2.6 * unit)), (k) => {
      const right = random() < 0.5;
      return (
        box(right ? width * 0.3 : unit, 2.6 * k * unit, width * 0.65, 2.1 * unit, {
          fill: right ? style.second : style.faint,
          corner: unit,
        }) +
        text(
          style,
          (right ? width * 0.3 : unit) + unit / 2,
          (2.6 * k + 1.4) * unit,
          0.9 * unit,
          words(random, style.script, 5),
        )
      );
    }).join(""),
  ),
  pages("dashboard", WIDE, [0.4, 0.4], (canvas) => {
    const { width, height, style, random, unit } = canvas;
    return several(12, (k) => {
      const [x, y] = cellAt(canvas, k, 4, 3);
      const edge = { stroke: style.faint, line: 2, corner: style.corner };
      return (
        box(x + 6, y + 6, width / 4 - 12, height / 3 - 12, edge) +
        text(style, x + unit, y + 2 * unit, 0.9 * unit, title(random, style.script, 1)) +
        polyline(
          several(8, (p) => [x + unit + p * unit, y + (3 + 3 * random()) * unit] as const),
          style.accent,
          4,
        )
      );
    }).join("");
  }),
  pages(
    "flyer",
    TALL,
    [0.6, 0.4],
    ({ width, height, style, random, unit }) =>
      several(30, () =>
        disc(width * random(), height * random(), unit * (0.5 + 2 * random()), {
          fill: pick(random, [style.accent, style.second, style.faint]),
        }),
      ).join("") +
      several(8, (k) =>
        text(
          style,
          width * 0.05,
          ((k + 1) * height) / 9,
          (1 + 1.5 * random()) * unit,
          title(random, style.script, 3),
          { bold: true },
        ),
      ).join(""),
  ),
  pages(
    "report",
    TALL,
    [0.6, 0.3],
    (canvas) =>
      prose(canvas, 2, canvas.unit * 0.6) +
      several(6, (k) =>
        rule(0, (k * canvas.height) / 6, canvas.width, (k * canvas.height) / 6, canvas.style.accent, 3),
      ).join(""),
  ),
  pages("timetable-page", WIDE, [0.35, 0.45], ({ width, height, style, random, unit }) =>
    several(120, (k) =>
      text(
        style,
        unit / 2 + ((k % 8) * width) / 8,
        (1 + Math.floor(k / 8)) * (height / 16),
        0.9 * unit,
        k % 8 ? clockTime(random) : word(random, style.script),
      ),
    ).join(""),
  ),
  pages("wanted-list", SQUARE, [0.4, 0.4], ({ width, height, style, random, unit }) =>
    several(
      14,
      (k) =>
        box(unit / 2, (k * height) / 14, width - unit, height / 14 - 6, {
          fill: k % 2 ? style.faint : style.ground,
        }) +
        text(
          style,
          unit,
          ((k + 0.65) * height) / 14,
          unit,
          `${person(random, style.script)}   ${date(random)}   ${digits(random, 6)}   ${amount(random)}`,
        ),
    ).join(""),
  ),
  pages("collage-of-four", SQUARE, [0.45, 0.45], () => "", 3),
  pages("collage-of-three", WIDE, [0.45, 0.45], () => "", 2),
  pages(
    "contact-sheet",
    SQUARE,
    [0.45, 0.45],
    ({ width, style, random, unit }) =>
      text(style, width / 2, unit, 0.9 * unit, `${digits(random, 6)} ${between(random, 1, 99)}`, {
        anchor: "middle",
      }),
    3,
  ),
];
