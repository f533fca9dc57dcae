import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { box, disc, path, polyline, rule, text } from "../drawing.ts";
import { amount, between, clockTime, date, digits, person, several, title, word } from "../language.ts";
import { type Form, SQUARE, TALL, WIDE, printed } from "./form.ts";

type Spot = readonly [x: number, y: number];

/** Columns of a list: how wide each is, and what it says. */
interface Column {
  readonly wide: number;
  readonly says: (by: Random) => string;
}

/**
 * A list of which a few cells, four at least and an eighth of all at most, are each member's own; ruled, every other
 * row on a band, or neither.
 */
function list(
  { width, height, unit, random, style }: Canvas,
  columns: readonly Column[],
  most: number,
): Form {
  const count = between(random, 9, most);
  const top = unit * (3 + 2 * random());
  const h = (height - top - unit) / count;
  const total = columns.reduce((sum, { wide }) => sum + wide, 0);
  const size = Math.min(0.55 * h, 0.9 * unit, (0.45 * (width - 2 * unit)) / total);
  const left = columns.map(
    (_, c) =>
      unit + ((width - 2 * unit) * columns.slice(0, c).reduce((sum, { wide }) => sum + wide, 0)) / total,
  );
  const cells = count * columns.length;
  const chosen = new Set<number>();
  const few = between(random, 4, Math.max(6, Math.floor(cells / 8)));
  while (chosen.size < few) chosen.add(between(random, 0, cells - 1));
  const isOwn = several(cells, (k) => chosen.has(k));
  const put = (k: number, by: Random, fill: string): string => {
    const column = columns[k % columns.length]!;
    return text(
      style,
      left[k % columns.length]!,
      top + (Math.floor(k / columns.length) + 0.68) * h,
      size,
      column.says(by),
      { fill },
    );
  };
  const behind = pick(random, [
    (y: number) => rule(unit, y, width - unit, y, style.faint, 1),
    (y: number, k: number) =>
      k % 2 ? box(unit / 2, y, width - unit, h, { fill: style.faint, opacity: 0.35 }) : "",
    () => "",
  ]);
  const marked = random() < 0.3 ? style.accent : style.ink;
  return {
    form:
      box(0, 0, width, 0.8 * top, { fill: pick(random, [style.accent, style.second, style.ground]) }) +
      text(style, unit, 0.55 * top, 0.35 * top, title(random, style.script, 2), { bold: true }) +
      several(count, (k) => behind(top + k * h, k)).join("") +
      isOwn.map((own, k) => (own ? "" : put(k, random, style.ink))).join(""),
    says: (by) => isOwn.map((own, k) => (own ? put(k, by, marked) : "")).join(""),
  };
}

const time: Column = { wide: 2, says: clockTime };
const sum: Column = { wide: 2, says: amount };
const figure: Column = { wide: 1, says: (by) => String(between(by, 0, 99)) };
const name: Column = { wide: 4, says: (by) => title(by, "latin", 2) };
const someone: Column = { wide: 4, says: (by) => person(by, "latin") };

/** Places in rows or bows, some of which each member has taken. */
function seats({ style, unit, random }: Canvas, places: readonly Spot[], side: number): Form {
  const isRound = random() < 0.4;
  const sold = places.map(() => random() < 0.3);
  const put = ([x, y]: Spot, fill: string): string => {
    const edge = { fill, stroke: style.ink, line: 1.2 };
    return isRound
      ? disc(x, y, side / 2, edge)
      : path(
          `M${x - side / 2} ${y + side / 2}v${-0.7 * side}q0 ${-0.3 * side} ${side / 2} ${-0.3 * side}t${side / 2} ${0.3 * side}v${0.7 * side}z`,
          edge,
        );
  };
  const isNumbered = random() < 0.5;
  return {
    form: places
      .map(
        (each, k) =>
          put(each, sold[k] ? style.faint : style.ground) +
          (isNumbered
            ? text(style, each[0], each[1] + side / 6, 0.4 * side, String(k + 1), { anchor: "middle" })
            : ""),
      )
      .join(""),
    says: (own) =>
      several(between(own, 2, 10), () => put(pick(own, places), style.accent)).join("") +
      text(style, unit, 1.6 * unit, unit, `${date(own)} ${clockTime(own)}`),
  };
}

