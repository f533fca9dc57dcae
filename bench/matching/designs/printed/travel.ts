import { pick } from "@colophon/testing/chance.ts";
import { box, disc, polyline, rule, text } from "../drawing.ts";
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
import type { Design } from "../design.ts";
import { printed, TALL, SQUARE } from "./form.ts";

/** What travellers and guests are handed. */
export const TRAVEL: readonly Design[] = [
  printed(
    "boarding-pass",
    [
      [1200, 520],
      [1300, 600],
    ],
    ({ width, height, style, random, unit }) => ({
      form:
        box(0, 0, width, 4 * unit, { fill: style.accent }) +
        text(style, unit, 3 * unit, 2.4 * unit, title(random, style.script, 2), {
          fill: "#fff",
          bold: true,
        }) +
        rule(width * 0.72, 0, width * 0.72, height, style.faint, 3) +
        several(6, (k) =>
          text(
            style,
            unit + (k % 3) * width * 0.23,
            (6 + 6 * Math.floor(k / 3)) * unit,
            unit,
            word(random, style.script),
            { fill: style.second },
          ),
        ).join(""),
      says: (own) =>
        several(6, (k) =>
          text(
            style,
            unit + (k % 3) * width * 0.23,
            (8.3 + 6 * Math.floor(k / 3)) * unit,
            1.8 * unit,
            pick(own, [digits(own, 4), clockTime(own), person(own, "latin"), `${between(own, 1, 40)}C`]),
            { bold: true },
          ),
        ).join("") +
        several(60, (k) =>
          box(unit + k * 8, height - 3.6 * unit, 2 + 5 * own(), 2.8 * unit, { fill: style.ink }),
        ).join("") +
        text(style, width * 0.74, 9 * unit, 2 * unit, digits(own, 5)),
    }),
  ),
  printed("map-with-route", SQUARE, ({ width, height, style, random, unit }) => {
    const street = (): string =>
      polyline(
        several(7, (k) => [((k - 0.5) * width) / 5, height * random()] as const),
        style.faint,
        between(random, 3, 12),
      );
    const upright = (): string =>
      polyline(
        several(7, (k) => [width * random(), ((k - 0.5) * height) / 5] as const),
        style.faint,
        between(random, 3, 12),
      );
    return {
      form:
        several(9, street).join("") +
        several(9, upright).join("") +
        several(5, () =>
          disc(width * random(), height * random(), unit * (1 + 3 * random()), {
            fill: style.second,
            opacity: 0.5,
          }),
        ).join("") +
        several(18, () =>
          text(style, width * random() * 0.85, height * random(), 0.9 * unit, title(random, style.script, 2)),
        ).join(""),
      says: (own) => {
        const points = several(
          between(own, 4, 9),
          () => [width * (0.1 + 0.8 * own()), height * (0.1 + 0.8 * own())] as const,
        );
        return (
          polyline(points, style.accent, 7) +
          disc(points[0]![0], points[0]![1], unit * 0.8, { fill: style.accent }) +
          disc(points.at(-1)[0], points.at(-1)[1], unit * 0.8, {
            fill: "#fff",
            stroke: style.accent,
            line: 6,
          })
        );
      },
    };
  }),
  printed(
    "ticket",
    [
      [1100, 480],
      [1000, 420],
    ],
    ({ width, height, style, random, unit }) => ({
      form:
        box(unit, unit, width - 2 * unit, height - 2 * unit, {
          fill: style.second,
          corner: style.corner,
          stroke: style.ink,
          line: 4,
        }) +
        text(style, 3 * unit, 6 * unit, 4 * unit, title(random, style.script, 2), {
          fill: "#fff",
          bold: true,
        }) +
        several(14, (k) =>
          disc(width * 0.76, (k + 1.5) * 1.3 * unit, unit * 0.3, { fill: style.ground }),
        ).join("") +
        text(style, 3 * unit, height - 3 * unit, 1.2 * unit, words(random, style.script, 6), {
          fill: "#fff",
        }),
      says: (own) =>
        text(style, 3 * unit, 10 * unit, 2.2 * unit, `${date(own)}  ${clockTime(own)}`, { fill: "#fff" }) +
        text(style, width * 0.79, height / 2, 1.6 * unit, `No ${digits(own, 6)}`, { fill: "#fff" }) +
        text(
          style,
          3 * unit,
          13 * unit,
          1.6 * unit,
          `${word(own, style.script)} ${between(own, 1, 99)} / ${between(own, 1, 99)}`,
          { fill: "#fff" },
        ),
    }),
  ),
  printed("timetable", TALL, ({ width, style, random, unit }) => {
    const [rows, columns] = [between(random, 12, 18), between(random, 4, 7)];
    const w = (width - 9 * unit) / columns;
    return {
      form:
        box(0, 0, width, 3 * unit, { fill: style.accent }) +
        several(
          rows,
          (k) =>
            (k % 2
              ? box(unit, (4 + 1.5 * k) * unit, width - 2 * unit, 1.5 * unit, {
                  fill: style.faint,
                  opacity: 0.5,
                })
              : "") +
            text(style, 1.5 * unit, (5.1 + 1.5 * k) * unit, 0.8 * unit, title(random, style.script, 1)),
        ).join(""),
      says: (own) =>
        several(rows * columns, (k) =>
          text(
            style,
            8 * unit + (k % columns) * w,
            (5.1 + 1.5 * Math.floor(k / columns)) * unit,
            0.8 * unit,
            clockTime(own),
          ),
        ).join("") +
        text(style, unit, 2 * unit, 1.3 * unit, `${digits(own, 3)} ${word(own, style.script)}`, {
          fill: "#fff",
        }),
    };
  }),
  printed("menu", TALL, ({ width, height, style, random, unit }) => ({
    form:
      box(unit, unit, width - 2 * unit, height - 2 * unit, { stroke: style.accent, line: 8 }) +
      text(style, width / 2, 4 * unit, 2.2 * unit, title(random, style.script, 1), {
        anchor: "middle",
        bold: true,
      }) +
      several(
        3,
        (k) =>
          text(style, 2 * unit, (6.5 + 8 * k) * unit, 1.3 * unit, title(random, style.script, 1), {
            fill: style.accent,
          }) + rule(2 * unit, (7 + 8 * k) * unit, width - 2 * unit, (7 + 8 * k) * unit, style.faint, 2),
      ).join(""),
    says: (own) =>
      several(12, (k) => {
        const y = (8.4 + 8 * Math.floor(k / 4) + 1.5 * (k % 4)) * unit;
        return (
          text(style, 2.5 * unit, y, 0.85 * unit, words(own, style.script, 3)) +
          text(style, width - 2.5 * unit, y, 0.85 * unit, amount(own), { anchor: "end" })
        );
      }).join(""),
  })),
];
