import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import type { Canvas, Sizes } from "./canvas.ts";
import { overlay } from "./overlay.ts";
import type { Design } from "./design.ts";
import { box, disc, grid, path, polyline, rule, shaded, text, tiled } from "./drawing.ts";
import { between, clockTime, date, digits, several, title, word, words } from "./language.ts";

const SIZES: Sizes = [
  [1200, 800],
  [1280, 720],
  [1000, 1000],
  [900, 1200],
  [1080, 1350],
  [1024, 768],
  [800, 600],
] as const;

const light = (random: Random): string =>
  pick(random, ["#ffffff", "#ffffff", "#000000", "#ffe000", "#e02020"]);
const opacity = (random: Random, low: number, high: number): number => low + (high - low) * random();

const letters = ({ style, random }: Canvas): string =>
  random() < 0.5
    ? title(random, style.script, between(random, 1, 3))
    : `© ${word(random, style.script)}.${pick(random, ["com", "net", "photo"])}`;

/** A star, a ring, a shield or a leaf about a point. */
function emblem({ style, random }: Canvas, x: number, y: number, size: number): string {
  const rays = between(random, 4, 9);
  const star = several(2 * rays, (k) => {
    const radius = k % 2 === 0 ? size : size * 0.45;
    return `${(x + radius * Math.cos((Math.PI * k) / rays)).toFixed(1)} ${(y + radius * Math.sin((Math.PI * k) / rays)).toFixed(1)}`;
  });
  return pick(random, [
    path(`M${star.join("L")}z`, { fill: style.accent, stroke: style.ink, line: style.line }),
    disc(x, y, size * 0.85, { fill: style.ground, stroke: style.accent, line: size / 5 }),
    path(
      `M${x - size} ${y - size}h${2 * size}v${size}q0 ${size} ${-size} ${1.3 * size}q${-size} ${-0.3 * size} ${-size} ${-1.3 * size}z`,
      { fill: style.accent, stroke: style.second, line: size / 8 },
    ),
    path(`M${x} ${y - size}q${1.6 * size} ${size} 0 ${2 * size}q${-1.6 * size} ${-size} 0 ${-2 * size}z`, {
      fill: style.second,
    }),
  ]);
}