const ALONG: readonly Spot[] = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
];
const SLANTING: readonly Spot[] = [
  [1, 1],
  [-1, 1],
  [1, -1],
];

/** Lines between stations, as on plans of a network, and a way from one to another with what it is called. */
function routes({ width, height, unit, random, style }: Canvas, isSlanting: boolean): Form {
  const colours = [style.accent, style.second, "#0072bc", "#00a651", "#f7941d", "#92278f", "#8c6239"];
  const step = Math.min(width, height) / between(random, 7, 11);
  const [across, down] = [Math.floor(width / step) - 1, Math.floor(height / step) - 1];
  const steps: readonly Spot[] = isSlanting ? [...ALONG, ...SLANTING] : ALONG;
  const isOn = ([c, r]: Spot): boolean => c >= 0 && c <= across && r >= 0 && r <= down;
  const ways = several(between(random, 4, 7), () => {
    let at: Spot = [between(random, 0, across), between(random, 0, down)];
    const stops = [at];
    let go = pick(random, steps);
    while (stops.length < 12) {
      if (random() < 0.3) go = pick(random, steps);
      const next: Spot = [at[0] + go[0], at[1] + go[1]];
      if (isOn(next)) stops.push((at = next));
      else go = pick(random, steps);
    }
    return stops.map(([x, y]): Spot => [(x + 0.8) * step, (y + 0.9) * step]);
  });
  const stations = ways.flat();
  const line = unit * (0.25 + 0.25 * random());
  return {
    form:
      ways.map((way, k) => polyline(way, colours[k % colours.length]!, line)).join("") +
      stations
        .map(
          ([x, y]) =>
            disc(x, y, 0.8 * line, { fill: style.ground, stroke: style.ink, line: 2 }) +
            text(style, x + line, y - line, 0.6 * unit, title(random, style.script, 1), { turn: -35 }),
        )
        .join(""),
    says: (own) => {
      const way = pick(own, ways);
      const [from, to] = [between(own, 0, way.length - 2), way.length - 1];
      const ridden = way.slice(from, between(own, from + 1, to) + 1);
      return (
        polyline(ridden, "#ffffff", 0.5 * line) +
        several(between(own, 1, 3), () => {
          const [x, y] = pick(own, stations);
          return (
            box(x - unit, y + line, 3 * unit, unit, { fill: style.accent, corner: 4 }) +
            text(style, x - 0.7 * unit, y + line + 0.75 * unit, 0.7 * unit, clockTime(own), { fill: "#fff" })
          );
        }).join("") +
        ridden
          .filter((_, k) => k % (ridden.length - 1) === 0)
          .map(([x, y]) => disc(x, y, 1.6 * line, { stroke: "#e00020", line: 5 }))
          .join("")
      );
    },
  };
}

/** Squares with letters or numbers, of which each member fills some. */
function squares(
  { width, unit, random, style }: Canvas,
  cells: number,
  kind: "letters" | "digits" | "numbers",
): Form {
  const side = (width - 2 * unit) / cells;
  const top = 1.4 * unit;
  const at = (k: number): Spot => [unit + (k % cells) * side, top + Math.floor(k / cells) * side];
  const said = (by: Random): string =>
    kind === "digits"
      ? digits(by, 1)
      : kind === "numbers"
        ? String(between(by, 1, 90))
        : word(by, style.script).charAt(0).toUpperCase();
  const isBlack = several(cells * cells, () => kind === "letters" && random() < 0.2);
  const given = isBlack.map(
    (black) => !black && random() < (kind === "numbers" ? 0.9 : kind === "digits" ? 0.35 : 0),
  );
  const write = (k: number, by: Random, fill: string): string =>
    text(style, at(k)[0] + side / 2, at(k)[1] + 0.72 * side, 0.58 * side, said(by), {
      anchor: "middle",
      fill,
    });
  const open = isBlack.flatMap((black, k) => (black || given[k] ? [] : [k]));
  const share = 0.1 + 0.6 * random();
  return {
    form:
      isBlack
        .map((black, k) =>
          box(...at(k), side, side, { fill: black ? style.ink : style.ground, stroke: style.ink, line: 1.5 }),
        )
        .join("") +
      (kind === "digits"
        ? several(9, (k) =>
            box(unit + (k % 3) * 3 * side, top + Math.floor(k / 3) * 3 * side, 3 * side, 3 * side, {
              stroke: style.ink,
              line: 4,
            }),
          ).join("")
        : "") +
      given.map((is, k) => (is ? write(k, random, style.ink) : "")).join(""),
    says: (own) =>
      open.map((k) => (own() < share ? write(k, own, style.accent) : "")).join("") +
      (kind === "numbers"
        ? several(between(own, 4, 14), () => {
            const [x, y] = at(between(own, 0, cells * cells - 1));
            return disc(x + side / 2, y + side / 2, 0.4 * side, { fill: style.accent, opacity: 0.6 });
          }).join("")
        : ""),
  };
}

