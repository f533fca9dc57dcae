import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import type { Design } from "../design.ts";
import { box, disc, grid, path, rule, text } from "../drawing.ts";
import { between, digits, several, title, word } from "../language.ts";
import { SQUARE, TALL, WIDE, printed } from "./form.ts";

/** A chess man by his outline about the middle of a square. */
const MEN = [
  "M-0.2 0.35h0.4l-0.1 -0.35a0.14 0.14 0 1 0 -0.2 0z",
  "M-0.28 0.35h0.56v-0.1l-0.1 -0.3v-0.3h-0.1v0.1h-0.16v-0.1h-0.1v0.3l-0.1 0.3z",
  "M-0.25 0.35h0.5q0 -0.5 -0.15 -0.7l-0.2 0.05l-0.2 0.25l0.1 0.1l0.15 -0.05z",
  "M-0.2 0.35h0.4q0.1 -0.3 -0.1 -0.5l-0.1 -0.2l-0.1 0.2q-0.2 0.2 -0.1 0.5z",
  "M-0.3 0.35h0.6l0.1 -0.6l-0.2 0.3l-0.2 -0.4l-0.2 0.4l-0.2 -0.3z",
  "M-0.28 0.35h0.56l0.05 -0.4h-0.25v-0.12h0.1v-0.12h-0.36v0.12h0.1v0.12h-0.25z",
] as const;

function shuffled(random: Random, count: number): number[] {
  return several(count, (k) => ({ k, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ k }) => k);
}

