import { box, disc, shaded, text, tiled } from "../drawing.ts";
import { between, clockTime, date, digits, several, title, word, words } from "../language.ts";
import type { Design } from "../design.ts";
import { template, WIDE, TALL, lines } from "./template.ts";

/** Pages laid out about a photograph. */
export const PHOTOGRAPHS_ON_PAGES: readonly Design[] = [
  template("slide", WIDE, ({ width, height, unit, style, random }) => ({
    frame: { x: width * 0.52, y: 4 * unit, width: width * 0.44, height: height - 7 * unit },
    under:
      box(0, 0, width, 3 * unit, { fill: style.accent }) +
      text(style, unit, 2.1 * unit, 1.5 * unit, title(random, style.script, 3), { fill: "#fff" }) +
      box(0, height - 1.4 * unit, width, 1.4 * unit, { fill: style.second }),
    says: (own) =>
      several(
        5,
        (k) =>
          disc(1.5 * unit, (5.6 + 2.4 * k) * unit, 0.25 * unit, { fill: style.ink }) +
          text(style, 2.2 * unit, (6 + 2.4 * k) * unit, 0.9 * unit, words(own, style.script, 3)),
      ).join(""),
  })),
  template("magazine-cover", TALL, ({ width, height, unit, style, random }) => ({
    frame: { x: 0, y: 0, width, height },
    under: "",
    over:
      text(style, width / 2, 4 * unit, 4 * unit, title(random, style.script, 1).toUpperCase(), {
        anchor: "middle",
        bold: true,
        fill: style.accent,
      }) +
      box(unit, height - 3.5 * unit, 5 * unit, 2.5 * unit, { fill: "#fff" }) +
      several(22, (k) =>
        box((1.3 + 0.2 * k) * unit, height - 3.2 * unit, unit * 0.1 * (1 + (k % 3) / 2), 1.9 * unit, {
          fill: "#000",
        }),
      ).join(""),
    says: (own) =>
      several(4, (k) =>
        text(style, k % 2 ? width - unit : unit, (8 + 2.5 * k) * unit, unit, words(own, style.script, 3), {
          anchor: k % 2 ? "end" : "start",
          fill: "#fff",
          stroke: "#222",
        }),
      ).join(""),
  })),
  template("poster", TALL, ({ width, height, unit, style, random }) => ({
    frame: {
      x: width * 0.15,
      y: height * 0.25,
      width: width * 0.7,
      height: height * 0.45,
      round: random() < 0.3,
    },
    under:
      shaded({ x: 0, y: 0, width, height }, style.accent, [0.9, 0.2]) +
      text(style, width / 2, 4 * unit, 2.6 * unit, title(random, style.script, 2), {
        anchor: "middle",
        bold: true,
      }) +
      several(7, (k) =>
        disc(width * random(), height * random(), unit * (1 + k / 3), { stroke: style.second, line: 4 }),
      ).join(""),
    over: lines(style, random, 2 * unit, height - 6 * unit, unit, 2, 4),
    says: (own) =>
      text(style, width / 2, height - 2 * unit, 1.5 * unit, `${date(own)} ${clockTime(own)}`, {
        anchor: "middle",
      }),
  })),
  template("estate-listing", TALL, ({ width, height, unit, style, random }) => ({
    frame: { x: unit, y: 3.5 * unit, width: width - 2 * unit, height: height * 0.42 },
    under: text(style, unit, 2.3 * unit, 1.4 * unit, title(random, style.script, 2), {
      bold: true,
      fill: style.accent,
    }),
    over: several(
      4,
      (k) =>
        box(unit + k * ((width - 2 * unit) / 4), height * 0.62, (width - 2 * unit) / 4 - 8, 3 * unit, {
          stroke: style.faint,
          line: 3,
        }) +
        text(
          style,
          1.3 * unit + k * ((width - 2 * unit) / 4),
          height * 0.62 + unit,
          0.6 * unit,
          word(random, style.script),
        ),
    ).join(""),
    says: (own) =>
      several(4, (k) =>
        text(
          style,
          1.3 * unit + k * ((width - 2 * unit) / 4),
          height * 0.62 + 2.3 * unit,
          unit,
          digits(own, 3),
        ),
      ).join("") + lines(style, own, unit, height * 0.78, 0.8 * unit, 5, 6),
  })),
  template("recipe", TALL, ({ width, height, unit, style, random }) => ({
    frame: { x: width * 0.5, y: unit, width: width * 0.46, height: width * 0.46, corner: style.corner },
    under:
      tiled([width, height], [unit, unit], 0, box(0, 0, unit, 1, { fill: style.faint })) +
      text(style, unit, 3 * unit, 1.5 * unit, title(random, style.script, 1), { bold: true }),
    says: (own) =>
      several(6, (k) =>
        text(
          style,
          unit,
          (5 + 1.3 * k) * unit,
          0.8 * unit,
          `${between(own, 1, 500)} g ${word(own, style.script)}`,
        ),
      ).join("") + lines(style, own, unit, height * 0.55, 0.8 * unit, 9, 6),
  })),
];
