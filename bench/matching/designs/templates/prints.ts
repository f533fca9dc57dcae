import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { box, disc, path, rule, text, tiled } from "../drawing.ts";
import { between, date, digits, several, title } from "../language.ts";
import { ANY, SQUARE, TALL, template } from "./template.ts";

const turned = (turn: number, x: number, y: number, drawn: string): string =>
  `<g transform="rotate(${turn} ${x} ${y})">${drawn}</g>`;

/** A white card with a picture in it, on a ground; its lower margin is the widest. */
function card(
  canvas: Canvas,
  ground: string,
  label: (own: Random) => string,
): ReturnType<Parameters<typeof template>[2]> {
  const { width, height, unit, style, random } = canvas;
  const turn = pick(random, [0, between(random, -12, 12)]);
  const [x, y] = [unit * (1 + 3 * random()), unit * (1 + 2.5 * random())];
  const [w, h] = [width - 2 * x, height - 2 * y];
  const [middleX, middleY] = [width / 2, height / 2];
  const inset = w * (0.03 + 0.05 * random());
  const paper = pick(random, ["#ffffff", "#fbfaf4", "#f4efe2", "#181818"]);
  // Turned about its own middle, as `photograph` turns it: what is off the card's middle must lie there when the card
  // is turned.
  const frame = {
    x: x + inset,
    y: turn === 0 ? y + inset : y + 0.1 * h,
    width: w - 2 * inset,
    height: turn === 0 ? h * (0.72 + 0.1 * random()) : 0.8 * h,
    turn,
  };
  return {
    frame,
    under:
      ground +
      turned(
        turn,
        middleX,
        middleY,
        box(x + 6, y + 8, w, h, { fill: "#000", opacity: 0.3 }) + box(x, y, w, h, { fill: paper }),
      ),
    says: (own) =>
      turned(
        turn,
        middleX,
        middleY,
        text(
          { ...style, ink: paper === "#181818" ? "#e0e0e0" : "#303030" },
          middleX,
          y + h - 0.03 * h,
          0.055 * h,
          label(own),
          { anchor: "middle" },
        ),
      ),
  };
}

const written = ({ random, style }: Canvas): ((own: Random) => string) => {
  const same = title(random, style.script, 2);
  return pick(random, [
    () => same,
    (own: Random) => title(own, style.script, 1),
    (own: Random) => `${same} ${date(own)}`,
    (own: Random) => digits(own, 4),
  ]);
};

/** Prints and instant film on grounds with a pattern of their own. */
export const PRINTS: readonly Design[] = [
  template("film-on-graph-paper", SQUARE, (canvas) => {
    const { width, height, unit, style, random } = canvas;
    const step = unit * (0.3 + 0.9 * random());
    const ground =
      box(0, 0, width, height, { fill: style.ground }) +
      tiled(
        [width, height],
        [step, step],
        pick(random, [0, 0, between(random, -10, 10)]),
        rule(0, 0, step, 0, style.second, 2) + rule(0, 0, 0, step, style.second, 2),
      );
    return card(canvas, ground, written(canvas));
  }),
  template("film-on-cutting-mat", ANY, (canvas) => {
    const { width, height, unit, style, random } = canvas;
    const step = unit * (0.8 + random());
    const ground =
      box(0, 0, width, height, { fill: pick(random, ["#1f5a46", "#204070", "#303030", style.accent]) }) +
      tiled(
        [width, height],
        [step, step],
        0,
        rule(0, 0, step, 0, "#e8e8c0", 1) + rule(0, 0, 0, step, "#e8e8c0", 1),
      ) +
      several(Math.floor(width / step), (k) =>
        text(
          { font: "sans-serif", ink: "#e8e8c0", bold: false },
          k * step + 3,
          unit * 0.7,
          unit * 0.5,
          String(k),
        ),
      ).join("") +
      rule(0, height, width, 0, "#e8e8c0", 2);
    return card(canvas, ground, written(canvas));
  }),
  template("film-on-tiles", [...SQUARE, ...TALL], (canvas) => {
    const { width, height, unit, style, random } = canvas;
    const s = unit * (1 + 2.5 * random());
    const ground =
      box(0, 0, width, height, { fill: style.faint }) +
      tiled(
        [width, height],
        [2 * s, 2 * s],
        pick(random, [0, 45]),
        box(0, 0, s, s, { fill: style.accent }) +
          box(s, s, s, s, { fill: style.accent }) +
          disc(s, s, s * 0.3, { fill: style.ground, stroke: style.ink, line: 2 }),
      );
    return card(canvas, ground, written(canvas));
  }),
  template("film-on-planks", ANY, (canvas) => {
    const { width, height, style, unit, random } = canvas;
    const step = unit * (2 + 3 * random());
    const planks = several(
      Math.ceil(width / step),
      (k) =>
        several(between(random, 5, 14), () =>
          path(
            `M${(k * step + step * random()).toFixed(1)} 0q${(6 * random() - 3).toFixed(1)} ${height / 2} ${(8 * random() - 4).toFixed(1)} ${height}`,
            {
              stroke: style.ink,
              line: 1,
              opacity: 0.2 + 0.5 * random(),
            },
          ),
        ).join("") + rule(k * step, 0, k * step, height, "#201008", 3),
    ).join("");
    return card(
      canvas,
      box(0, 0, width, height, { fill: pick(random, ["#a87848", "#c8a878", "#705038", style.second]) }) +
        planks,
      written(canvas),
    );
  }),
  template("film-on-dots", SQUARE, (canvas) => {
    const { width, height, style, unit, random } = canvas;
    const s = unit * (0.5 + 1.2 * random());
    const ground =
      box(0, 0, width, height, { fill: style.accent }) +
      tiled(
        [width, height],
        [s, s],
        pick(random, [0, 30, 45]),
        disc(s / 2, s / 2, s * (0.15 + 0.25 * random()), { fill: style.ground }),
      );
    return card(canvas, ground, written(canvas));
  }),
  template("film-on-newsprint", ANY, (canvas) => {
    const { width, height, style, unit, random } = canvas;
    const size = unit * (0.5 + 0.5 * random());
    const columns = between(random, 2, 5);
    const ground =
      box(0, 0, width, height, { fill: "#eee8d8" }) +
      several(Math.floor(height / (1.4 * size)), (row) =>
        several(columns, (k) =>
          text(
            { ...style, ink: "#282828" },
            (k * width) / columns + 4,
            (row + 1) * 1.4 * size,
            size,
            title(random, style.script, 3),
          ),
        ).join(""),
      ).join("");
    return card(canvas, ground, written(canvas));
  }),
  template("film-on-a-map", ANY, (canvas) => {
    const { width, height, style, unit, random } = canvas;
    const ways = several(between(random, 20, 50), () =>
      path(
        `M${(width * random()).toFixed(1)} ${(height * random()).toFixed(1)}q${(unit * (10 * random() - 5)).toFixed(1)} ${(unit * (10 * random() - 5)).toFixed(1)} ${(unit * (16 * random() - 8)).toFixed(1)} ${(unit * (16 * random() - 8)).toFixed(1)}`,
        {
          stroke: pick(random, [style.second, style.faint, style.ink]),
          line: between(random, 1, 6),
        },
      ),
    ).join("");
    const towns = several(between(random, 20, 50), () =>
      text(style, width * random(), height * random(), 0.6 * unit, title(random, style.script, 1)),
    ).join("");
    return card(canvas, box(0, 0, width, height, { fill: style.ground }) + ways + towns, written(canvas));
  }),
];
