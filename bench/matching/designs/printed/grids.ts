import { pick } from "@colophon/testing/chance.ts";
import { box, disc, grid, path, rule, text } from "../drawing.ts";
import { between, several, title, word } from "../language.ts";
import type { Design } from "../design.ts";
import { printed, WIDE, TALL, SQUARE } from "./form.ts";

/** Grids and staves with other marks in them. */
export const GRIDS: readonly Design[] = [
  printed("month-calendar", WIDE, ({ width, height, style, random, unit }) => {
    const area = { x: unit, y: 5 * unit, width: width - 2 * unit, height: height - 6 * unit };
    const [w, h] = [area.width / 7, area.height / 5];
    return {
      form:
        box(0, 0, width, 3.5 * unit, { fill: style.accent }) +
        grid(area, 7, 5, style.faint, 2) +
        several(7, (k) =>
          text(style, area.x + (k + 0.3) * w, 4.6 * unit, 0.8 * unit, word(random, style.script).slice(0, 3)),
        ).join(""),
      says: (own) => {
        const first = between(own, 0, 6);
        return (
          text(
            style,
            unit,
            2.4 * unit,
            1.8 * unit,
            `${title(own, style.script, 1)} ${between(own, 2000, 2040)}`,
            { fill: "#fff" },
          ) +
          several(
            30,
            (k) =>
              text(
                style,
                area.x + (((k + first) % 7) + 0.1) * w,
                area.y + (Math.floor((k + first) / 7) % 5) * h + 1.3 * unit,
                unit,
                String(k + 1),
              ) +
              (own() < 0.2
                ? box(
                    area.x + (((k + first) % 7) + 0.1) * w,
                    area.y + (Math.floor((k + first) / 7) % 5) * h + 2 * unit,
                    w * 0.8,
                    unit,
                    { fill: style.second },
                  )
                : ""),
          ).join("")
        );
      },
    };
  }),
  printed("sheet-music", TALL, ({ width, style, random, unit }) => {
    const staves = between(random, 6, 9);
    return {
      form:
        text(style, width / 2, 2.6 * unit, 1.5 * unit, title(random, style.script, 2), { anchor: "middle" }) +
        several(
          staves,
          (s) =>
            several(5, (k) =>
              rule(
                unit,
                (5 + 3.3 * s + 0.4 * k) * unit,
                width - unit,
                (5 + 3.3 * s + 0.4 * k) * unit,
                style.ink,
                2,
              ),
            ).join("") +
            path(
              `M${1.8 * unit} ${(6.9 + 3.3 * s) * unit}q${-unit} ${-unit} ${0.4 * unit} ${-1.6 * unit}q${unit} ${-unit} 0 ${-unit}v${3 * unit}`,
              { stroke: style.ink, line: 4 },
            ),
        ).join(""),
      says: (own) =>
        several(staves * 14, (k) => {
          const [x, y] = [
            4 * unit + ((k % 14) * (width - 6 * unit)) / 14,
            (4.8 + 3.3 * Math.floor(k / 14) + 0.2 * between(own, 0, 9)) * unit,
          ];
          return (
            disc(x, y, unit * 0.27, { fill: style.ink }) +
            rule(x + unit * 0.25, y, x + unit * 0.25, y - 1.4 * unit, style.ink, 3)
          );
        }).join(""),
    };
  }),
  printed("crossword", SQUARE, ({ width, style, random, unit }) => {
    const cells = between(random, 11, 17);
    const step = (width - 2 * unit) / cells;
    const black = several(cells * cells, () => random() < 0.2);
    return {
      form:
        grid({ x: unit, y: unit, width: step * cells, height: step * cells }, cells, cells, style.ink, 2) +
        black
          .map((isBlack, k) =>
            isBlack
              ? box(unit + (k % cells) * step, unit + Math.floor(k / cells) * step, step, step, {
                  fill: style.ink,
                })
              : "",
          )
          .join(""),
      says: (own) =>
        black
          .map((isBlack, k) =>
            isBlack || own() < 0.3
              ? ""
              : text(
                  style,
                  unit + ((k % cells) + 0.5) * step,
                  unit + (Math.floor(k / cells) + 0.8) * step,
                  step * 0.75,
                  word(own, style.script).charAt(0).toUpperCase(),
                  { anchor: "middle", fill: style.accent },
                ),
          )
          .join(""),
    };
  }),
  printed("number-puzzle", SQUARE, ({ width, style, unit }) => {
    const step = (width - 2 * unit) / 9;
    return {
      form:
        grid({ x: unit, y: unit, width: step * 9, height: step * 9 }, 9, 9, style.faint, 3) +
        grid({ x: unit, y: unit, width: step * 9, height: step * 9 }, 3, 3, style.ink, 7),
      says: (own) =>
        several(81, (k) =>
          own() < 0.4
            ? text(
                style,
                unit + ((k % 9) + 0.5) * step,
                unit + (Math.floor(k / 9) + 0.75) * step,
                step * 0.7,
                String(between(own, 1, 9)),
                { anchor: "middle" },
              )
            : "",
        ).join(""),
    };
  }),
  printed("game-board", SQUARE, ({ width, style, random, unit }) => {
    const cells = pick(random, [8, 8, 10]);
    const step = (width - 2 * unit) / cells;
    return {
      form: several(cells * cells, (k) =>
        box(unit + (k % cells) * step, unit + Math.floor(k / cells) * step, step, step, {
          fill: (k + Math.floor(k / cells)) % 2 ? style.faint : style.second,
        }),
      ).join(""),
      says: (own) =>
        several(cells * cells, (k) =>
          own() < 0.3
            ? disc(
                unit + ((k % cells) + 0.5) * step,
                unit + (Math.floor(k / cells) + 0.5) * step,
                step * 0.36,
                { fill: own() < 0.5 ? "#f8f8f8" : "#202020", stroke: style.ink, line: 4 },
              )
            : "",
        ).join(""),
    };
  }),
  printed("exam-sheet", TALL, ({ width, style, random, unit }) => ({
    form:
      text(style, unit, 2.4 * unit, 1.2 * unit, title(random, style.script, 3)) +
      several(
        24,
        (k) =>
          text(
            style,
            unit + (k % 2) * (width / 2),
            (5 + 1.8 * Math.floor(k / 2)) * unit,
            0.9 * unit,
            String(k + 1),
          ) +
          several(5, (c) =>
            disc(
              3.5 * unit + (k % 2) * (width / 2) + 1.6 * c * unit,
              (4.7 + 1.8 * Math.floor(k / 2)) * unit,
              0.55 * unit,
              { stroke: style.ink, line: 2 },
            ),
          ).join(""),
      ).join(""),
    says: (own) =>
      several(24, (k) =>
        disc(
          3.5 * unit + (k % 2) * (width / 2) + 1.6 * between(own, 0, 4) * unit,
          (4.7 + 1.8 * Math.floor(k / 2)) * unit,
          0.5 * unit,
          { fill: style.ink },
        ),
      ).join(""),
  })),
];
