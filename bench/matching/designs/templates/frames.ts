import { pick } from "@colophon/testing/chance.ts";
import { box, disc, path, rule, text, tiled } from "../drawing.ts";
import { between, digits, several, title, word } from "../language.ts";
import type { Design } from "../design.ts";
import { template, WIDE, SQUARE, ANY } from "./template.ts";

/** Frames about a photograph. */
export const FRAMES: readonly Design[] = [
  template("instant-film", SQUARE, ({ width, height, unit, style, random }) => ({
    frame: { x: 1.5 * unit, y: 1.5 * unit, width: width - 3 * unit, height: height - 5.5 * unit },
    under: box(0.4 * unit, 0.4 * unit, width - 0.8 * unit, height - 0.8 * unit, {
      fill: "#fbfaf4",
      stroke: style.faint,
      line: 2,
    }),
    over: text(style, width / 2, height - 1.6 * unit, 1.4 * unit, title(random, style.script, 2), {
      anchor: "middle",
      fill: "#303030",
    }),
  })),
  template("tilted-print", ANY, ({ width, height, unit, style, random }) => {
    const turn = between(random, -9, 9);
    const [x, y] = [width * 0.17, height * 0.17];
    const [w, h] = [width * 0.66, height * 0.62];
    return {
      frame: { x, y, width: w, height: h, turn },
      under:
        tiled([width, height], [unit, unit], 45, disc(unit / 2, unit / 2, unit / 5, { fill: style.faint })) +
        `<g transform="rotate(${turn} ${x + w / 2} ${y + h / 2})">${box(x - unit, y - unit, w + 2 * unit, h + 3 * unit, { fill: "#fff", stroke: "#888", line: 2 })}</g>`,
    };
  }),
  template("passe-partout", ANY, ({ width, height, unit, style, random }) => {
    const inset = unit * (3 + 2 * random());
    return {
      frame: { x: inset, y: inset, width: width - 2 * inset, height: height - 2 * inset },
      under:
        box(unit / 2, unit / 2, width - unit, height - unit, { stroke: style.accent, line: unit * 0.8 }) +
        box(inset - unit / 2, inset - unit / 2, width - 2 * inset + unit, height - 2 * inset + unit, {
          stroke: style.ink,
          line: style.line,
        }),
    };
  }),
  template("oval-locket", ANY, ({ width, height, unit, style, random }) => ({
    frame: { x: 3 * unit, y: 3 * unit, width: width - 6 * unit, height: height - 6 * unit, round: true },
    under:
      tiled(
        [width, height],
        [2 * unit, 2 * unit],
        30,
        path(`M0 ${unit}q${unit / 2} ${-unit} ${unit} 0t${unit} 0`, { stroke: style.faint, line: 2 }),
      ) +
      `<ellipse cx="${width / 2}" cy="${height / 2}" rx="${width / 2 - 2.3 * unit}" ry="${height / 2 - 2.3 * unit}" fill="${style.accent}" opacity="${0.6 + 0.4 * random()}"/>`,
  })),
  template("postage-stamp", ANY, ({ width, height, unit, style, random }) => ({
    frame: { x: 2 * unit, y: 2 * unit, width: width - 4 * unit, height: height - 4 * unit },
    under:
      box(unit, unit, width - 2 * unit, height - 2 * unit, { fill: "#fffdf6" }) +
      several(
        40,
        (k) =>
          disc((k * width) / 39, unit, unit / 3, { fill: style.ground }) +
          disc((k * width) / 39, height - unit, unit / 3, { fill: style.ground }),
      ).join(""),
    over:
      text(style, width - 3 * unit, 4.5 * unit, 2.2 * unit, digits(random, 2), {
        anchor: "end",
        fill: "#fff",
        stroke: "#000",
      }) +
      (random() < 0.5
        ? disc(5 * unit, height - 5 * unit, 3 * unit, { stroke: style.ink, line: 4, opacity: 0.7 })
        : ""),
  })),
  template("film-strip", WIDE, ({ width, height, unit, style, random }) => ({
    frame: { x: width * 0.1, y: 3 * unit, width: width * 0.8, height: height - 6 * unit },
    under:
      box(0, 0, width, height, { fill: "#151515" }) +
      several(
        24,
        (k) =>
          box((k * width) / 24 + 6, unit, width / 40, unit, { fill: "#eee", corner: 5 }) +
          box((k * width) / 24 + 6, height - 2 * unit, width / 40, unit, { fill: "#eee", corner: 5 }),
      ).join("") +
      text(
        style,
        width * 0.3,
        2.8 * unit,
        0.7 * unit,
        `${digits(random, 2)}A  ${word(random, "latin").toUpperCase()} ${digits(random, 3)}`,
        { fill: "#f0a020" },
      ),
  })),
  template("television-set", SQUARE, ({ width, height, unit, style, random }) => ({
    frame: {
      x: 2.5 * unit,
      y: 4 * unit,
      width: width - 8 * unit,
      height: height - 8 * unit,
      corner: 2 * unit,
    },
    under:
      box(unit, 2.5 * unit, width - 2 * unit, height - 5 * unit, { fill: style.accent, corner: unit }) +
      box(2.2 * unit, 3.7 * unit, width - 7.4 * unit, height - 7.4 * unit, {
        fill: "#222",
        corner: 2 * unit,
      }) +
      several(3, (k) =>
        disc(width - 3.2 * unit, (6 + 2.6 * k) * unit, unit * 0.8, {
          fill: style.second,
          stroke: "#111",
          line: 3,
        }),
      ).join("") +
      rule(width / 2, 2.5 * unit, width * (0.3 + 0.1 * random()), 0, "#333", 5),
  })),
  template("bordered-collage", SQUARE, ({ width, height, unit, style, random }) => {
    const cell = (width - 3 * unit) / 2;
    return {
      frame: { x: unit, y: unit, width: cell, height: height - 2 * unit },
      under:
        several(3, (k) =>
          box(cell + 2 * unit, unit + (k * (height - unit)) / 3, cell, (height - 4 * unit) / 3, {
            fill: [style.accent, style.second, style.faint][k]!,
          }),
        ).join("") +
        several(8, () =>
          disc(cell + 2 * unit + cell * random(), height * random(), unit, { fill: style.ink }),
        ).join(""),
      over: text(style, cell + 3 * unit, 4 * unit, 1.3 * unit, title(random, style.script, 2)),
    };
  }),
  template("before-and-after", WIDE, ({ width, height, unit, style, random }) => ({
    frame: { x: 0, y: 2 * unit, width: width / 2 - 3, height: height - 4 * unit },
    under:
      tiled(
        [width, height],
        [2 * unit, 2 * unit],
        20,
        disc(unit, unit, unit * (0.3 + 0.4 * random()), { fill: style.second }),
      ) + box(0, 0, width, 2 * unit, { fill: style.accent }),
    over:
      text(style, 2 * unit, 1.4 * unit, 1.2 * unit, word(random, style.script), { fill: "#fff" }) +
      text(style, width / 2 + 2 * unit, 1.4 * unit, 1.2 * unit, word(random, style.script), {
        fill: "#fff",
      }) +
      rule(width / 2, 0, width / 2, height, "#fff", 6),
  })),
  template("greeting-card", ANY, ({ width, height, unit, style, random }) => ({
    frame: {
      x: width * 0.25,
      y: height * 0.25,
      width: width * 0.5,
      height: height * 0.42,
      round: random() < 0.5,
    },
    under: several(60, () =>
      path(
        `M${(width * random()).toFixed(0)} ${(height * random()).toFixed(0)}q${unit} ${-unit} ${1.5 * unit} ${unit / 2}q${-unit} ${unit} ${-1.5 * unit} ${-unit / 2}z`,
        { fill: pick(random, [style.accent, style.second]), opacity: 0.8 },
      ),
    ).join(""),
    over: text(style, width / 2, height * 0.84, 2 * unit, title(random, style.script, 2), {
      anchor: "middle",
      bold: true,
      stroke: style.ground,
    }),
  })),
];
