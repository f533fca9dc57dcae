import { pick } from "@colophon/testing/chance.ts";
import { box, disc, grid, path, rule, text } from "../drawing.ts";
import { amount, between, date, digits, person, several, title, word, words } from "../language.ts";
import type { Design } from "../design.ts";
import { printed, WIDE, TALL } from "./form.ts";

/** Papers that offices fill in. */
export const OFFICE: readonly Design[] = [
  printed("spreadsheet", WIDE, ({ width, height, style, random, unit }) => {
    const [columns, rows] = [between(random, 5, 9), between(random, 12, 20)];
    const area = { x: 2 * unit, y: 4 * unit, width: width - 3 * unit, height: height - 5 * unit };
    const [w, h] = [area.width / columns, area.height / rows];
    const size = Math.min(h * 0.6, w / 7);
    return {
      form:
        box(0, 0, width, 2.5 * unit, { fill: style.accent }) +
        grid(area, columns, rows, style.faint, 2) +
        several(columns, (k) =>
          text(style, area.x + (k + 0.4) * w, 3.7 * unit, 0.7 * unit, "ABCDEFGHI"[k]!),
        ).join("") +
        several(rows, (k) => text(style, 0.7 * unit, area.y + (k + 0.7) * h, size, String(k + 1))).join(""),
      says: (own) =>
        several(rows * columns, (k) =>
          own() < 0.8
            ? text(
                style,
                area.x + (k % columns) * w + 5,
                area.y + (Math.floor(k / columns) + 0.7) * h,
                size,
                k % columns === 0 ? word(own, style.script).slice(0, 8) : amount(own),
              )
            : "",
        ).join(""),
    };
  }),
  printed("application-form", TALL, ({ width, style, random, unit }) => {
    const rows = between(random, 9, 14);
    return {
      form:
        text(style, 1.5 * unit, 3 * unit, 1.6 * unit, title(random, style.script, 3), { bold: true }) +
        several(
          rows,
          (k) =>
            text(style, 1.5 * unit, (5.6 + 1.9 * k) * unit, 0.8 * unit, title(random, style.script, 1)) +
            box(9 * unit, (4.6 + 1.9 * k) * unit, width - 10.5 * unit, 1.5 * unit, {
              stroke: style.ink,
              line: style.line,
            }),
        ).join(""),
      says: (own) =>
        several(rows, (k) =>
          text(
            { ...style, bold: false },
            9.4 * unit,
            (5.7 + 1.9 * k) * unit,
            unit,
            pick(own, [person(own, style.script), date(own), digits(own, 8), words(own, style.script, 2)]),
            { fill: style.accent },
          ),
        ).join(""),
    };
  }),
  printed("checklist", TALL, ({ width, style, random, unit }) => {
    const rows = between(random, 10, 16);
    return {
      form:
        box(0, 0, width, 3 * unit, { fill: style.accent }) +
        several(
          rows,
          (k) =>
            box(1.5 * unit, (4 + 1.6 * k) * unit, unit, unit, { stroke: style.ink, line: 3 }) +
            text(style, 3.3 * unit, (4.85 + 1.6 * k) * unit, 0.85 * unit, words(random, style.script, 5)),
        ).join(""),
      says: (own) =>
        several(rows, (k) =>
          own() < 0.5
            ? path(
                `M${1.6 * unit} ${(4.5 + 1.6 * k) * unit}l${0.4 * unit} ${0.5 * unit}l${0.9 * unit} ${-1.2 * unit}`,
                { stroke: style.accent, line: 6 },
              )
            : "",
        ).join("") + text(style, width - 8 * unit, 2 * unit, unit, date(own), { fill: "#fff" }),
    };
  }),
  printed("invoice", TALL, ({ width, height, style, random, unit }) => {
    const rows = between(random, 6, 12);
    return {
      form:
        disc(3 * unit, 3 * unit, 1.6 * unit, { fill: style.accent }) +
        text(style, 6 * unit, 3.4 * unit, 1.6 * unit, title(random, style.script, 2), { bold: true }) +
        box(unit, 10 * unit, width - 2 * unit, 1.4 * unit, { fill: style.faint }) +
        several(4, (k) =>
          text(style, unit * 1.5 + (k * width) / 4.3, 11 * unit, 0.75 * unit, word(random, style.script)),
        ).join("") +
        rule(unit, height - 5 * unit, width - unit, height - 5 * unit, style.ink, 3) +
        text(style, unit, height - 2 * unit, 0.6 * unit, words(random, style.script, 12)),
      says: (own) =>
        several(3, (k) =>
          text(
            style,
            1.5 * unit,
            (6.3 + 1.1 * k) * unit,
            0.8 * unit,
            k ? words(own, style.script, 2) : person(own, style.script),
          ),
        ).join("") +
        several(rows, (k) =>
          several(4, (c) =>
            text(
              style,
              unit * 1.5 + (c * width) / 4.3,
              (12.7 + 1.3 * k) * unit,
              0.75 * unit,
              c === 0 ? word(own, style.script) : amount(own),
            ),
          ).join(""),
        ).join("") +
        text(style, width - unit, height - 3.5 * unit, 1.2 * unit, amount(own), {
          anchor: "end",
          bold: true,
        }),
    };
  }),
  printed(
    "receipt",
    [
      [500, 1100],
      [600, 1200],
    ],
    ({ width, style, random, unit }) => ({
      form:
        text(style, width / 2, 3 * unit, 2 * unit, title(random, style.script, 1).toUpperCase(), {
          anchor: "middle",
          bold: true,
        }) +
        text(style, width / 2, 5 * unit, unit, words(random, style.script, 3), { anchor: "middle" }) +
        rule(unit, 6 * unit, width - unit, 6 * unit, style.ink, 2),
      says: (own) =>
        several(
          18,
          (k) =>
            text(
              { ...style, font: "monospace" },
              unit,
              (8 + 1.7 * k) * unit,
              1.1 * unit,
              word(own, style.script),
            ) +
            text(
              { ...style, font: "monospace" },
              width - unit,
              (8 + 1.7 * k) * unit,
              1.1 * unit,
              amount(own),
              { anchor: "end" },
            ),
        ).join("") +
        several(40, (k) =>
          box(2 * unit + k * 9, 40 * unit, 2 + 5 * own(), 3 * unit, { fill: style.ink }),
        ).join(""),
    }),
  ),
  printed("letter", TALL, ({ width, height, style, random, unit }) => ({
    form:
      disc(width / 2, 2.6 * unit, 1.5 * unit, { fill: style.accent }) +
      text(style, width / 2, 5.6 * unit, 1.2 * unit, title(random, style.script, 3), { anchor: "middle" }) +
      rule(unit, 6.5 * unit, width - unit, 6.5 * unit, style.accent, 4) +
      text(style, width / 2, height - unit, 0.6 * unit, words(random, style.script, 9), { anchor: "middle" }),
    says: (own) =>
      text(style, width - unit, 8.4 * unit, 0.8 * unit, date(own), { anchor: "end" }) +
      several(between(own, 8, 15), (k) =>
        text(style, 1.5 * unit, (10.5 + 1.2 * k) * unit, 0.75 * unit, words(own, style.script, 9)),
      ).join(""),
  })),
  printed(
    "label",
    [
      [900, 600],
      [800, 800],
    ],
    ({ width, height, style, random, unit }) => ({
      form:
        box(unit, unit, width - 2 * unit, height - 2 * unit, { stroke: style.ink, line: 6 }) +
        several(
          3,
          (k) =>
            rule(unit, height * (0.3 + 0.2 * k), width - unit, height * (0.3 + 0.2 * k), style.ink, 4) +
            text(
              style,
              2 * unit,
              height * (0.3 + 0.2 * k) + 1.4 * unit,
              0.9 * unit,
              word(random, style.script),
            ),
        ).join("") +
        text(style, 2 * unit, 4 * unit, 2.4 * unit, title(random, style.script, 1), { bold: true }),
      says: (own) =>
        several(3, (k) =>
          text(
            style,
            2 * unit,
            height * (0.3 + 0.2 * k) + 3.4 * unit,
            1.5 * unit,
            pick(own, [person(own, style.script), date(own), digits(own, 10)]),
          ),
        ).join("") +
        several(50, (k) =>
          box(width * 0.45 + k * (width * 0.0095), 2.2 * unit, 1 + 6 * own(), 3.4 * unit, {
            fill: style.ink,
          }),
        ).join(""),
    }),
  ),
  printed(
    "business-card",
    [
      [1050, 600],
      [900, 500],
    ],
    ({ width, height, style, random, unit }) => ({
      form:
        box(0, 0, width * 0.3, height, { fill: style.accent }) +
        disc(width * 0.15, height * 0.4, 3.4 * unit, { fill: style.second, stroke: "#fff", line: 6 }) +
        text(style, width * 0.15, height * 0.75, 1.5 * unit, title(random, style.script, 1), {
          anchor: "middle",
          fill: "#fff",
        }) +
        text(style, width * 0.36, height - 3 * unit, 1.2 * unit, `www.${word(random, "latin")}.example`),
      says: (own) =>
        text(style, width * 0.36, 7 * unit, 2.6 * unit, person(own, style.script), { bold: true }) +
        text(style, width * 0.36, 10 * unit, 1.4 * unit, words(own, style.script, 2)) +
        text(style, width * 0.36, 15 * unit, 1.4 * unit, `+${digits(own, 11)}`),
    }),
  ),
];
