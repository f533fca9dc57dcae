import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { box, disc, path, polyline, rule, text } from "../drawing.ts";
import { between, digits, several, title, word } from "../language.ts";
import { SQUARE, TALL, WIDE, printed } from "./form.ts";

const SIZES = [...WIDE, ...TALL, ...SQUARE] as const;

type Point = readonly [x: number, y: number];

/** A closed line about a point, as uneven as a coast. */
function outline(random: Random, [x, y]: Point, radius: number, corners: number): string {
  const points = several(corners, (k) => {
    const far = radius * (0.7 + 0.6 * random());
    const turn = (2 * Math.PI * k) / corners;
    return `${(x + far * Math.cos(turn)).toFixed(1)} ${(y + far * Math.sin(turn)).toFixed(1)}`;
  });
  return `M${points.join("L")}z`;
}

/** Where streets meet: a grid pushed out of order, by columns and rows. */
function crossings({ width, height, random }: Canvas, columns: number, rows: number): readonly Point[] {
  return several((columns + 1) * (rows + 1), (k) => [
    ((k % (columns + 1)) + (random() - 0.5) * 0.6) * (width / columns),
    (Math.floor(k / (columns + 1)) + (random() - 0.5) * 0.6) * (height / rows),
  ]);
}

/** A walk along neighbouring crossings. */
function walk(random: Random, at: readonly Point[], columns: number, steps: number): Point[] {
  const across = columns + 1;
  const rows = at.length / across;
  let [column, row] = [between(random, 1, across - 2), between(random, 1, rows - 2)];
  return several(steps, () => {
    const isAcross = random() < 0.5;
    const by = random() < 0.5 ? -1 : 1;
    if (isAcross) column = Math.min(across - 2, Math.max(1, column + by));
    else row = Math.min(rows - 2, Math.max(1, row + by));
    return at[row * across + column]!;
  });
}

function pin(canvas: Canvas, own: Random, x: number, y: number): string {
  const { unit, style } = canvas;
  const size = unit * (0.5 + 0.4 * own());
  return (
    path(
      `M${x} ${y}q${-size} ${-size} ${-size} ${-1.6 * size}a${size} ${size} 0 0 1 ${2 * size} 0q0 ${0.6 * size} ${-size} ${1.6 * size}z`,
      {
        fill: style.accent,
        stroke: style.ink,
        line: 1.5,
      },
    ) + disc(x, y - 1.6 * size, size * 0.35, { fill: "#fff" })
  );
}

