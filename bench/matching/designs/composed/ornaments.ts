import { pick } from "@colophon/testing/chance.ts";
import type { Canvas } from "../canvas.ts";
import { box, disc, path, rule, shaded, text, tiled } from "../drawing.ts";
import { amount, between, clockTime, date, several, title, word, words } from "../language.ts";

export type Ornament = (canvas: Canvas) => string;

const LIGHT = ["#ffffff", "#ffffff", "#000000", "#ffd000", "#d01818", "#20a0e0"] as const;

const said = ({ style, random }: Canvas): string =>
  pick(random, [
    title(random, style.script, between(random, 1, 4)),
    words(random, style.script, 2).toUpperCase(),
    `© ${word(random, style.script)}`,
    `@${word(random, "latin")}`,
    date(random),
    clockTime(random),
    amount(random),
  ]);

/** Lettering of any size, turn and colour, somewhere. */
const lettering: Ornament = (canvas) => {
  const { width, height, style, random, unit } = canvas;
  const size = unit * (0.8 + 4 * random() * random());
  return text(style, width * (0.05 + 0.5 * random()), height * (0.08 + 0.88 * random()), size, said(canvas), {
    fill: pick(random, [...LIGHT, style.accent]),
    opacity: 0.35 + 0.65 * random(),
    bold: random() < 0.5,
    ...(random() < 0.4 ? { stroke: pick(random, LIGHT) } : {}),
    ...(random() < 0.3 ? { turn: between(random, -60, 60) } : {}),
  });
};

/** Lettering or shapes all over. */
const tiles: Ornament = (canvas) => {
  const { width, height, style, random, unit } = canvas;
  const size = unit * (0.5 + 1.6 * random());
  const [across, down] = [Math.round(size * (3 + 7 * random())), Math.round(size * (2 + 4 * random()))];
  const fill = pick(random, LIGHT);
  const inside = pick(random, [
    () => text(style, 2, size, size, said(canvas), { fill, bold: random() < 0.5 }),
    () => disc(size, size, size * 0.6, { stroke: fill, line: between(random, 1, 6) }),
    () => path(`M0 ${size}l${size} ${-size}l${size} ${size}z`, { stroke: fill, line: between(random, 1, 5) }),
    () => rule(0, 0, across, down, fill, between(random, 1, 6)),
  ])();
  return tiled(
    [width, height],
    [across, down],
    between(random, -50, 50),
    `<g opacity="${(0.2 + 0.5 * random()).toFixed(2)}">${inside}</g>`,
  );
};

/** A bar across or down, at an edge or not, with words. */
const bar: Ornament = (canvas) => {
  const { width, height, style, random, unit } = canvas;
  const thick = unit * (1.2 + 3 * random());
  const isAcross = random() < 0.75;
  const at = pick(random, [0, 1, 0.15 + 0.7 * random()]);
  const [x, y] = isAcross ? [0, at * (height - thick)] : [at * (width - thick), 0];
  return (
    box(x, y, isAcross ? width : thick, isAcross ? thick : height, {
      fill: pick(random, [style.accent, style.ground, style.second, "#000"]),
      opacity: 0.6 + 0.4 * random(),
    }) +
    (isAcross
      ? text(style, x + unit, y + thick * 0.7, thick * 0.5, said(canvas), {
          fill: pick(random, ["#fff", style.ink]),
        })
      : several(6, (k) =>
          text(style, x + thick * 0.15, (k + 1) * 2.4 * unit, thick * 0.25, word(random, style.script), {
            fill: "#fff",
          }),
        ).join(""))
  );
};

