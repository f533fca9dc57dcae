import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { box, grid, rule, text } from "../drawing.ts";
import { between, clockTime, date, digits, person, several, title, word } from "../language.ts";
import { SQUARE, TALL, WIDE, printed } from "./form.ts";

/** A table of which some cells, whole columns or only the heading are each member's own. */
function table(
  name: string,
  sizes: typeof WIDE | typeof TALL | typeof SQUARE,
  cell: (by: Random, canvas: Canvas) => string,
  [fewest, most]: readonly [fewest: number, most: number],
): Design {
  return printed(name, sizes, (canvas) => {
    const { width, height, style, random, unit } = canvas;
    const [columns, rows] = [between(random, fewest, most), between(random, 8, 26)];
    const head = unit * (2 + 2 * random());
    const [w, h] = [(width - 8 * unit) / columns, (height - head - unit) / rows];
    const size = Math.min(0.65 * h, w * 0.28, unit);
    const own = random() < 0.3 ? 1 : 0.04 + 0.35 * random() * random();
    const isOwn = several(columns * rows, () => random() < own);
    const put = (by: Random, k: number): string =>
      text(
        style,
        7.5 * unit + (k % columns) * w,
        head + (Math.floor(k / columns) + 0.7) * h,
        size,
        cell(by, canvas),
      );
    const [isRuled, isStriped] = [random() < 0.4, random() < 0.5];
    const notes = between(random, 0, 2);
    return {
      form:
        box(0, 0, width, head - unit / 2, { fill: pick(random, [style.accent, style.second, style.faint]) }) +
        text(style, unit, head * 0.55, Math.min(head * 0.4, 1.4 * unit), title(random, style.script, 3), {
          bold: true,
        }) +
        several(
          rows,
          (k) =>
            (isStriped && k % 2 === 1
              ? box(unit / 2, head + k * h, width - unit, h, { fill: style.faint, opacity: 0.4 })
              : "") +
            text(style, unit / 2, head + (k + 0.7) * h, size, title(random, style.script, 1 + (k % 2))),
        ).join("") +
        (isRuled
          ? grid(
              { x: 7 * unit, y: head, width: width - 8 * unit, height: h * rows },
              columns,
              rows,
              style.faint,
              1,
            )
          : "") +
        isOwn.map((one, k) => (one ? "" : put(random, k))).join("") +
        rule(0, head - unit / 2, width, head - unit / 2, style.ink, 2),
      says: (by) =>
        isOwn.map((one, k) => (one ? put(by, k) : "")).join("") +
        text(
          style,
          width * 0.7,
          head * 0.55,
          Math.min(head * 0.35, unit),
          pick(by, [date(by), digits(by, 3), word(by, style.script)]),
        ) +
        several(notes, () => {
          const k = between(by, 0, columns * rows - 1);
          return box(7.3 * unit + (k % columns) * w, head + Math.floor(k / columns) * h, w, h, {
            stroke: style.accent,
            line: 3,
          });
        }).join(""),
    };
  });
}

const time = (by: Random): string => clockTime(by);
const shortTime = (by: Random): string => `${between(by, 0, 23)}.${digits(by, 2)}`;

/** Timetables, rosters, price and result lists. */
export const TIMES: readonly Design[] = [
  table("line-times", WIDE, time, [6, 14]),
  table("stop-times", TALL, (by) => digits(by, 2), [5, 9]),
  table(
    "departures",
    WIDE,
    (by, { style }) => pick(by, [time(by), word(by, style.script), digits(by, 2)]),
    [3, 5],
  ),
  table("ferry-times", TALL, shortTime, [3, 6]),
  table("tide-table", TALL, (by) => `${clockTime(by)} ${between(by, 0, 9)}.${digits(by, 1)}`, [3, 4]),
  table("lesson-plan", WIDE, (by, { style }) => (by() < 0.3 ? "" : word(by, style.script)), [5, 6]),
  table("duty-roster", WIDE, (by) => pick(by, ["F", "S", "N", "-", "U"]), [14, 31]),
  table("staff-rota", SQUARE, (by) => person(by, "latin").slice(0, 9), [4, 7]),
  table("fare-table", SQUARE, (by) => `${between(by, 1, 99)}.${digits(by, 2)}`, [4, 10]),
  table("cinema-programme", TALL, (by) => (by() < 0.4 ? "" : clockTime(by)), [4, 7]),
  table("results-sheet", WIDE, (by) => `${between(by, 0, 9)}:${between(by, 0, 9)}`, [5, 10]),
  table("prayer-times", TALL, shortTime, [5, 6]),
];
