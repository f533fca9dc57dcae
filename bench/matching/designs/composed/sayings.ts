import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import type { Canvas } from "../canvas.ts";
import { box, disc, path, polyline, rule, text } from "../drawing.ts";
import { amount, between, clockTime, date, digits, person, several, title } from "../language.ts";
import type { Piece } from "./piece.ts";

type Point = readonly [x: number, y: number];
/** What a member says somewhere on a page, each time something else. */
export type Saying = (canvas: Canvas) => Piece["says"];

/** Colours that are seen on any ground. */
const LOUD = ["#d01020", "#1030c0", "#ffffff", "#101010", "#f0b000", "#008a50"] as const;

/** Somewhere on a page, not at its edge. */
export const spot = ({ width, height }: Canvas, own: Random): Point => [
  width * (0.05 + 0.9 * own()),
  height * (0.05 + 0.9 * own()),
];

/** One thing at so many places. */
const scattered =
  (least: number, most: number, one: (canvas: Canvas) => (own: Random, at: Point) => string): Saying =>
  (canvas) => {
    const put = one(canvas);
    return (own) => several(between(own, least, most), () => put(own, spot(canvas, own))).join("");
  };

/** A way with its stops, which are numbered. */
const stops: Saying = (canvas) => {
  const { random, style, unit } = canvas;
  const [colour, line] = [pick(random, LOUD), unit * (0.12 + 0.3 * random())];
  return (own) => {
    let [x, y] = spot(canvas, own);
    let turn = 7 * own();
    const points = several(between(own, 25, 70), (): Point => {
      turn += 0.8 * (own() - 0.5);
      [x, y] = [x + 0.6 * unit * Math.cos(turn), y + 0.6 * unit * Math.sin(turn)];
      return [x, y];
    });
    return (
      polyline(points, colour, line) +
      points
        .filter((_, k) => k % 8 === 0)
        .map(
          ([atX, atY], k) =>
            disc(atX, atY, 0.5 * unit, { fill: style.ground, stroke: colour, line: 3 }) +
            text(style, atX, atY + 0.25 * unit, 0.7 * unit, String(k + 1), { anchor: "middle" }),
        )
        .join("")
    );
  };
};

const pins = scattered(2, 12, ({ random, style, unit }) => {
  const colour = pick(random, LOUD);
  return (own, [x, y]) =>
    path(`M${x} ${y}l${-0.5 * unit} ${-1.1 * unit}a${0.55 * unit} ${0.55 * unit} 0 1 1 ${unit} 0z`, {
      fill: colour,
      stroke: style.ground,
      line: 2,
    }) +
    (own() < 0.6
      ? text(style, x + 0.7 * unit, y, 0.8 * unit, title(own, style.script, 1), { stroke: style.ground })
      : "");
});

const plates = scattered(2, 8, ({ random, style, unit }) => {
  const [fill, opacity] = [pick(random, [style.ground, style.accent]), 0.5 + 0.5 * random()];
  const ink = fill === style.accent ? "#ffffff" : style.ink;
  const said = pick(random, [clockTime, date, amount, (own: Random) => title(own, style.script, 2)]);
  return (own, [x, y]) =>
    box(x, y, unit * between(own, 4, 7), 1.6 * unit, { fill, opacity, corner: style.corner / 3 }) +
    text(style, x + 0.4 * unit, y + 1.15 * unit, unit, said(own), { fill: ink });
});

const hatched = scattered(1, 5, ({ random, unit }) => {
  const [colour, gap] = [pick(random, LOUD), 5 + 8 * random()];
  return (own, [x, y]) => {
    const [wide, high] = [unit * (2 + 6 * own()), unit * (2 + 5 * own())];
    return (
      box(x, y, wide, high, { stroke: colour, line: 3 }) +
      several(Math.floor(wide / gap), (k) =>
        rule(x + k * gap, y, x + (k + 1) * gap, y + high, colour, 1.5),
      ).join("")
    );
  };
});