const badge: Ornament = ({ width, height, style, random, unit }) => {
  const radius = unit * (1 + 2.5 * random());
  const [x, y] = [
    pick(random, [radius + unit / 2, width - radius - unit / 2, width * random()]),
    pick(random, [radius + unit / 2, height - radius - unit / 2]),
  ];
  const rays = between(random, 5, 18);
  const star = several(2 * rays, (k) => {
    const far = k % 2 === 0 ? radius : radius * 0.7;
    return `${(x + far * Math.cos((Math.PI * k) / rays)).toFixed(1)} ${(y + far * Math.sin((Math.PI * k) / rays)).toFixed(1)}`;
  }).join("L");
  return (
    pick(random, [
      path(`M${star}z`, { fill: style.accent }),
      disc(x, y, radius, { fill: style.second, stroke: style.ink, line: radius / 9 }),
      box(x - radius, y - radius, 2 * radius, 2 * radius, { fill: style.accent, corner: style.corner }),
    ]) +
    text(style, x, y + radius * 0.2, radius * 0.5, word(random, style.script).slice(0, 5), {
      anchor: "middle",
      fill: "#fff",
      bold: true,
    })
  );
};

const border: Ornament = ({ width, height, style, random, unit }) => {
  const thick = unit * (0.3 + 1.8 * random());
  const edge = (by: number, line: number, stroke: string): string =>
    box(by, by, width - 2 * by, height - 2 * by, { stroke, line, corner: style.corner });
  return (
    edge(thick / 2, thick, pick(random, [style.accent, style.ground, "#fff", "#000"])) +
    (random() < 0.5 ? edge(1.4 * thick, style.line, style.second) : "")
  );
};

const shade: Ornament = ({ width, height, random }) => {
  const tall = height * (0.2 + 0.4 * random());
  const isTop = random() < 0.4;
  return shaded(
    { x: 0, y: isTop ? 0 : height - tall, width, height: tall },
    "#000",
    isTop ? [0.85, 0] : [0, 0.85],
  );
};

const scattered: Ornament = ({ width, height, style, random, unit }) =>
  several(between(random, 8, 90), () => {
    const [x, y, size] = [width * random(), height * random(), unit * (0.2 + 0.8 * random())];
    const fill = pick(random, [style.accent, style.second, "#fff"]);
    return random() < 0.5
      ? disc(x, y, size / 2, { fill, opacity: 0.8 })
      : path(`M${x} ${y}l${size} ${size / 2}l${-size} ${size / 2}z`, { fill, opacity: 0.8 });
  }).join("");

const panel: Ornament = (canvas) => {
  const { width, height, style, random, unit } = canvas;
  const [w, h] = [width * (0.2 + 0.2 * random()), height * (0.15 + 0.2 * random())];
  const [x, y] = [
    pick(random, [unit / 2, width - w - unit / 2]),
    pick(random, [unit / 2, height - h - unit / 2]),
  ];
  return (
    box(x, y, w, h, { fill: style.ground, opacity: 0.75 + 0.25 * random(), corner: style.corner }) +
    several(4, (k) =>
      text(
        style,
        x + unit / 2,
        y + ((k + 0.8) * h) / 4.3,
        h / 6,
        k === 0 ? said(canvas) : words(random, style.script, 2),
      ),
    ).join("")
  );
};

const marks: Ornament = ({ width, height, style, random, unit }) => {
  const stroke = pick(random, LIGHT);
  const line = between(random, 2, 7);
  const far = unit * (1 + 2 * random());
  return pick(random, [
    () =>
      several(between(random, 2, 6), (k) =>
        rule(0, (k * height) / 5, width, (k * height) / 5 + far, stroke, line),
      ).join(""),
    () =>
      disc(width * (0.3 + 0.4 * random()), height * (0.3 + 0.4 * random()), 3 * far, { stroke, line }) +
      rule(width * 0.2, height * 0.8, width * 0.4, height * 0.55, style.accent, 2 * line),
    () =>
      path(`M${far} ${height - far}L${width - far} ${far}M${far} ${far}L${width - far} ${height - far}`, {
        stroke,
        line,
      }),
  ])();
};

/** What is laid over pictures, and around them. */
export const ORNAMENTS: readonly Ornament[] = [
  lettering,
  lettering,
  tiles,
  bar,
  bar,
  badge,
  border,
  shade,
  scattered,
  panel,
  marks,
];

/** Some of them, one over the other. */
export function ornaments(canvas: Canvas, count: number): string {
  return several(count, () => pick(canvas.random, ORNAMENTS)(canvas)).join("");
}