/** Lists of which few cells differ, seats, networks and squares to be filled. */
export const SEATED: readonly Design[] = [
  printed("price-sheet", TALL, (canvas) => list(canvas, [name, sum, sum, figure], 30)),
  printed("departures-strip", WIDE, (canvas) => list(canvas, [time, name, figure, time, name], 16)),
  printed("exam-marks", TALL, (canvas) =>
    list(canvas, [someone, ...several(between(canvas.random, 4, 8), () => figure)], 32),
  ),
  printed("wine-list", TALL, (canvas) =>
    list(canvas, [{ wide: 6, says: (by) => title(by, "latin", 3) }, figure, sum], 24),
  ),
  printed("connections-by-hour", WIDE, (canvas) =>
    list(
      canvas,
      several(between(canvas.random, 9, 18), () => time),
      24,
    ),
  ),
  printed("medal-table", SQUARE, (canvas) => list(canvas, [name, figure, figure, figure, figure], 20)),
  printed("standings", WIDE, (canvas) => list(canvas, [figure, someone, ...several(6, () => figure)], 22)),
  printed("coach-seats", TALL, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const down = between(random, 10, 16);
    const side = Math.min((height - 6 * unit) / down / 1.15, (width - 4 * unit) / 7);
    const columns = pick(random, [
      [0, 1, 3, 4],
      [0, 2, 3],
      [0, 1, 2, 4, 5, 6],
    ]);
    const wide = (columns.at(-1) + 1) * side;
    const left = (width - wide) / 2;
    const places = several(
      columns.length * down,
      (k): Spot => [
        left + (columns[k % columns.length]! + 0.5) * side,
        5 * unit + (Math.floor(k / columns.length) + 0.5) * 1.12 * side,
      ],
    );
    const { form, says } = seats(canvas, places, 0.8 * side);
    return {
      form:
        box(left - unit, 3 * unit, wide + 2 * unit, height - 3.5 * unit, {
          stroke: style.ink,
          line: 4,
          corner: 2 * unit,
        }) + form,
      says,
    };
  }),
  printed("stage-seats", WIDE, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const down = between(random, 6, 11);
    const side = (height - 6 * unit) / down;
    const places = several(down, (row) => {
      const count = 16 + 2 * row;
      const step = Math.min(side, (width - 2 * unit) / (count + 4));
      return several(count, (k): Spot => {
        const x = (k - (count - 1) / 2) * step + (k < count / 3 ? -step : k >= (2 * count) / 3 ? step : 0);
        return [width / 2 + x, 5.2 * unit + row * side * 0.95 - (0.35 * unit * x * x) / (width * unit)];
      });
    }).flat();
    const { form, says } = seats(canvas, places, 0.62 * Math.min(side, (width - 2 * unit) / (20 + 2 * down)));
    return {
      form:
        path(`M${0.3 * width} ${unit}h${0.4 * width}l${-unit} ${2 * unit}h${-(0.4 * width - 2 * unit)}z`, {
          fill: style.second,
        }) + form,
      says,
    };
  }),
  printed("metro-routes", WIDE, (canvas) => routes(canvas, true)),
  printed("bus-routes", SQUARE, (canvas) => routes(canvas, false)),
  printed("arrow-words", SQUARE, (canvas) => squares(canvas, between(canvas.random, 9, 15), "letters")),
  printed("nine-by-nine", SQUARE, (canvas) => squares(canvas, 9, "digits")),
  printed("bingo-card", SQUARE, (canvas) => squares(canvas, between(canvas.random, 5, 9), "numbers")),
];
