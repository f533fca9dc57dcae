import { box, disc, path, polyline, rule, shaded, text } from "../drawing.ts";
import { between, clockTime, digits, person, several, title, word, words } from "../language.ts";
import type { Design } from "../design.ts";
import { template, WIDE, TALL, SQUARE, lines, chrome } from "./template.ts";

/** Screens that show a photograph. */
export const PHOTOGRAPHS_ON_SCREENS: readonly Design[] = [
  template("phone", TALL, ({ width, height, unit, style, random }) => ({
    frame: { x: 0, y: 3 * unit, width, height: height * (0.55 + 0.1 * random()) },
    under:
      text(style, unit, 1.2 * unit, 0.9 * unit, clockTime(random)) +
      box(width - 3 * unit, 0.5 * unit, 1.8 * unit, 0.8 * unit, { stroke: style.ink, line: 2 }) +
      text(style, width / 2, 2.4 * unit, unit, title(random, style.script, 1), { anchor: "middle" }),
    over:
      several(5, (k) =>
        disc(((k + 0.5) * width) / 5, height - 1.5 * unit, 0.7 * unit, { stroke: style.ink, line: 3 }),
      ).join("") + rule(0, height - 3 * unit, width, height - 3 * unit, style.faint, 2),
    says: (own) => lines(style, own, unit, height - 4.6 * unit, 0.8 * unit, 1, 4),
  })),
  template("browser", WIDE, (canvas) => {
    const { width, height, unit, style, random } = canvas;
    return {
      frame: { x: unit, y: 3 * unit, width: width * 0.62, height: height - 5 * unit },
      under:
        chrome(canvas) +
        several(9, (k) =>
          box(width * 0.68, (3.2 + 1.8 * k) * unit, width * 0.28, 1.3 * unit, {
            fill: k % 3 ? style.faint : style.accent,
            corner: style.corner / 2,
          }),
        ).join(""),
      over: lines(style, random, width * 0.69, 4.1 * unit, 0.7 * unit, 7, 3),
    };
  }),
  template("viewer-application", WIDE, (canvas) => {
    const { width, height, unit, style, random } = canvas;
    return {
      frame: { x: 4 * unit, y: 3 * unit, width: width - 8 * unit, height: height - 6 * unit },
      under:
        box(0, 0, width, height, { fill: "#26282c" }) +
        chrome(canvas) +
        several(10, (k) =>
          box(0.8 * unit, (3.2 + 1.5 * k) * unit, 1.2 * unit, 1.1 * unit, { stroke: "#aaa", line: 2 }),
        ).join("") +
        several(6, (k) =>
          text(style, width - 3.6 * unit, (4 + 1.6 * k) * unit, 0.7 * unit, words(random, style.script, 1), {
            fill: "#ccc",
          }),
        ).join(""),
      over: text(style, 4 * unit, height - unit, 0.8 * unit, `${digits(random, 4)} x ${digits(random, 4)}`, {
        fill: "#ccc",
      }),
    };
  }),
  template("social-post", TALL, ({ width, height, unit, style, random }) => ({
    frame: { x: 0, y: 3.5 * unit, width, height: width * (0.8 + 0.3 * random()) },
    under:
      disc(2 * unit, 1.8 * unit, 1.1 * unit, { fill: style.accent }) +
      text(style, 3.8 * unit, 2.1 * unit, unit, `${word(random, "latin")}_${digits(random, 2)}`, {
        bold: true,
      }),
    over: several(3, (k) =>
      path(
        `M${(1 + 2.2 * k) * unit} ${height - 5 * unit}q${unit} ${-unit} ${1.4 * unit} 0q0 ${unit} ${-0.7 * unit} ${1.5 * unit}q${-unit} ${-0.5 * unit} ${-0.7 * unit} ${-1.5 * unit}z`,
        { stroke: style.ink, line: 3 },
      ),
    ).join(""),
    says: (own) =>
      text(style, unit, height - 2.4 * unit, 0.8 * unit, digits(own, 4)) +
      lines(style, own, unit, height - 1.2 * unit, 0.8 * unit, 1, 5),
  })),
  template("chat", TALL, ({ width, height, unit, style, random }) => ({
    frame: { x: 2 * unit, y: height * 0.3, width: width * 0.68, height: height * 0.35, corner: style.corner },
    under:
      box(0, 0, width, 2.5 * unit, { fill: style.accent }) +
      text(style, 3 * unit, 1.6 * unit, unit, person(random, style.script), { fill: "#fff" }) +
      box(0, height - 2.5 * unit, width, 2.5 * unit, { fill: style.faint }),
    says: (own) =>
      several(4, (k) => {
        const [x, y] = [
          k % 2 ? width * 0.3 : unit,
          k < 2 ? (3.5 + 3 * k) * unit : height * 0.68 + 3 * (k - 2) * unit,
        ];
        return (
          box(x, y, width * 0.62, 2.2 * unit, { fill: k % 2 ? style.second : style.faint, corner: unit }) +
          text(style, x + 0.6 * unit, y + 1.4 * unit, 0.8 * unit, words(own, style.script, 4))
        );
      }).join(""),
  })),
  template("music-player", SQUARE, ({ width, height, unit, style, random }) => ({
    frame: { x: width * 0.2, y: 1.5 * unit, width: width * 0.6, height: width * 0.6, corner: style.corner },
    under: shaded({ x: 0, y: 0, width, height }, style.accent, [0.2, 0.8]),
    over:
      rule(2 * unit, height - 4 * unit, width - 2 * unit, height - 4 * unit, style.ink, 4) +
      several(3, (k) =>
        path(
          `M${width / 2 + (k - 1) * 4 * unit - unit / 2} ${height - 3 * unit}v${2 * unit}l${1.5 * unit} ${-unit}z`,
          { fill: style.ink },
        ),
      ).join("") +
      text(style, 2 * unit, height - 4.4 * unit, 0.6 * unit, clockTime(random)),
    says: (own) =>
      text(style, width / 2, height - 5.3 * unit, 1.1 * unit, title(own, style.script, 3), {
        anchor: "middle",
        bold: true,
      }),
  })),
  template("weather-card", TALL, ({ width, height, unit, style, random }) => ({
    frame: { x: 0, y: 0, width, height: height * 0.5 },
    under: "",
    over: text(style, width / 2, height * 0.2, 2 * unit, title(random, style.script, 1), {
      anchor: "middle",
      fill: "#fff",
      stroke: "#333",
    }),
    says: (own) =>
      polyline(
        several(12, (k) => [unit + (k * (width - 2 * unit)) / 11, height * 0.62 - own() * 2 * unit] as const),
        style.accent,
        5,
      ) +
      several(
        7,
        (k) =>
          text(style, unit + (k * (width - 2 * unit)) / 7, height * 0.72, unit, `${between(own, -9, 35)}°`) +
          text(style, unit + (k * (width - 2 * unit)) / 7, height * 0.77, 0.7 * unit, clockTime(own)),
      ).join(""),
  })),
];
