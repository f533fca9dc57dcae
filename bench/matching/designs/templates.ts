import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import type { Design, Filling, Sheet } from "./design.ts";
import {
  type Frame,
  type Style,
  box,
  disc,
  drawStyle,
  page,
  path,
  photograph,
  polyline,
  rule,
  shaded,
  text,
  tiled,
} from "./drawing.ts";
import { amount, between, clockTime, date, digits, person, several, title, word, words } from "./language.ts";

interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly style: Style;
  /** What the template draws once. */
  readonly random: Random;
  readonly unit: number;
}

/** What lies under and over the photograph; `says` draws what each member says, and nothing where all say the same. */
interface Laid {
  readonly frame: Frame;
  readonly under: string;
  readonly over?: string;
  readonly says?: (random: Random) => string;
}

/** A design whose members are photographs in one template. */
function template(
  name: string,
  sizes: readonly (readonly [number, number])[],
  lay: (canvas: Canvas) => Laid,
): Design {
  return {
    name,
    family: "template",
    photographs: 1,
    draw: (random): Sheet => {
      const [width, height] = pick(random, sizes);
      const style = drawStyle(random);
      const {
        frame,
        under,
        over = "",
        says,
      } = lay({
        width,
        height,
        style,
        random,
        unit: Math.min(width, height) / 20,
      });
      const member = ({ random: own, photographs }: Filling): string =>
        page(width, height, style.ground, [
          under,
          photograph(photographs[0]!, frame),
          over,
          says === undefined ? "" : says(own),
        ]);
      return { width, height, window: frame.width / frame.height, member };
    },
  };
}

const WIDE = [
  [1280, 800],
  [1200, 750],
  [1366, 768],
] as const;
const TALL = [
  [800, 1200],
  [1080, 1500],
  [900, 1300],
] as const;
const SQUARE = [
  [1000, 1000],
  [1080, 1080],
  [900, 1000],
] as const;
const ANY = [...WIDE, ...TALL, ...SQUARE] as const;

/** Rows of words, as wide as they come. */
const lines = (
  style: Style,
  random: Random,
  x: number,
  y: number,
  size: number,
  count: number,
  long: number,
): string =>
  several(count, (k) => text(style, x, y + 1.5 * size * k, size, words(random, style.script, long))).join("");

/** A screen's window with its bar and buttons. */
const chrome = ({ width, unit, style, random }: Canvas): string =>
  box(0, 0, width, 2.2 * unit, { fill: style.faint }) +
  several(3, (k) =>
    disc((0.9 + 0.9 * k) * unit, 1.1 * unit, 0.3 * unit, {
      fill: pick(random, ["#f05050", "#f0c040", "#50c050"]),
    }),
  ).join("") +
  box(5 * unit, 0.5 * unit, width * 0.5, 1.2 * unit, { fill: style.ground, corner: unit / 2 }) +
  text(
    style,
    5.5 * unit,
    1.4 * unit,
    0.8 * unit,
    `${word(random, "latin")}.example/${word(random, "latin")}`,
  );

export const TEMPLATES: readonly Design[] = [
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
];
