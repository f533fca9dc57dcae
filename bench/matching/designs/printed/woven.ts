import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { type Box, box, disc, path, rule, text } from "../drawing.ts";
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
import { TALL, printed } from "./form.ts";
import { crossed, rose, woven } from "./weaving.ts";

const ACROSS = [
  [1240, 620],
  [1180, 560],
  [1000, 640],
  [1300, 720],
] as const;

function frame({ width, height, unit, random, style }: Canvas): string {
  const by = unit * (0.4 + 0.8 * random());
  const whole = { stroke: style.accent, line: unit * (0.1 + 0.4 * random()), corner: style.corner };
  return (
    box(by, by, width - 2 * by, height - 2 * by, whole) +
    box(2 * by, 2 * by, width - 4 * by, height - 4 * by, { stroke: style.ink, line: 1 })
  );
}

function bars({ style }: Canvas, own: Random, { x, y, width, height }: Box): string {
  const drawn: string[] = [];
  for (let at = x; at < x + width; ) {
    const thick = 1.5 + 4 * own();
    drawn.push(box(at, y, thick, height, { fill: style.ink }));
    at += thick + 1.5 + 3 * own();
  }
  return drawn.join("");
}

/** A label of the sheet, and what each says under it. */
const field = (
  { style, unit }: Canvas,
  x: number,
  y: number,
  label: string,
  said: (own: Random) => string,
): readonly [string, (own: Random) => string] => [
  text(style, x, y, 0.7 * unit, label, { fill: style.accent }),
  (own) => text(style, x, y + 1.5 * unit, 1.3 * unit, said(own), { bold: true }),
];

const SAID: readonly ((own: Random) => string)[] = [
  date,
  clockTime,
  (own) => digits(own, between(own, 3, 7)),
  (own) => `${word(own, "latin").charAt(0).toUpperCase()} ${between(own, 1, 60)}`,
  (own) => person(own, "latin"),
  amount,
];

/** A sheet on woven lines with some fields in a grid. */
function withFields(
  canvas: Canvas,
  columns: number,
  down: number,
  { x, y, width, height }: Box,
): readonly [string, (own: Random) => string] {
  const { random, style } = canvas;
  const made = several(columns * down, (k) =>
    field(
      canvas,
      x + ((k % columns) * width) / columns,
      y + (Math.floor(k / columns) * height) / down,
      word(random, style.script),
      pick(random, SAID),
    ),
  );
  return [made.map(([label]) => label).join(""), (own) => made.map(([, said]) => said(own)).join("")];
}

const middle = { anchor: "middle" } as const;

