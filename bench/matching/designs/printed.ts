import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import type { Design, Filling, Sheet } from "./design.ts";
import { type Style, box, disc, drawStyle, grid, page, path, polyline, rule, text } from "./drawing.ts";
import { amount, between, clockTime, date, digits, person, several, title, word, words } from "./language.ts";

interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly style: Style;
  readonly random: Random;
  readonly unit: number;
}

/** What all members say, and what each says. */
interface Form {
  readonly form: string;
  readonly says: (random: Random) => string;
}

/** A printed form whose members differ in what is filled in. */
function printed(
  name: string,
  sizes: readonly (readonly [number, number])[],
  lay: (canvas: Canvas) => Form,
): Design {
  return {
    name,
    family: "printed",
    photographs: 0,
    draw: (random): Sheet => {
      const [width, height] = pick(random, sizes);
      const style = drawStyle(random);
      const { form, says } = lay({ width, height, style, random, unit: Math.min(width, height) / 25 });
      const member = ({ random: own }: Filling): string =>
        page(width, height, style.ground, [form, says(own)]);
      return { width, height, window: null, member };
    },
  };
}

const WIDE = [
  [1200, 800],
  [1280, 720],
  [1100, 850],
] as const;
const TALL = [
  [850, 1100],
  [900, 1300],
  [1000, 1414],
] as const;
const SQUARE = [
  [1000, 1000],
  [900, 950],
] as const;