const arrows = scattered(4, 25, ({ random, unit }) => {
  const [colour, line] = [pick(random, LOUD), unit * (0.1 + 0.25 * random())];
  return (own, [x, y]) => {
    const [turn, far] = [6.3 * own(), unit * (1 + 3 * own())];
    const [toX, toY] = [x + far * Math.cos(turn), y + far * Math.sin(turn)];
    const barb = (side: number): Point => [
      toX - 0.7 * unit * Math.cos(turn + side),
      toY - 0.7 * unit * Math.sin(turn + side),
    ];
    return (
      polyline(
        [
          [x, y],
          [toX, toY],
        ],
        colour,
        line,
      ) + polyline([barb(0.5), [toX, toY], barb(-0.5)], colour, line)
    );
  };
});

const stamps = scattered(1, 3, ({ random, style, unit }) => {
  const colour = pick(random, ["#a01830", "#20308a", "#207040"]);
  return (own, [x, y]) => {
    const r = unit * (1.5 + 2 * own());
    return (
      disc(x, y, r, { stroke: colour, line: r / 8, opacity: 0.8 }) +
      disc(x, y, 0.7 * r, { stroke: colour, line: 2, opacity: 0.8 }) +
      text(style, x, y + 0.12 * r, 0.35 * r, date(own), {
        fill: colour,
        anchor: "middle",
        turn: between(own, -40, 40),
      })
    );
  };
});

const measures = scattered(3, 10, ({ random, style, unit }) => {
  const colour = pick(random, LOUD);
  return (own, [x, y]) => {
    const [isAcross, far] = [own() < 0.5, unit * (2 + 6 * own())];
    const [toX, toY] = isAcross ? [x + far, y] : [x, y + far];
    const end = (atX: number, atY: number): string =>
      isAcross ? rule(atX, atY - 8, atX, atY + 8, colour, 2) : rule(atX - 8, atY, atX + 8, atY, colour, 2);
    return (
      rule(x, y, toX, toY, colour, 2) +
      end(x, y) +
      end(toX, toY) +
      text(
        style,
        (x + toX) / 2 + 6,
        (y + toY) / 2 - 6,
        0.8 * unit,
        `${between(own, 1, 99)}.${digits(own, 1)}`,
        { stroke: style.ground },
      )
    );
  };
});

const figures = scattered(6, 30, ({ random, style, unit }) => {
  const [size, places] = [unit * (0.5 + 0.7 * random()), between(random, 1, 4)];
  return (own, [x, y]) => text(style, x, y, size, digits(own, places), { stroke: style.ground });
});

const spots = scattered(5, 40, ({ random, unit }) => {
  const [colour, opacity] = [pick(random, LOUD), 0.4 + 0.5 * random()];
  return (own, [x, y]) => disc(x, y, unit * (0.1 + 1.2 * own() * own()), { fill: colour, opacity });
});

/** Signatures, or notes by hand. */
const scrawls = scattered(1, 4, ({ random, unit }) => {
  const [colour, line] = [pick(random, ["#102080", "#101010", "#b01020"]), unit * (0.08 + 0.1 * random())];
  return (own, [x, y]) => {
    const steps = several(
      between(own, 8, 26),
      () =>
        `q${(0.5 * unit * own()).toFixed(1)} ${(2.4 * unit * (own() - 0.5)).toFixed(1)} ${(0.5 * unit).toFixed(1)} ${(0.8 * unit * (own() - 0.5)).toFixed(1)}`,
    );
    return path(`M${x} ${y}${steps.join("")}`, { stroke: colour, line });
  };
});

/** One line to fill in below the other, on the ground itself. */
const lines: Saying = ({ width, height, random, style, unit }) => {
  const [x, y] = [width * (0.08 + 0.3 * random()), height * (0.15 + 0.2 * random())];
  const [step, size] = [unit * (1.6 + 1.4 * random()), unit * (0.9 + 0.6 * random())];
  const kinds = several(between(random, 3, 9), () =>
    pick(random, [date, amount, (own: Random) => person(own, style.script)]),
  );
  return (own) =>
    kinds.map((said, k) => text(style, x, y + k * step, size, said(own), { bold: k === 0 })).join("");
};

/** Things that lie on a page wherever each member has them. */
export const SAYINGS: readonly Saying[] = [
  stops,
  pins,
  plates,
  hatched,
  arrows,
  stamps,
  measures,
  figures,
  spots,
  scrawls,
  lines,
];
