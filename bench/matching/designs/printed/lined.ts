import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { type Box, box, disc, path, text } from "../drawing.ts";
import {
  amount,
  between,
  clockTime,
  date,
  digits,
  person,
  several,
  title,
  word,
  words,
} from "../language.ts";
import { type Form, SQUARE, TALL, WIDE, printed } from "./form.ts";
import { LINES } from "./lines.ts";

const ACROSS = [
  [1012, 638],
  [1200, 560],
  [1300, 760],
] as const;

const SKINS = ["#f1d3bd", "#d9a784", "#a8714c", "#6f4630", "#c9c9c9"] as const;

/** Somebody's head and shoulders, drawn. */
function portrait(own: Random, { x, y, width, height }: Box): string {
  const [skin, hair] = [pick(own, SKINS), pick(own, ["#1d1713", "#5a3a1e", "#b98b4a", "#8d8d8d", "#7a2f1c"])];
  const [middle, head] = [x + width * (0.42 + 0.16 * own()), width * (0.17 + 0.07 * own())];
  const chin = y + height * (0.5 + 0.1 * own());
  const coat = `hsl(${between(own, 0, 359)},${between(own, 5, 60)}%,${between(own, 15, 70)}%)`;
  const down = y + height;
  return (
    box(x, y, width, height, { fill: `hsl(${between(own, 0, 359)},15%,${between(own, 55, 92)}%)` }) +
    path(
      `M${x + 0.04 * width} ${down}q${0.04 * width} ${-0.3 * height} ${0.36 * width} ${-0.32 * height}h${0.2 * width}q${0.32 * width} ${0.02 * height} ${0.36 * width} ${0.32 * height}z`,
      { fill: coat },
    ) +
    disc(middle, chin - 1.1 * head, head * (1.15 + 0.2 * own()), { fill: hair }) +
    path(`M${middle - 0.4 * head} ${chin - head}h${0.8 * head}v${1.7 * head}h${-0.8 * head}z`, {
      fill: skin,
    }) +
    `<ellipse cx="${middle}" cy="${chin - 0.8 * head}" rx="${0.85 * head}" ry="${1.15 * head}" fill="${skin}"/>` +
    several(2, (k) =>
      disc(middle + (k ? 0.32 : -0.32) * head, chin - 0.95 * head, 0.09 * head, { fill: "#222" }),
    ).join("") +
    path(`M${middle - 0.3 * head} ${chin - 0.3 * head}q${0.3 * head} ${0.3 * own() * head} ${0.6 * head} 0`, {
      stroke: "#733",
      line: 2,
    })
  );
}

const SAID: readonly ((own: Random) => string)[] = [
  date,
  clockTime,
  amount,
  (own) => digits(own, between(own, 3, 9)),
  (own) => person(own, "latin"),
  (own) => `${word(own, "latin").slice(0, 2).toUpperCase()} ${digits(own, 6)}`,
];

/** What is filled in, on a plate of its own or right on the lines. */
function fields(canvas: Canvas, { x, y, width, height }: Box, columns: number, rows: number): Form {
  const { random, style, unit } = canvas;
  const size = Math.min(unit * (1 + 0.7 * random()), (0.5 * height) / rows, (0.09 * width) / columns);
  const onPlates = random() < 0.3;
  const places = several(columns * rows, (k) => ({
    at: x + ((k % columns) * width) / columns,
    down: y + (Math.floor(k / columns) * height) / rows,
    label: word(random, style.script),
    says: pick(random, SAID),
  }));
  return {
    form: places
      .map(({ at, down, label }) => {
        const plate = box(at, down + 0.8 * size, (0.9 * width) / columns, 1.5 * size, { fill: style.ground });
        const named = text(style, at, down + 0.6 * size, 0.6 * size, label, { fill: style.accent });
        return named + (onPlates ? plate : "");
      })
      .join(""),
    says: (own) =>
      places
        .map(({ at, down, says }) =>
          text(style, at + 0.1 * size, down + 2 * size, size, says(own), { bold: true }),
        )
        .join(""),
  };
}

/** A card with somebody's portrait, left or right, and what is said of them. */
function card(canvas: Canvas): Form {
  const { width, height, unit, random, style } = canvas;
  const isLeft = random() < 0.7;
  const [wide, tall] = [width * (0.2 + 0.12 * random()), height * (0.42 + 0.2 * random())];
  const shown = {
    x: isLeft ? 1.5 * unit : width - 1.5 * unit - wide,
    y: height - tall - unit * (1 + 3 * random()),
    width: wide,
    height: tall,
  };
  const beside = {
    x: isLeft ? wide + 3 * unit : 1.5 * unit,
    y: height * 0.3,
    width: width - wide - 5 * unit,
    height: height * 0.62,
  };
  const { form, says } = fields(canvas, beside, between(random, 1, 2), between(random, 3, 5));
  return {
    form:
      (random() < 0.5 ? box(0, 0, width, 0.2 * height, { fill: style.accent }) : "") +
      text(style, 1.5 * unit, 0.14 * height, 2 * unit, title(random, style.script, 2), { bold: true }) +
      form,
    says: (own) => portrait(own, shown) + says(own),
  };
}

/** A paper with a heading, some lines and fields. */
function paper(canvas: Canvas): Form {
  const { width, height, unit, random, style } = canvas;
  const middle = { anchor: "middle" } as const;
  const top = height * (0.34 + 0.2 * random());
  const { form, says } = fields(
    canvas,
    { x: 2 * unit, y: top, width: width - 4 * unit, height: (height - top) * 0.85 },
    between(random, 1, 3),
    between(random, 1, 4),
  );
  const said = text(
    style,
    width / 2,
    0.17 * height,
    unit * (2 + 1.5 * random()),
    title(random, style.script, 2),
    {
      ...middle,
      bold: true,
      fill: style.accent,
    },
  );
  return {
    form:
      box(unit / 2, unit / 2, width - unit, height - unit, { stroke: style.ink, line: style.line }) +
      said +
      text(style, width / 2, 0.26 * height, 0.9 * unit, words(random, style.script, 6), middle) +
      form,
    says: (own) =>
      says(own) + text(style, width - 1.2 * unit, 2 * unit, 1.2 * unit, digits(own, 7), { anchor: "end" }),
  };
}

/** Cards and papers on fine lines that cover all of them and nowhere repeat. */
export const LINED: readonly Design[] = Object.entries(LINES).flatMap(([kind, lines]) => {
  const on =
    (lay: (canvas: Canvas) => Form) =>
    (canvas: Canvas): Form => {
      const ground = lines(canvas);
      const { form, says } = lay(canvas);
      return { form: ground + form, says };
    };
  return [
    printed(`${kind}-lines-card`, ACROSS, on(card)),
    printed(`${kind}-lines-paper`, [...WIDE, ...TALL, ...SQUARE], on(paper)),
  ];
});