/** Tickets, notes, vouchers and certificates on fine woven lines, with numbers, names and dates of each one's own. */
export const WOVEN: readonly Design[] = [
  printed("woven-ticket", ACROSS, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const stub = width * (0.7 + 0.12 * random());
    const [labels, said] = withFields(canvas, 2, between(random, 2, 3), {
      x: 2 * unit,
      y: 0.4 * height,
      width: 0.6 * width,
      height: 0.5 * height,
    });
    return {
      form:
        woven(canvas) +
        frame(canvas) +
        path(`M${stub} 0V${height}`, { stroke: style.ink, line: 2 }) +
        text(style, 2 * unit, 0.24 * height, 2.4 * unit, title(random, style.script, 2), {
          fill: style.accent,
          bold: true,
        }) +
        text(style, 2 * unit, 0.32 * height, 0.8 * unit, words(random, style.script, 5)) +
        labels,
      says: (own) =>
        said(own) +
        bars(canvas, own, {
          x: stub + unit,
          y: 0.15 * height,
          width: width - stub - 3 * unit,
          height: 0.4 * height,
        }) +
        text(style, stub + unit, 0.7 * height, unit, digits(own, 8)),
    };
  }),
  printed("gift-voucher", ACROSS, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    return {
      form:
        woven(canvas) +
        frame(canvas) +
        text(style, width / 2, 0.3 * height, 3.4 * unit, title(random, style.script, 1), {
          ...middle,
          fill: style.accent,
          bold: true,
        }) +
        several(3, (k) =>
          rule(3 * unit, (0.6 + 0.12 * k) * height, 0.55 * width, (0.6 + 0.12 * k) * height, style.ink, 1.5),
        ).join("") +
        text(style, width / 2, 0.4 * height, unit, words(random, style.script, 6), middle),
      says: (own) =>
        text(style, 0.78 * width, 0.72 * height, 3.6 * unit, `${between(own, 1, 40) * 5}`, {
          ...middle,
          bold: true,
        }) +
        several(3, (k) =>
          text(
            style,
            3.2 * unit,
            (0.59 + 0.12 * k) * height,
            1.1 * unit,
            k ? date(own) : person(own, "latin"),
          ),
        ).join("") +
        text(style, 0.78 * width, 0.86 * height, 0.9 * unit, `${digits(own, 4)}-${digits(own, 4)}`, middle),
    };
  }),
  printed("bank-note", ACROSS, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const [x, worth] = [
      width * pick(random, [0.25, 0.7, 0.78]),
      `${pick(random, [1, 2, 5])}${"0".repeat(between(random, 0, 4))}`,
    ];
    const face =
      rose(random, x, height * 0.52, height * 0.34, style.ink) +
      rose(random, x, height * 0.52, height * 0.2, style.accent);
    return {
      form:
        woven(canvas) +
        woven(canvas) +
        frame(canvas) +
        face +
        disc(x, height * 0.52, height * 0.36, { stroke: style.accent, line: 3 }) +
        text(style, width / 2, 0.2 * height, 1.6 * unit, title(random, style.script, 3), middle) +
        text(style, 1.6 * unit, height - 1.8 * unit, 2.6 * unit, worth, { bold: true, fill: style.accent }) +
        text(style, width - 1.6 * unit, 3.4 * unit, 2.6 * unit, worth, {
          bold: true,
          fill: style.accent,
          anchor: "end",
        }),
      says: (own) => {
        const number = `${word(own, "latin").slice(0, 2).toUpperCase()} ${digits(own, 8)}`;
        return (
          text(style, 1.8 * unit, 3 * unit, 1.7 * unit, number, { bold: true }) +
          text(style, width - 1.8 * unit, height - 1.6 * unit, 1.7 * unit, number, {
            bold: true,
            anchor: "end",
          }) +
          text(
            style,
            width / 2,
            height - 1.6 * unit,
            0.7 * unit,
            `${person(own, "latin")}  ${between(own, 1950, 2030)}`,
            middle,
          )
        );
      },
    };
  }),
  printed("lottery-slip", TALL, (canvas) => {
    const { width, unit, random, style } = canvas;
    const [columns, down, games] = [between(random, 5, 8), between(random, 4, 6), between(random, 2, 4)];
    const step = (width - 4 * unit) / (2 * columns + 1);
    const at = (game: number, k: number): readonly [number, number] => [
      2 * unit + ((k % columns) + (game % 2) * (columns + 1) + 0.5) * step,
      6.5 * unit + (Math.floor(k / columns) + Math.floor(game / 2) * (down + 1.6) + 0.5) * step,
    ];
    return {
      form:
        woven(canvas) +
        text(style, 2 * unit, 3.6 * unit, 2.2 * unit, title(random, style.script, 1), {
          fill: style.accent,
          bold: true,
        }) +
        several(games * columns * down, (each) => {
          const [x, y] = at(Math.floor(each / (columns * down)), each % (columns * down));
          return (
            box(x - 0.42 * step, y - 0.42 * step, 0.84 * step, 0.84 * step, {
              stroke: style.accent,
              line: 1.5,
            }) + text(style, x, y + 0.15 * step, 0.4 * step, String((each % (columns * down)) + 1), middle)
          );
        }).join(""),
      says: (own) =>
        several(games * between(own, 4, 6), (each) => {
          const [x, y] = at(each % games, between(own, 0, columns * down - 1));
          return path(
            `M${x - 0.3 * step} ${y - 0.3 * step}l${0.6 * step} ${0.6 * step}m0 ${-0.6 * step}l${-0.6 * step} ${0.6 * step}`,
            { stroke: "#1a2a80", line: 4 },
          );
        }).join("") +
        text(style, width - 2 * unit, 5 * unit, unit, `${date(own)}  ${digits(own, 5)}`, { anchor: "end" }),
    };
  }),
  printed("diploma", [...ACROSS, ...TALL], (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const [x, y, r] = [width * pick(random, [0.15, 0.5, 0.85]), height * 0.84, 2 * unit];
    return {
      form:
        woven(canvas) +
        frame(canvas) +
        text(style, width / 2, 0.24 * height, 3 * unit, title(random, style.script, 1), {
          ...middle,
          fill: style.accent,
        }) +
        text(style, width / 2, 0.34 * height, unit, words(random, style.script, 5), middle) +
        several(2, (k) =>
          text(
            style,
            width / 2,
            (0.6 + 0.06 * k) * height,
            0.9 * unit,
            words(random, style.script, 6),
            middle,
          ),
        ).join("") +
        disc(x, y, r, { fill: style.accent }) +
        rose(random, x, y, 0.9 * r, style.ground),
      says: (own) =>
        text(style, width / 2, 0.49 * height, 2.2 * unit, person(own, "latin"), { ...middle, bold: true }) +
        text(style, width * 0.3, 0.8 * height, unit, date(own)) +
        text(style, width * 0.6, 0.8 * height, unit, person(own, "latin")),
    };
  }),
  printed("stock-certificate", ACROSS, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const [labels, said] = withFields(canvas, 3, 1, {
      x: 3 * unit,
      y: 0.72 * height,
      width: width - 6 * unit,
      height: 0.2 * height,
    });
    return {
      form:
        crossed(random, { x: unit, y: unit, width: width - 2 * unit, height: 2.4 * unit }, style.accent) +
        crossed(
          random,
          { x: unit, y: height - 3 * unit, width: width - 2 * unit, height: 2 * unit },
          style.accent,
        ) +
        woven(canvas) +
        text(style, width / 2, 0.36 * height, 2.4 * unit, title(random, style.script, 2), {
          ...middle,
          bold: true,
        }) +
        several(3, (k) =>
          text(
            style,
            width / 2,
            (0.45 + 0.07 * k) * height,
            0.8 * unit,
            words(random, style.script, 9),
            middle,
          ),
        ).join("") +
        labels,
      says: (own) =>
        said(own) +
        text(style, 3 * unit, 0.24 * height, 1.2 * unit, `No ${digits(own, 6)}`) +
        text(style, width - 3 * unit, 0.24 * height, 1.2 * unit, digits(own, 4), { anchor: "end" }),
    };
  }),
  printed(
    "parking-permit",
    [
      [700, 900],
      [900, 900],
      [1000, 700],
    ],
    (canvas) => {
      const { width, height, unit, random, style } = canvas;
      const band = height * (0.1 + 0.1 * random());
      return {
        form:
          woven(canvas) +
          box(0, 0, width, band, { fill: style.accent }) +
          text(style, width / 2, 0.7 * band, 0.55 * band, title(random, style.script, 1), {
            ...middle,
            fill: style.ground,
          }) +
          several(3, (k) =>
            text(style, 2 * unit, height * (0.6 + 0.13 * k), 0.8 * unit, word(random, style.script)),
          ).join(""),
        says: (own) =>
          text(style, width / 2, 0.45 * height, 5 * unit, digits(own, between(own, 3, 4)), {
            ...middle,
            bold: true,
          }) +
          several(3, (k) =>
            text(style, 0.4 * width, height * (0.6 + 0.13 * k), 1.6 * unit, pick(own, SAID)(own)),
          ).join(""),
      };
    },
  ),
];