/** Maps and plans with much in them, and ways, places or marks that each member has of its own. */
export const MAPS: readonly Design[] = [
  printed("street-map", SIZES, (canvas) => {
    const { width, height, style, random, unit } = canvas;
    const [columns, rows] = [between(random, 7, 16), between(random, 6, 13)];
    const at = crossings(canvas, columns, rows);
    const across = columns + 1;
    const isThere = at.map(() => random() < 0.85);
    const street = between(random, 2, 9);
    const streets = at.flatMap((from, k) =>
      [k % across < columns ? at[k + 1] : undefined, at[k + across]].flatMap((to) =>
        to !== undefined && isThere[k] ? [rule(...from, ...to, style.faint, street)] : [],
      ),
    );
    const route = between(random, 3, 9);
    return {
      form:
        several(between(random, 2, 6), () =>
          path(outline(random, [width * random(), height * random()], unit * (1 + 3 * random()), 9), {
            fill: style.second,
            opacity: 0.35,
          }),
        ).join("") +
        streets.join("") +
        polyline(
          several(9, (k) => [(k * width) / 8, height * (0.35 + 0.3 * random())] as const),
          style.second,
          unit * (0.4 + 0.6 * random()),
        ) +
        several(between(random, 15, 45), () => {
          const [x, y] = pick(random, at);
          return text(
            style,
            x + street,
            y - street,
            unit * (0.35 + 0.4 * random()),
            title(random, style.script, 1),
          );
        }).join(""),
      says: (own) => {
        const way = walk(own, at, columns, between(own, 6, 20));
        return (
          polyline(way, style.accent, route) +
          disc(...way[0]!, unit * 0.4, { fill: "#fff", stroke: style.ink, line: 4 }) +
          (own() < 0.6 ? pin(canvas, own, ...way[way.length - 1]!) : "")
        );
      },
    };
  }),
  printed("pinned-map", SIZES, (canvas) => {
    const { width, height, style, random, unit } = canvas;
    const tops = several(between(random, 2, 4), () => [width * random(), height * random()] as const);
    return {
      form:
        tops
          .flatMap((top) =>
            several(between(random, 5, 11), (k) =>
              path(outline(random, top, unit * (1.5 + 1.4 * k), 24), { stroke: style.faint, line: 1.5 }),
            ),
          )
          .join("") +
        several(between(random, 10, 30), () => {
          const [x, y] = [width * random(), height * random()];
          return (
            disc(x, y, 3, { fill: style.ink }) +
            text(style, x + 5, y, 0.55 * unit, title(random, style.script, 1))
          );
        }).join("") +
        several(between(random, 3, 8), () =>
          polyline(
            several(7, (k) => [(k * width) / 6, height * random()] as const),
            style.second,
            3,
          ),
        ).join(""),
      says: (own) =>
        several(between(own, 3, 9), () =>
          pin(canvas, own, width * (0.05 + 0.9 * own()), height * (0.1 + 0.85 * own())),
        ).join(""),
    };
  }),
  printed("weather-map", WIDE, (canvas) => {
    const { width, height, style, random, unit } = canvas;
    const towns = several(
      between(random, 9, 22),
      () => [width * (0.05 + 0.85 * random()), height * (0.08 + 0.85 * random())] as const,
    );
    return {
      form:
        several(between(random, 2, 4), () =>
          path(outline(random, [width * random(), height * random()], unit * (5 + 5 * random()), 28), {
            fill: style.second,
            stroke: style.ink,
            line: 2,
            opacity: 0.5,
          }),
        ).join("") +
        several(between(random, 4, 9), () =>
          polyline(
            several(8, (k) => [(k * width) / 7, height * random()] as const),
            style.faint,
            2,
          ),
        ).join("") +
        towns
          .map(
            ([x, y]) =>
              disc(x, y, 4, { fill: style.ink }) +
              text(style, x + 6, y + 4, 0.6 * unit, title(random, style.script, 1)),
          )
          .join(""),
      says: (own) =>
        several(between(own, 2, 4), () => {
          const low = [width * own(), height * own()] as const;
          return several(3, (k) =>
            path(outline(own, low, unit * (2 + 2 * k), 14), { stroke: style.accent, line: 3 }),
          ).join("");
        }).join("") +
        towns
          .map(([x, y]) =>
            text(style, x, y - 0.4 * unit, unit, `${between(own, -9, 34)}°`, {
              fill: style.accent,
              bold: true,
            }),
          )
          .join(""),
    };
  }),
  printed("line-map", WIDE, (canvas) => {
    const { width, height, style, random, unit } = canvas;
    const ways = several(between(random, 4, 8), () => {
      let [x, y] = [unit, height * random()];
      return several(between(random, 6, 12), (): Point => {
        x += width / 10;
        y = Math.min(height - unit, Math.max(unit, y + pick(random, [-1, 0, 0, 1]) * (width / 10)));
        return [x, y];
      });
    });
    const thick = between(random, 3, 8);
    const stops = ways.flat();
    return {
      form:
        ways.map((way, k) => polyline(way, [style.second, style.faint, style.ink][k % 3]!, thick)).join("") +
        stops
          .map(([x, y]) => disc(x, y, thick, { fill: style.ground, stroke: style.ink, line: 2 }))
          .join("") +
        stops
          .map(([x, y]) =>
            text(style, x, y - 1.4 * thick, 0.5 * unit, word(random, style.script), { turn: -30 }),
          )
          .join(""),
      says: (own) => {
        const way = pick(own, ways);
        const from = between(own, 0, way.length - 4);
        const part = way.slice(from, from + between(own, 3, way.length - from));
        return (
          polyline(part, style.accent, thick + 3) +
          part.map(([x, y]) => disc(x, y, thick * 0.8, { fill: style.accent })).join("") +
          several(between(own, 1, 4), () => {
            const [x, y] = pick(own, stops);
            return path(`M${x - unit / 2} ${y - unit / 2}l${unit} ${unit}m0 ${-unit}l${-unit} ${unit}`, {
              stroke: style.accent,
              line: 5,
            });
          }).join("")
        );
      },
    };
  }),
  printed("floor-plan", SIZES, (canvas) => {
    const { width, height, style, random, unit } = canvas;
    const [columns, rows] = [between(random, 3, 6), between(random, 2, 5)];
    const [w, h] = [(width - 2 * unit) / columns, (height - 2 * unit) / rows];
    const wall = between(random, 4, 10);
    const rooms = several(columns * rows, (k) => ({
      x: unit + (k % columns) * w,
      y: unit + Math.floor(k / columns) * h,
    }));
    return {
      form: rooms
        .map(
          ({ x, y }) =>
            box(x, y, w, h, { stroke: style.ink, line: wall }) +
            rule(x + w * 0.3, y, x + w * 0.55, y, style.ground, wall + 2) +
            path(`M${x + w * 0.3} ${y}a${w * 0.25} ${w * 0.25} 0 0 0 ${w * 0.25} ${w * 0.25}v${-w * 0.25}`, {
              stroke: style.faint,
              line: 2,
            }) +
            text(
              style,
              x + w * 0.1,
              y + h * 0.9,
              0.55 * unit,
              `${digits(random, 2)}.${digits(random, 1)} m²`,
            ) +
            text(style, x + w * 0.1, y + h * 0.75, 0.6 * unit, title(random, style.script, 1)),
        )
        .join(""),
      says: (own) =>
        rooms
          .map(({ x, y }) =>
            several(between(own, 0, 3), () => {
              const [left, top] = [x + w * (0.1 + 0.5 * own()), y + h * (0.15 + 0.4 * own())];
              return own() < 0.6
                ? box(left, top, w * (0.1 + 0.25 * own()), h * (0.1 + 0.2 * own()), {
                    stroke: style.accent,
                    line: 3,
                  })
                : disc(left, top, Math.min(w, h) * 0.12, { stroke: style.accent, line: 3 });
            }).join(""),
          )
          .join(""),
    };
  }),
];