/** Boards and sheets on which much is the same and a few places are each member's own. */
export const POSITIONS: readonly Design[] = [
  printed("chess-position", SQUARE, ({ width, style, random, unit }) => {
    const step = (width - 2 * unit) / 8;
    const man = (square: number, kind: number, isWhite: boolean): string =>
      `<path transform="translate(${(unit + ((square % 8) + 0.5) * step).toFixed(1)} ${(unit + (Math.floor(square / 8) + 0.5) * step).toFixed(1)}) scale(${step.toFixed(1)})" d="${MEN[kind]!}" fill="${isWhite ? "#fdfdfd" : "#181818"}" stroke="${isWhite ? "#181818" : "#fdfdfd"}" stroke-width="0.03"/>`;
    const order = shuffled(random, 64);
    const same = between(random, 6, 18);
    const put = (squares: readonly number[], by: Random): string =>
      squares.map((square) => man(square, between(by, 0, 5), by() < 0.5)).join("");
    return {
      form:
        several(64, (k) =>
          box(unit + (k % 8) * step, unit + Math.floor(k / 8) * step, step, step, {
            fill: (k + Math.floor(k / 8)) % 2 ? style.second : style.ground,
          }),
        ).join("") +
        several(8, (k) => text(style, 0.3 * unit, unit + (k + 0.6) * step, 0.6 * unit, String(8 - k))).join(
          "",
        ) +
        put(order.slice(0, same), random),
      says: (own) => {
        const free = order.slice(same);
        return put(
          shuffled(own, free.length)
            .slice(0, between(own, 3, 10))
            .map((k) => free[k]!),
          own,
        );
      },
    };
  }),
  printed("go-position", SQUARE, ({ width, style, random, unit }) => {
    const lines = pick(random, [13, 19, 19]);
    const step = (width - 4 * unit) / (lines - 1);
    const order = shuffled(random, lines * lines);
    const same = between(random, 20, 80);
    const put = (places: readonly number[], by: Random): string =>
      places
        .map((k) =>
          disc(2 * unit + (k % lines) * step, 2 * unit + Math.floor(k / lines) * step, step * 0.46, {
            fill: by() < 0.5 ? "#101010" : "#fafafa",
            stroke: "#101010",
            line: 1.5,
          }),
        )
        .join("");
    return {
      form:
        grid(
          { x: 2 * unit, y: 2 * unit, width: width - 4 * unit, height: width - 4 * unit },
          lines - 1,
          lines - 1,
          style.ink,
          1.5,
        ) + put(order.slice(0, same), random),
      says: (own) => {
        const free = order.slice(same);
        return put(
          shuffled(own, free.length)
            .slice(0, between(own, 8, 40))
            .map((k) => free[k]!),
          own,
        );
      },
    };
  }),
  printed("word-search", SQUARE, ({ width, style, random, unit }) => {
    const cells = between(random, 11, 18);
    const step = (width - 2 * unit) / cells;
    const mark = between(random, 3, 6);
    return {
      form: several(cells * cells, (k) =>
        text(
          style,
          unit + ((k % cells) + 0.5) * step,
          unit + (Math.floor(k / cells) + 0.7) * step,
          step * 0.6,
          word(random, style.script).charAt(0).toUpperCase(),
          { anchor: "middle" },
        ),
      ).join(""),
      says: (own) =>
        several(between(own, 3, 7), () => {
          const long = between(own, 3, 7) * step;
          const [x, y] = [unit + own() * (width - 2 * unit - long), unit + own() * (width - 2 * unit - long)];
          const turn = pick(own, [0, 90, 45]);
          return `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${long.toFixed(1)}" height="${step.toFixed(1)}" rx="${(step / 2).toFixed(1)}" fill="none" stroke="${style.accent}" stroke-width="${mark}" transform="rotate(${turn} ${(x + step / 2).toFixed(1)} ${(y + step / 2).toFixed(1)})"/>`;
        }).join(""),
    };
  }),
  printed("number-card", TALL, ({ width, style, random, unit }) => {
    const [columns, rows] = [between(random, 5, 9), between(random, 5, 10)];
    const [w, h] = [(width - 2 * unit) / columns, (width - 2 * unit) / rows];
    const at = (k: number): readonly [number, number] => [
      unit + (k % columns) * w,
      5 * unit + Math.floor(k / columns) * h,
    ];
    return {
      form:
        text(style, width / 2, 3 * unit, 2 * unit, title(random, style.script, 1), { anchor: "middle" }) +
        grid({ x: unit, y: 5 * unit, width: w * columns, height: h * rows }, columns, rows, style.ink, 2) +
        several(columns * rows, (k) =>
          text(
            style,
            at(k)[0] + w / 2,
            at(k)[1] + h * 0.65,
            Math.min(w, h) * 0.45,
            String(between(random, 1, 90)),
            { anchor: "middle" },
          ),
        ).join(""),
      says: (own) =>
        several(columns * rows, (k) => {
          if (own() > 0.18) return "";
          const [x, y] = at(k);
          return own() < 0.5
            ? disc(x + w / 2, y + h / 2, Math.min(w, h) * 0.4, { stroke: style.accent, line: 4 })
            : path(
                `M${x + w * 0.2} ${y + h * 0.2}l${w * 0.6} ${h * 0.6}m0 ${-h * 0.6}l${-w * 0.6} ${h * 0.6}`,
                { stroke: style.accent, line: 5 },
              );
        }).join(""),
    };
  }),
  printed("marked-timetable", WIDE, ({ width, height, style, random, unit }) => {
    const [columns, rows] = [between(random, 6, 14), between(random, 12, 24)];
    const [w, h] = [(width - unit) / (columns + 2), (height - 3 * unit) / rows];
    const put = (by: Random, k: number, fill: string): string =>
      text(
        style,
        unit + (2 + (k % columns)) * w,
        3 * unit + (Math.floor(k / columns) + 0.7) * h,
        Math.min(0.6 * h, w * 0.35),
        `${String(between(by, 5, 23)).padStart(2, "0")}:${digits(by, 2)}`,
        { fill },
      );
    const isOpen = several(columns * rows, () => random() < 0.12);
    return {
      form:
        box(0, 0, width, 2.4 * unit, { fill: style.second }) +
        text(style, unit, 1.7 * unit, 1.1 * unit, title(random, style.script, 3)) +
        several(rows, (k) =>
          text(
            style,
            unit / 2,
            3 * unit + (k + 0.7) * h,
            Math.min(0.6 * h, w * 0.35),
            title(random, style.script, 1),
          ),
        ).join("") +
        several(columns * rows, (k) => (isOpen[k] ? "" : put(random, k, style.ink))).join(""),
      says: (own) =>
        several(columns * rows, (k) =>
          isOpen[k] ? put(own, k, own() < 0.3 ? style.accent : style.ink) : "",
        ).join(""),
    };
  }),
  printed("filled-sheet", WIDE, ({ width, height, style, random, unit }) => {
    const [columns, rows] = [between(random, 6, 12), between(random, 14, 26)];
    const [w, h] = [width / columns, (height - 2 * unit) / rows];
    const put = (by: Random, k: number): string =>
      text(
        style,
        ((k % columns) + 0.9) * w,
        2 * unit + (Math.floor(k / columns) + 0.75) * h,
        0.6 * h,
        digits(by, between(by, 2, 6)),
        { anchor: "end" },
      );
    const share = 0.05 + 0.3 * random();
    const isOpen = several(columns * rows, () => random() < share);
    return {
      form:
        grid({ x: 0, y: 2 * unit, width, height: height - 2 * unit }, columns, rows, style.faint, 1) +
        several(columns, (k) =>
          text(style, (k + 0.5) * w, 1.5 * unit, 0.8 * unit, title(random, style.script, 1), {
            anchor: "middle",
            bold: true,
          }),
        ).join("") +
        several(columns * rows, (k) => (isOpen[k] ? "" : put(random, k))).join(""),
      says: (own) => several(columns * rows, (k) => (isOpen[k] ? put(own, k) : "")).join(""),
    };
  }),
  printed("year-planner", WIDE, ({ width, height, style, random, unit }) => {
    const [w, h] = [(width - unit) / 4, (height - 2 * unit) / 3];
    const day = (m: number, d: number): readonly [number, number] => [
      unit + (m % 4) * w + ((d % 7) * w * 0.9) / 7,
      2 * unit + Math.floor(m / 4) * h + h * 0.2 + (Math.floor(d / 7) * h * 0.75) / 5,
    ];
    return {
      form: several(
        12,
        (m) =>
          text(
            style,
            unit + (m % 4) * w,
            2 * unit + Math.floor(m / 4) * h + h * 0.1,
            h * 0.1,
            title(random, style.script, 1),
            { bold: true },
          ) + several(31, (d) => text(style, day(m, d)[0], day(m, d)[1], h * 0.08, String(d + 1))).join(""),
      ).join(""),
      says: (own) =>
        several(between(own, 8, 30), () => {
          const [x, y] = day(between(own, 0, 11), between(own, 0, 30));
          return own() < 0.5
            ? disc(x + h * 0.04, y - h * 0.03, h * 0.07, { stroke: style.accent, line: 3 })
            : box(x - 2, y - h * 0.08, w * 0.11, h * 0.1, { fill: style.accent, opacity: 0.6 });
        }).join("") + rule(unit, height - 3, width * own(), height - 3, style.accent, 2),
    };
  }),
  printed("hall-plan", WIDE, ({ width, height, style, random, unit }) => {
    const [columns, rows] = [between(random, 14, 26), between(random, 8, 15)];
    const [w, h] = [(width - 4 * unit) / columns, (height - 6 * unit) / rows];
    const bend = unit * 2 * random();
    const at = (k: number): readonly [x: number, y: number] => {
      const column = k % columns;
      return [
        2 * unit + column * w,
        5 * unit + Math.floor(k / columns) * h - bend * Math.sin((Math.PI * column) / columns),
      ];
    };
    const count = columns * rows;
    const likely = 0.02 + 0.1 * random();
    return {
      form:
        box(width * 0.2, unit, width * 0.6, 1.6 * unit, { fill: style.second }) +
        text(style, width / 2, 2.2 * unit, unit, title(random, style.script, 1), { anchor: "middle" }) +
        several(count, (k) => {
          const [x, y] = at(k);
          return (
            box(x, y, w * 0.8, h * 0.75, { stroke: style.ink, line: 1.5, corner: w / 6 }) +
            text(style, x + w * 0.4, y + h * 0.6, h * 0.4, String((k % columns) + 1), { anchor: "middle" })
          );
        }).join(""),
      says: (own) =>
        several(count, (k) =>
          own() < likely ? box(...at(k), w * 0.8, h * 0.75, { fill: style.accent, corner: w / 6 }) : "",
        ).join(""),
    };
  }),
];
