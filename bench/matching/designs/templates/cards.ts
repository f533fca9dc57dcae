import { box, disc, path, rule, shaded, text } from "../drawing.ts";
import { amount, date, digits, person, several, title, word, words } from "../language.ts";
import type { Design } from "../design.ts";
import { template, WIDE, SQUARE, ANY, lines } from "./template.ts";

/** Cards with a on them. */
export const CARDS: readonly Design[] = [
  template("news-card", SQUARE, ({ width, height, unit, style, random }) => ({
    frame: { x: 0, y: 0, width, height: height * 0.58 },
    under: "",
    over:
      box(unit, height * 0.55, 6 * unit, 1.5 * unit, { fill: style.accent }) +
      text(style, 1.4 * unit, height * 0.55 + 1.1 * unit, unit, word(random, style.script), {
        fill: "#fff",
      }) +
      rule(unit, height - 2 * unit, width - unit, height - 2 * unit, style.accent, style.line) +
      text(style, unit, height - 0.7 * unit, 0.9 * unit, `@${word(random, "latin")}`),
    says: (own) => lines(style, own, unit, height * 0.69, 1.2 * unit, 3, 4),
  })),
  template("quote-card", ANY, ({ width, height, unit, style, random }) => ({
    frame: { x: 0, y: 0, width: width * 0.5, height },
    under: text(style, width * 0.54, 5 * unit, 6 * unit, "“", { fill: style.accent }),
    over:
      rule(width * 0.55, height - 4 * unit, width * 0.75, height - 4 * unit, style.accent, 4) +
      text(style, width * 0.55, height - 2 * unit, 0.8 * unit, `@${word(random, "latin")}`),
    says: (own) =>
      lines(style, own, width * 0.55, 6 * unit, unit, 5, 2) +
      text(style, width * 0.55, height - 2.9 * unit, 0.8 * unit, person(own, style.script)),
  })),
  template("press-card", WIDE, ({ width, height, unit, style, random }) => ({
    frame: { x: unit, y: 4 * unit, width: width * 0.3, height: height * 0.62 },
    under:
      box(0, 0, width, 3 * unit, { fill: style.accent }) +
      text(style, unit, 2.1 * unit, 1.6 * unit, title(random, style.script, 2), { fill: "#fff", bold: true }),
    over:
      several(5, (k) =>
        text(style, width * 0.36, (5 + 2.5 * k) * unit, 0.7 * unit, word(random, style.script), {
          fill: style.faint,
        }),
      ).join("") + box(width - 6 * unit, height - 3 * unit, 5 * unit, 2 * unit, { fill: style.second }),
    says: (own) =>
      several(5, (k) =>
        text(
          style,
          width * 0.36,
          (6 + 2.5 * k) * unit,
          unit,
          k === 0 ? person(own, style.script) : digits(own, 7),
        ),
      ).join(""),
  })),
  template("identity-card", WIDE, ({ width, height, unit, style, random }) => ({
    frame: { x: 1.2 * unit, y: 5 * unit, width: 7 * unit, height: 9 * unit },
    under:
      shaded({ x: 0, y: 0, width, height }, style.second, [0.5, 0.1], true) +
      several(14, (k) =>
        path(`M0 ${k * 1.5 * unit}q${width / 4} ${2 * unit} ${width / 2} 0t${width / 2} 0`, {
          stroke: style.accent,
          line: 1,
          opacity: 0.5,
        }),
      ).join("") +
      text(style, unit, 2.6 * unit, 1.5 * unit, title(random, style.script, 3), { bold: true }),
    over: several(4, (k) =>
      text(style, 10 * unit, (5.5 + 2.8 * k) * unit, 0.6 * unit, word(random, style.script)),
    ).join(""),
    says: (own) =>
      several(4, (k) =>
        text(style, 10 * unit, (6.6 + 2.8 * k) * unit, unit, k < 2 ? title(own, style.script, 1) : date(own)),
      ).join("") +
      several(2, (k) =>
        text(
          { ...style, font: "monospace" },
          unit,
          height - (2.4 - 1.3 * k) * unit,
          unit,
          `${word(own, "latin").toUpperCase()}<<${digits(own, 9)}<${digits(own, 7)}`,
        ),
      ).join(""),
  })),
  template("certificate", WIDE, ({ width, height, unit, style, random }) => ({
    frame: { x: width - 9 * unit, y: 4 * unit, width: 6 * unit, height: 7 * unit },
    under:
      box(unit, unit, width - 2 * unit, height - 2 * unit, { stroke: style.accent, line: 10 }) +
      box(1.6 * unit, 1.6 * unit, width - 3.2 * unit, height - 3.2 * unit, {
        stroke: style.second,
        line: 3,
      }) +
      text(style, 3 * unit, 5 * unit, 2 * unit, title(random, style.script, 2), { bold: true }),
    over:
      disc(4.5 * unit, height - 4.5 * unit, 1.8 * unit, { fill: style.accent }) +
      rule(width / 2, height - 4 * unit, width - 3 * unit, height - 4 * unit, style.ink, 2),
    says: (own) =>
      text(style, 3 * unit, 9 * unit, 1.5 * unit, person(own, style.script)) +
      text(style, 3 * unit, 12 * unit, 0.9 * unit, words(own, style.script, 4)),
  })),
  template("product-card", SQUARE, ({ width, height, unit, style, random }) => ({
    frame: { x: 2 * unit, y: 2 * unit, width: width - 4 * unit, height: height * 0.6 },
    under: box(unit, unit, width - 2 * unit, height - 2 * unit, {
      stroke: style.faint,
      line: 3,
      corner: style.corner,
    }),
    over:
      box(2 * unit, height - 3.4 * unit, 6 * unit, 1.8 * unit, { fill: style.accent, corner: style.corner }) +
      text(style, 3 * unit, height - 2.2 * unit, unit, word(random, style.script), { fill: "#fff" }) +
      several(5, (k) =>
        disc(width - (7 - k) * unit, height - 2.5 * unit, 0.35 * unit, { fill: "#f0b020" }),
      ).join(""),
    says: (own) =>
      text(style, 2 * unit, height * 0.6 + 3.3 * unit, unit, title(own, style.script, 3)) +
      text(style, width - 2 * unit, height * 0.6 + 3.3 * unit, 1.2 * unit, amount(own), {
        anchor: "end",
        bold: true,
      }),
  })),
];