export const PRINTED: readonly Design[] = [
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
  printed("bar-chart", WIDE, ({ width, height, style, random, unit }) => {
    const bars = between(random, 5, 14);
    const step = (width - 5 * unit) / bars;
    return {
      form:
        text(style, width / 2, 2.4 * unit, 1.5 * unit, title(random, style.script, 4), { anchor: "middle" }) +
        several(
          6,
          (k) =>
            rule(
              3 * unit,
              height - (3 + 2.6 * k) * unit,
              width - unit,
              height - (3 + 2.6 * k) * unit,
              style.faint,
              2,
            ) + text(style, unit, height - (2.8 + 2.6 * k) * unit, 0.8 * unit, String(20 * k)),
        ).join("") +
        several(bars, (k) =>
          text(
            style,
            3.3 * unit + k * step,
            height - 1.5 * unit,
            0.7 * unit,
            word(random, style.script).slice(0, 4),
          ),
        ).join(""),
      says: (own) =>
        several(bars, (k) => {
          const tall = own() * 14 * unit;
          return box(3.3 * unit + k * step, height - 3 * unit - tall, step * 0.7, tall, {
            fill: k % 2 ? style.accent : style.second,
          });
        }).join(""),
    };
  }),
  printed("line-chart", WIDE, ({ width, height, style, random, unit }) => ({
    form:
      text(style, 3 * unit, 2.4 * unit, 1.4 * unit, title(random, style.script, 3)) +
      grid(
        { x: 3 * unit, y: 4 * unit, width: width - 5 * unit, height: height - 8 * unit },
        10,
        6,
        style.faint,
        1,
      ) +
      several(10, (k) =>
        text(
          style,
          3 * unit + (k * (width - 5 * unit)) / 10,
          height - 2.6 * unit,
          0.8 * unit,
          String(between(random, 1990, 2030)),
        ),
      ).join(""),
    says: (own) =>
      several(3, (l) =>
        polyline(
          several(
            16,
            (k) =>
              [3 * unit + (k * (width - 5 * unit)) / 15, 4.5 * unit + own() * (height - 9 * unit)] as const,
          ),
          [style.accent, style.second, style.ink][l]!,
          5,
        ),
      ).join(""),
  })),
  printed("scatter-plot", SQUARE, ({ width, height, style, random, unit }) => ({
    form:
      path(`M${3 * unit} ${2 * unit}V${height - 3 * unit}H${width - unit}`, { stroke: style.ink, line: 3 }) +
      several(
        6,
        (k) =>
          text(style, unit, height - (3 + 3 * k) * unit, 0.8 * unit, String(k * 5)) +
          text(style, (3 + 3 * k) * unit, height - 1.8 * unit, 0.8 * unit, String(k * 10)),
      ).join("") +
      text(style, width / 2, height - 0.5 * unit, unit, title(random, style.script, 3), { anchor: "middle" }),
    says: (own) =>
      several(70, () =>
        disc((4 + 19 * own()) * (width / 25), (2 + 18 * own()) * (height / 25), unit * 0.3, {
          fill: pick(own, [style.accent, style.second]),
        }),
      ).join(""),
  })),
  printed("pie-chart", WIDE, ({ width, height, style, random, unit }) => ({
    form:
      text(style, width / 2, 2.6 * unit, 1.6 * unit, title(random, style.script, 3), { anchor: "middle" }) +
      several(
        4,
        (k) =>
          box(width * 0.72, (7 + 3 * k) * unit, 1.4 * unit, 1.4 * unit, {
            fill: [style.accent, style.second, style.ink, style.faint][k]!,
          }) +
          text(
            style,
            width * 0.72 + 2.2 * unit,
            (8.2 + 3 * k) * unit,
            1.1 * unit,
            word(random, style.script),
          ),
      ).join(""),
    says: (own) => {
      const cuts = [0, ...several(3, () => own()).toSorted((a, b) => a - b), 1];
      const [x, y, r] = [width * 0.36, height * 0.55, 8.5 * unit];
      return several(4, (k) => {
        const [a, b] = [2 * Math.PI * cuts[k]!, 2 * Math.PI * cuts[k + 1]!];
        return path(
          `M${x} ${y}L${x + r * Math.cos(a)} ${y + r * Math.sin(a)}A${r} ${r} 0 ${b - a > Math.PI ? 1 : 0} 1 ${x + r * Math.cos(b)} ${y + r * Math.sin(b)}z`,
          { fill: [style.accent, style.second, style.ink, style.faint][k]! },
        );
      }).join("");
    },
  })),
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
  printed("league-table", WIDE, ({ width, height, style, random, unit }) => {
    const rows = between(random, 9, 14);
    const h = (height - 5 * unit) / rows;
    return {
      form:
        box(0, 0, width, 3 * unit, { fill: style.accent }) +
        text(style, unit, 2.1 * unit, 1.5 * unit, title(random, style.script, 2), { fill: "#fff" }) +
        several(
          rows,
          (k) =>
            rule(unit, 4 * unit + k * h, width - unit, 4 * unit + k * h, style.faint, 2) +
            text(style, 1.5 * unit, 4 * unit + (k + 0.7) * h, h * 0.5, String(k + 1)) +
            disc(4 * unit, 4 * unit + (k + 0.5) * h, h * 0.3, { fill: style.second }),
        ).join(""),
      says: (own) =>
        several(
          rows,
          (k) =>
            text(style, 6 * unit, 4 * unit + (k + 0.7) * h, h * 0.5, title(own, style.script, 1)) +
            several(5, (c) =>
              text(
                style,
                width * (0.5 + 0.1 * c),
                4 * unit + (k + 0.7) * h,
                h * 0.5,
                String(between(own, 0, 60)),
              ),
            ).join(""),
        ).join(""),
    };
  }),
  printed("dialog", WIDE, ({ width, height, style, random, unit }) => ({
    form:
      box(3 * unit, 3 * unit, width - 6 * unit, height - 6 * unit, {
        fill: style.ground,
        stroke: style.ink,
        line: 2,
        corner: style.corner,
      }) +
      box(3 * unit, 3 * unit, width - 6 * unit, 2.4 * unit, { fill: style.accent }) +
      box(width - 12 * unit, height - 6 * unit, 3.6 * unit, 1.8 * unit, { fill: style.faint }) +
      box(width - 8 * unit, height - 6 * unit, 3.6 * unit, 1.8 * unit, { fill: style.accent }) +
      text(
        style,
        width - 11.4 * unit,
        height - 4.8 * unit,
        0.9 * unit,
        word(random, style.script).slice(0, 6),
      ) +
      disc(5.5 * unit, 9 * unit, 1.3 * unit, { fill: style.second }),
    says: (own) =>
      text(style, 4 * unit, 4.7 * unit, 1.2 * unit, title(own, style.script, 2), { fill: "#fff" }) +
      several(5, (k) => text(style, 8 * unit, (8 + 1.8 * k) * unit, unit, words(own, style.script, 6))).join(
        "",
      ),
  })),
  printed("settings-screen", TALL, ({ width, style, random, unit }) => ({
    form:
      box(0, 0, width, 3 * unit, { fill: style.accent }) +
      several(
        11,
        (k) =>
          rule(unit, (5.7 + 2.1 * k) * unit, width - unit, (5.7 + 2.1 * k) * unit, style.faint, 2) +
          text(style, 3 * unit, (5 + 2.1 * k) * unit, 0.95 * unit, words(random, style.script, 3)) +
          disc(1.8 * unit, (4.7 + 2.1 * k) * unit, 0.6 * unit, { fill: style.second }),
      ).join(""),
    says: (own) =>
      several(11, (k) => {
        const on = own() < 0.5;
        return (
          box(width - 4 * unit, (4.1 + 2.1 * k) * unit, 2.6 * unit, 1.3 * unit, {
            fill: on ? style.accent : style.faint,
            corner: 0.65 * unit,
          }) + disc(width - (on ? 2.1 : 3.3) * unit, (4.75 + 2.1 * k) * unit, 0.5 * unit, { fill: "#fff" })
        );
      }).join("") + text(style, unit, 2 * unit, 1.1 * unit, clockTime(own), { fill: "#fff" }),
  })),
  printed("terminal", WIDE, ({ width, height, style, random, unit }) => ({
    form:
      box(0, 0, width, height, { fill: "#101418" }) +
      box(0, 0, width, 1.6 * unit, { fill: "#3a3f46" }) +
      several(18, (k) =>
        text(
          { ...style, font: "monospace" },
          unit,
          (3.2 + 1.2 * k) * unit,
          0.9 * unit,
          `${word(random, "latin")}@${word(random, "latin")}:~$`,
          { fill: "#60c060" },
        ),
      ).join(""),
    says: (own) =>
      several(18, (k) =>
        text(
          { ...style, font: "monospace" },
          13 * unit,
          (3.2 + 1.2 * k) * unit,
          0.9 * unit,
          words(own, "latin", between(own, 1, 4)),
          { fill: "#d8d8d8" },
        ),
      ).join(""),
  })),
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
  printed("tree-diagram", WIDE, ({ width, height, style, random, unit }) => {
    const nodes = several(
      between(random, 9, 14),
      () => [width * (0.1 + 0.8 * random()), height * (0.12 + 0.78 * random())] as const,
    );
    return {
      form:
        nodes
          .slice(1)
          .map(([x, y], k) =>
            rule(x, y, nodes[Math.floor(k / 2)]![0], nodes[Math.floor(k / 2)]![1], style.faint, 4),
          )
          .join("") +
        nodes
          .map(([x, y]) =>
            box(x - 3 * unit, y - unit, 6 * unit, 2 * unit, {
              fill: style.ground,
              stroke: style.accent,
              line: 4,
              corner: style.corner,
            }),
          )
          .join(""),
      says: (own) =>
        nodes
          .map(([x, y]) =>
            text(style, x, y + 0.35 * unit, unit, words(own, style.script, 1), { anchor: "middle" }),
          )
          .join(""),
    };
  }),
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
];