export const OVERLAYS: readonly Design[] = [
  overlay("tiled-lettering", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const size = unit * (0.7 + 1.6 * random());
    const said = letters(canvas);
    const step = Math.round(size * (4 + 6 * random()));
    const put = (x: number, y: number): string =>
      text(style, x, y, size, said, { fill: light(random), opacity: opacity(random, 0.25, 0.8) });
    return tiled(
      [width, height],
      [step, Math.round(step * (0.3 + 0.5 * random()))],
      pick(random, [0, -20, -30, -45, 25]),
      put(4, size),
    );
  }),
  overlay("tiled-emblems", SIZES, (canvas) => {
    const { width, height, unit, random } = canvas;
    const step = Math.round(unit * (3 + 4 * random()));
    return tiled(
      [width, height],
      [step, step],
      between(random, -45, 45),
      `<g opacity="${opacity(random, 0.3, 0.8)}">${emblem(canvas, step / 2, step / 2, unit * (0.5 + random()))}</g>`,
    );
  }),
  overlay("tiled-cross", SIZES, ({ width, height, unit, random }) => {
    const step = Math.round(unit * (3 + 5 * random()));
    const stroke = light(random);
    return tiled(
      [width, height],
      [step, step],
      pick(random, [0, 0, 30]),
      `<g opacity="${opacity(random, 0.3, 0.7)}">${rule(0, 0, step, step, stroke, between(random, 1, 5))}${rule(step, 0, 0, step, stroke, between(random, 1, 5))}</g>`,
    );
  }),
  overlay("diagonal-lettering", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    return text(style, width / 2, height / 2, unit * (3 + 3 * random()), letters(canvas), {
      fill: light(random),
      opacity: opacity(random, 0.3, 0.9),
      anchor: "middle",
      bold: true,
      turn: between(random, -45, 45),
    });
  }),
  overlay("corner-badge", SIZES, (canvas) => {
    const { width, height, unit, random } = canvas;
    return pick(random, [
      emblem(canvas, width - 2.5 * unit, 2.5 * unit, 2 * unit),
      emblem(canvas, 2.5 * unit, height - 2.5 * unit, 2 * unit),
    ]);
  }),
  overlay("badge-and-banner", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const tall = unit * (2 + 3 * random());
    const top = random() < 0.3 ? 0 : height - tall;
    return (
      box(0, top, width, tall, { fill: style.accent, opacity: opacity(random, 0.75, 1) }) +
      text(style, 2 * unit, top + tall * 0.65, tall * 0.5, letters(canvas), { fill: style.ground }) +
      emblem(canvas, width - 3 * unit, top < 1 ? height - 3 * unit : 3 * unit, 2 * unit)
    );
  }),
  overlay("lower-third", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const top = height * (0.68 + 0.1 * random());
    return (
      box(unit, top, width * (0.5 + 0.4 * random()), 2.2 * unit, { fill: style.accent }) +
      box(unit, top + 2.2 * unit, width * 0.5, 1.5 * unit, { fill: style.ground }) +
      text(style, 1.5 * unit, top + 1.6 * unit, 1.4 * unit, title(random, style.script, 3), {
        fill: style.ground,
        bold: true,
      }) +
      text(style, 1.5 * unit, top + 3.3 * unit, unit, words(random, style.script, 4)) +
      emblem(canvas, width - 2 * unit, 2 * unit, 1.3 * unit)
    );
  }),
  overlay("news-ticker", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const tall = 1.8 * unit;
    return (
      box(0, height - tall, width, tall, { fill: style.ground }) +
      box(0, height - tall, 5 * unit, tall, { fill: style.accent }) +
      text(style, unit / 2, height - 0.5 * unit, 1.1 * unit, word(random, style.script), {
        fill: style.ground,
      }) +
      text(style, 5.5 * unit, height - 0.5 * unit, 1.1 * unit, words(random, style.script, 9)) +
      box(width - 5 * unit, unit / 2, 4.5 * unit, 1.6 * unit, { fill: style.accent, opacity: 0.9 }) +
      text(style, width - 4.5 * unit, 1.7 * unit, 1.1 * unit, clockTime(random), { fill: style.ground })
    );
  }),
  overlay("meme-caption", SIZES, ({ width, height, unit, random, style }) => {
    const size = unit * (1.5 + 1.2 * random());
    const put = (y: number): string =>
      text(style, width / 2, y, size, words(random, style.script, between(random, 2, 4)).toUpperCase(), {
        fill: "#fff",
        stroke: "#000",
        anchor: "middle",
        bold: true,
      });
    return put(1.4 * size) + (random() < 0.7 ? put(height - 0.5 * size) : "");
  }),
  overlay("border", SIZES, ({ width, height, unit, random, style }) => {
    const thick = unit * (0.7 + 1.8 * random());
    const inner = box(thick, thick, width - 2 * thick, height - 2 * thick, {
      stroke: style.second,
      line: style.line,
    });
    return (
      box(thick / 2, thick / 2, width - thick, height - thick, { stroke: style.accent, line: thick }) + inner
    );
  }),
  overlay("ornate-border", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const thick = unit * (1 + random());
    const step = unit * (0.8 + random());
    const row = (y: number): string =>
      several(Math.floor(width / step), (k) =>
        disc((k + 0.5) * step, y, step / 3, { fill: style.second }),
      ).join("");
    const column = (x: number): string =>
      several(Math.floor(height / step), (k) =>
        disc(x, (k + 0.5) * step, step / 3, { fill: style.second }),
      ).join("");
    return (
      box(thick / 2, thick / 2, width - thick, height - thick, { stroke: style.ground, line: thick }) +
      row(thick / 2) +
      row(height - thick / 2) +
      column(thick / 2) +
      column(width - thick / 2)
    );
  }),
  overlay("halftone-veil", SIZES, ({ width, height, unit, random, style }) => {
    const step = Math.max(5, Math.round(unit * (0.15 + 0.4 * random())));
    return tiled(
      [width, height],
      [step, step],
      pick(random, [0, 15, 45]),
      disc(step / 2, step / 2, step * (0.18 + 0.16 * random()), {
        fill: style.ink,
        opacity: opacity(random, 0.35, 0.9),
      }),
    );
  }),
  overlay("scan-lines", SIZES, ({ width, height, random, style }) => {
    const step = between(random, 4, 14);
    return tiled(
      [width, height],
      [step, step],
      pick(random, [0, 0, 90, 45]),
      box(0, 0, step, step * 0.35, { fill: style.ink, opacity: opacity(random, 0.25, 0.7) }),
    );
  }),
  overlay("gradient-and-words", SIZES, ({ width, height, unit, random, style }) => {
    const lines = between(random, 2, 4);
    return (
      shaded({ x: 0, y: height * 0.35, width, height: height * 0.65 }, "#000", [0, 0.9]) +
      several(lines, (k) =>
        text(
          style,
          1.5 * unit,
          height - (lines - k) * 1.7 * unit,
          1.3 * unit,
          title(random, style.script, 5),
          { fill: "#fff", bold: k === 0 },
        ),
      ).join("")
    );
  }),
  overlay("stickers", SIZES, (canvas) => {
    const { width, height, unit, random } = canvas;
    return several(between(random, 4, 14), () =>
      emblem(canvas, width * random(), height * random(), unit * (0.6 + 1.6 * random())),
    ).join("");
  }),
  overlay("confetti", SIZES, ({ width, height, unit, random, style }) =>
    several(between(random, 60, 220), () =>
      box(width * random(), height * random(), unit * 0.5 * random(), unit * 0.4, {
        fill: pick(random, [style.accent, style.second, style.ink, style.ground]),
      }),
    ).join(""),
  ),
  overlay("date-stamp", SIZES, ({ width, height, unit, random, style }) =>
    text(
      style,
      width - unit,
      height - unit,
      unit * (0.9 + 0.8 * random()),
      `${date(random)} ${clockTime(random)}`,
      { fill: pick(random, ["#ff9020", "#fff", "#ff4040"]), anchor: "end" },
    ),
  ),
  overlay("viewfinder", SIZES, ({ width, height, unit, random }) => {
    const [a, b] = [1.5 * unit, 4 * unit];
    const stroke = light(random);
    const corners = [
      `M${a} ${b}V${a}H${b}`,
      `M${width - b} ${a}H${width - a}V${b}`,
      `M${width - a} ${height - b}V${height - a}H${width - b}`,
      `M${b} ${height - a}H${a}V${height - b}`,
    ];
    return (
      corners.map((commands) => path(commands, { stroke, line: between(random, 3, 8) })).join("") +
      grid({ x: 0, y: 0, width, height }, 3, 3, stroke, between(random, 1, 3)) +
      disc(2.5 * unit, 2.6 * unit, 0.5 * unit, { fill: "#f02020" }) +
      text({ font: "monospace", ink: stroke, bold: true }, 3.5 * unit, 3 * unit, 1.1 * unit, "REC")
    );
  }),
  overlay("playback-controls", SIZES, ({ width, height, unit, random, style }) => {
    const y = height - 1.6 * unit;
    return (
      disc(width / 2, height / 2, 2.2 * unit, { fill: "#000", opacity: 0.6 }) +
      path(`M${width / 2 - 0.7 * unit} ${height / 2 - unit}v${2 * unit}l${1.8 * unit} ${-unit}z`, {
        fill: "#fff",
      }) +
      shaded({ x: 0, y: height - 4 * unit, width, height: 4 * unit }, "#000", [0, 0.8]) +
      rule(unit, y, width - unit, y, "#bbb", 4) +
      rule(unit, y, unit + width * random() * 0.8, y, style.accent, 6) +
      text(style, unit, height - 0.5 * unit, 0.8 * unit, `${clockTime(random)} / ${clockTime(random)}`, {
        fill: "#fff",
      })
    );
  }),
  overlay("scoreboard", SIZES, ({ unit, random, style }) => {
    const put = (x: number, wide: number, fill: string, said: string, ink: string): string =>
      box(x * unit, unit, wide * unit, 1.8 * unit, { fill }) +
      text(style, (x + 0.3) * unit, 2.3 * unit, 1.2 * unit, said, { fill: ink, bold: true });
    return (
      put(1, 3, style.accent, word(random, style.script).slice(0, 3).toUpperCase(), "#fff") +
      put(4, 2.2, "#111", `${between(random, 0, 9)}-${between(random, 0, 9)}`, "#fff") +
      put(6.2, 3, style.second, word(random, style.script).slice(0, 3).toUpperCase(), "#fff") +
      put(9.2, 2.8, "#fff", clockTime(random), "#111")
    );
  }),
  overlay("speech-bubble", SIZES, ({ width, height, unit, random, style }) => {
    const [x, y, wide] = [width * (0.05 + 0.3 * random()), unit, width * (0.4 + 0.2 * random())];
    const tall = height * (0.15 + 0.12 * random());
    return (
      box(x, y, wide, tall, { fill: "#fff", stroke: "#000", line: style.line, corner: tall / 3 }) +
      path(`M${x + wide / 3} ${y + tall - 2}l${unit} ${2 * unit}l${unit} ${-2 * unit}z`, { fill: "#fff" }) +
      several(2, (k) =>
        text(style, x + wide / 2, y + tall * (0.42 + 0.34 * k), tall / 4.5, words(random, style.script, 3), {
          fill: "#000",
          anchor: "middle",
        }),
      ).join("")
    );
  }),
  overlay("ribbon-and-price", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    return (
      `<g transform="rotate(-45 ${3 * unit} ${3 * unit})">${box(-6 * unit, 2 * unit, 18 * unit, 2 * unit, { fill: style.accent })}${text(style, 3 * unit, 3.4 * unit, 1.2 * unit, word(random, style.script).toUpperCase(), { fill: "#fff", anchor: "middle", bold: true })}</g>` +
      disc(width - 4 * unit, height - 4 * unit, 3 * unit, { fill: style.second }) +
      text(
        style,
        width - 4 * unit,
        height - 3.5 * unit,
        1.5 * unit,
        `${between(random, 2, 99)}.${digits(random, 2)}`,
        { fill: "#fff", anchor: "middle", bold: true },
      )
    );
  }),
  overlay("signature", SIZES, ({ width, height, unit, random, style }) => {
    const [x, y] = [width * (0.1 + 0.5 * random()), height * (0.6 + 0.3 * random())];
    const stroke = light(random);
    return (
      polyline(
        several(40, (k) => [x + k * unit * 0.2, y + unit * Math.sin(k * (0.6 + random())) * random()]),
        stroke,
        between(random, 2, 5),
      ) +
      text(style, x, y + 1.8 * unit, 0.8 * unit, letters({ width, height, unit, random, style }), {
        fill: stroke,
      })
    );
  }),
  overlay("side-panel", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const wide = width * (0.2 + 0.15 * random());
    const x = random() < 0.5 ? 0 : width - wide;
    return (
      box(x, 0, wide, height, { fill: style.ground, opacity: opacity(random, 0.8, 1) }) +
      emblem(canvas, x + wide / 2, 3 * unit, 1.8 * unit) +
      several(9, (k) =>
        text(style, x + unit / 2, (6.5 + 1.4 * k) * unit, 0.8 * unit, words(random, style.script, 2)),
      ).join("")
    );
  }),
  overlay("measuring-ticks", SIZES, ({ width, height, unit, random, style }) => {
    const stroke = light(random);
    const ticks = several(40, (k) => {
      const x = (k * width) / 40;
      return rule(x, height, x, height - unit * (k % 5 === 0 ? 1.2 : 0.6), stroke, 2);
    });
    return (
      ticks.join("") +
      several(8, (k) =>
        text(style, (k * width) / 8 + 3, height - 1.3 * unit, 0.7 * unit, String(10 * k), { fill: stroke }),
      ).join("") +
      path(`M${width / 2} 0V${height}M0 ${height / 2}H${width}`, { stroke, line: 1 }) +
      disc(width / 2, height / 2, 4 * unit, { stroke, line: between(random, 1, 4) })
    );
  }),
  overlay("puzzle-lines", SIZES, ({ width, height, random }) =>
    grid(
      { x: 0, y: 0, width, height },
      between(random, 4, 9),
      between(random, 3, 7),
      light(random),
      between(random, 3, 9),
    ),
  ),
];
