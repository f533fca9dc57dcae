import { pick } from "@colophon/testing/chance.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { type Box, box, disc, grid, path, polyline, rule, text } from "../drawing.ts";
import { between, clockTime, digits, several, word } from "../language.ts";
import { overlay } from "../overlay.ts";
import { SIZES, avatar, code, fitted, heading, paint, phrase, rows, sign, somewhere } from "./pieces.ts";

const shade = ({ random }: Canvas): { readonly plate: string; readonly ink: string } =>
  pick(random, [
    { plate: "#ffffff", ink: "#1a1a1a" },
    { plate: "#f2f3f5", ink: "#202124" },
    { plate: "#0f1114", ink: "#eeeeee" },
  ]);

/** A row of signs, from the left or over the whole width. */
function signs({ random }: Canvas, area: Box, count: number, fill: string): string {
  const step = random() < 0.5 ? area.width / count : 1.5 * area.height;
  return several(count, (k) =>
    sign(random, area.x + (k + 0.5) * step, area.y + area.height / 2, 0.26 * area.height, fill),
  ).join("");
}

/** A sun, a cloud or rain. */
function sky({ random }: Canvas, x: number, y: number, r: number): string {
  const cloud = path(
    `M${x - r} ${y + 0.5 * r}a${0.5 * r} ${0.5 * r} 0 0 1 ${0.2 * r} ${-r}a${0.7 * r} ${0.7 * r} 0 0 1 ${1.2 * r} ${0.1 * r}a${0.45 * r} ${0.45 * r} 0 0 1 ${0.2 * r} ${0.9 * r}z`,
    { fill: "#dfe6ee" },
  );
  const sun = disc(x, y, 0.55 * r, { fill: "#ffc93a" });
  const rain = several(3, (k) =>
    rule(x + (k - 1) * 0.5 * r, y + 0.7 * r, x + (k - 1.3) * 0.5 * r, y + 1.2 * r, "#5aa0e0", r / 8),
  );
  return pick(random, [sun, cloud, sun + cloud, cloud + rain.join("")]);
}

const pin = (x: number, y: number, r: number, fill: string): string =>
  path(`M${x} ${y}l${-0.8 * r} ${-1.5 * r}a${0.95 * r} ${0.95 * r} 0 1 1 ${1.6 * r} 0z`, {
    fill,
    stroke: "#ffffff",
    line: 2,
  }) + disc(x, y - 2 * r, 0.35 * r, { fill: "#fff" });

/** What programs lay over a photograph that they show: bars, cards and buttons that hide it. */
export const SCREENED: readonly Design[] = [
  overlay("network-post", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const { plate, ink } = shade(canvas);
    const [top, bottom] = [unit * (1.8 + 0.9 * random()), height * (0.1 + 0.14 * random())];
    const y = height - bottom;
    const comments = between(random, 1, 3);
    const row = (0.6 * bottom) / comments;
    return (
      box(0, 0, width, top, { fill: plate }) +
      avatar(canvas, 1.6 * unit, top / 2, 0.36 * top) +
      fitted(
        style,
        { x: 1.6 * unit + 0.6 * top, y: 0.1 * top, width: width * 0.5, height: 0.45 * top },
        heading(random, 2),
        { fill: ink, bold: true, anchor: "start" },
      ) +
      fitted(
        style,
        { x: 1.6 * unit + 0.6 * top, y: 0.52 * top, width: width * 0.4, height: 0.32 * top },
        `${between(random, 1, 59)} min`,
        { fill: "#888888", anchor: "start" },
      ) +
      box(width - 5 * unit, 0.25 * top, 4.4 * unit, 0.5 * top, { fill: style.accent, corner: 0.2 * top }) +
      fitted(
        style,
        { x: width - 5 * unit, y: 0.25 * top, width: 4.4 * unit, height: 0.5 * top },
        phrase(random, 1),
        { fill: "#fff" },
      ) +
      box(0, y, width, bottom, { fill: plate }) +
      signs(
        canvas,
        { x: unit / 2, y, width: width - unit, height: 0.36 * bottom },
        between(random, 3, 5),
        ink,
      ) +
      several(comments, (k) => {
        const at = y + 0.37 * bottom + k * row;
        return (
          avatar(canvas, unit, at + row / 2, 0.36 * row) +
          fitted(
            style,
            { x: 1.2 * unit + 0.5 * row, y: at, width: width - 3 * unit, height: 0.7 * row },
            phrase(random, between(random, 3, 8)),
            { fill: ink, anchor: "start" },
          )
        );
      }).join("")
    );
  }),
  overlay("network-story", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const count = between(random, 2, 7);
    const tall = unit * (1.4 + 0.6 * random());
    const poll = somewhere(canvas, width * (0.5 + 0.2 * random()), unit * (3.5 + 1.5 * random()), 3 * unit);
    const share = 0.25 + 0.5 * random();
    const answer = { y: poll.y + 0.5 * poll.height, height: 0.38 * poll.height };
    return (
      several(count, (k) =>
        box(unit / 2 + (k * (width - unit)) / count, 0.4 * unit, (width - unit) / count - 6, 0.22 * unit, {
          fill: "#ffffff",
          corner: 4,
        }),
      ).join("") +
      avatar(canvas, 1.8 * unit, 2 * unit, unit) +
      box(3.2 * unit, 1.2 * unit, 7 * unit, 1.5 * unit, { fill: "#101010", corner: unit / 2 }) +
      fitted(
        style,
        { x: 3.5 * unit, y: 1.2 * unit, width: 6.4 * unit, height: 1.5 * unit },
        heading(random, 2),
        { fill: "#fff" },
      ) +
      box(poll.x, poll.y, poll.width, poll.height, { fill: "#ffffff", corner: unit / 2 }) +
      fitted(style, { ...poll, height: 0.45 * poll.height }, heading(random, 3), {
        fill: "#151515",
        bold: true,
      }) +
      box(poll.x, answer.y, poll.width * share, answer.height, { fill: style.accent }) +
      box(poll.x + poll.width * share, answer.y, poll.width * (1 - share), answer.height, {
        fill: style.second,
      }) +
      box(0, height - 1.6 * tall, width, 1.6 * tall, { fill: "#0a0a0a" }) +
      box(unit / 2, height - 1.3 * tall, width - 5 * unit, tall, {
        stroke: "#ffffff",
        line: 3,
        corner: tall / 2,
      }) +
      fitted(
        style,
        { x: 1.4 * unit, y: height - 1.3 * tall, width: width - 8 * unit, height: tall },
        phrase(random, 3),
        { fill: "#bbbbbb", anchor: "start" },
      ) +
      sign(random, width - 3.2 * unit, height - 0.8 * tall, 0.6 * unit, "#ffffff") +
      sign(random, width - 1.4 * unit, height - 0.8 * tall, 0.6 * unit, "#ffffff")
    );
  }),
  overlay("call-in-progress", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const { plate } = paint(canvas);
    const [wide, tall] = [width * (0.2 + 0.12 * random()), height * (0.2 + 0.1 * random())];
    const x = random() < 0.5 ? unit / 2 : width - wide - unit / 2;
    const bar = unit * (2.6 + random());
    const buttons = between(random, 3, 6);
    return (
      box(x, unit / 2, wide, tall, { fill: plate, corner: style.corner }) +
      avatar(canvas, x + wide / 2, unit / 2 + tall / 2, 0.35 * Math.min(wide, tall)) +
      box(0, height - bar, width, bar, { fill: "#15181d" }) +
      several(buttons, (k) => {
        const at = width / 2 + (k - (buttons - 1) / 2) * 1.25 * bar;
        return (
          disc(at, height - bar / 2, 0.38 * bar, { fill: k === 0 ? "#e02b2b" : "#3a4048" }) +
          sign(random, at, height - bar / 2, 0.18 * bar, "#ffffff")
        );
      }).join("") +
      box(0, height - bar - 1.4 * unit, 7 * unit, 1.4 * unit, { fill: "#22262c" }) +
      fitted(
        style,
        { x: 0.3 * unit, y: height - bar - 1.4 * unit, width: 6.4 * unit, height: 1.4 * unit },
        heading(random, 2),
        { fill: "#fff", anchor: "start" },
      )
    );
  }),
  overlay("game-display", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const r = unit * (2 + 1.3 * random());
    const [x, y] = [width - r - unit / 2, r + unit / 2];
    const slots = between(random, 5, 10);
    const side = unit * (1.2 + 0.6 * random());
    const bars = [style.accent, style.second, "#40b0f0"].slice(0, between(random, 1, 3));
    return (
      disc(x, y, r, { fill: "#26351f", stroke: "#c9b26a", line: 5 }) +
      several(7, () =>
        disc(x + (random() - 0.5) * r, y + (random() - 0.5) * r, r / 14, { fill: "#ffd23e" }),
      ).join("") +
      polyline(
        several(6, () => [x + (random() - 0.5) * 1.2 * r, y + (random() - 0.5) * 1.2 * r] as const),
        "#8fb070",
        r / 8,
      ) +
      box(0.4 * unit, 0.4 * unit, 8.2 * unit, (0.8 + 1.1 * bars.length) * unit, { fill: "#14161a" }) +
      bars
        .map((fill, k) =>
          box(0.8 * unit, (0.8 + 1.1 * k) * unit, 7.4 * unit * (0.3 + 0.7 * random()), 0.7 * unit, { fill }),
        )
        .join("") +
      several(slots, (k) => {
        const at = width / 2 + (k - slots / 2) * side;
        return (
          box(at, height - side - unit / 3, side - 4, side - 4, {
            fill: "#1d1a16",
            stroke: "#a8966a",
            line: 3,
          }) +
          (random() < 0.7
            ? sign(random, at + side / 2, height - unit / 3 - side / 2, 0.28 * side, style.second)
            : "") +
          text(style, at + 4, height - unit / 3 - 8, 0.3 * side, digits(random, 1), { fill: "#fff" })
        );
      }).join("") +
      box(0, height - 7 * unit, 6 * unit, 4.5 * unit, { fill: "#101214" }) +
      rows(
        style,
        random,
        { x: unit / 4, y: height - 6.8 * unit, width: 5.5 * unit, height: 4 * unit },
        5,
        "#d8e8b0",
      )
    );
  }),
  overlay("days-of-weather", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const { plate, ink } = paint(canvas);
    const days = between(random, 3, 6);
    const area = somewhere(
      canvas,
      Math.min(0.9 * width, days * unit * (2 + 0.8 * random())),
      Math.min(0.4 * height, unit * (5 + 2 * random())),
      unit / 2,
    );
    const step = area.width / days;
    return (
      box(area.x, area.y, area.width, area.height, { fill: plate, corner: style.corner }) +
      fitted(
        style,
        { ...area, x: area.x + unit / 2, height: 0.22 * area.height },
        `${heading(random, 1)}  ${clockTime(random)}`,
        { fill: ink, bold: true, anchor: "start" },
      ) +
      several(days, (k) => {
        const x = area.x + (k + 0.5) * step;
        const said = { x: area.x + k * step, width: step, height: 0.16 * area.height };
        return (
          sky(canvas, x, area.y + 0.5 * area.height, Math.min(0.3 * step, 0.16 * area.height)) +
          fitted(style, { ...said, y: area.y + 0.24 * area.height }, word(random, style.script).slice(0, 3), {
            fill: ink,
          }) +
          fitted(style, { ...said, y: area.y + 0.8 * area.height }, `${between(random, -15, 38)}°`, {
            fill: ink,
            bold: true,
          })
        );
      }).join("")
    );
  }),
  overlay("map-legend", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const kinds = between(random, 3, 6);
    const area = somewhere(canvas, unit * (5 + 3 * random()), unit * (1.2 * kinds + 3), unit / 2);
    const colours = [style.accent, style.second, "#e03030", "#2060d0", "#20a050", "#f0a020"];
    return (
      several(between(random, 5, 14), () =>
        pin(
          width * (0.05 + 0.9 * random()),
          height * (0.12 + 0.85 * random()),
          unit * (0.4 + 0.4 * random()),
          pick(random, colours.slice(0, kinds)),
        ),
      ).join("") +
      box(area.x, area.y, area.width, area.height, { fill: "#fdfdfb", stroke: "#404040", line: 2 }) +
      fitted(style, { ...area, height: 1.6 * unit }, heading(random, 1), { fill: "#202020", bold: true }) +
      several(kinds, (k) => {
        const y = area.y + (1.8 + 1.2 * k) * unit;
        return (
          pin(area.x + unit, y + 0.9 * unit, 0.35 * unit, colours[k]!) +
          fitted(
            style,
            { x: area.x + 2 * unit, y, width: area.width - 2.4 * unit, height: unit },
            phrase(random, 2),
            { fill: "#202020", anchor: "start" },
          )
        );
      }).join("") +
      several(4, (k) =>
        box(
          area.x + unit / 2 + (k * area.width) / 5,
          area.y + area.height - 0.6 * unit,
          area.width / 5,
          0.3 * unit,
          { fill: k % 2 ? "#ffffff" : "#202020", stroke: "#202020", line: 1 },
        ),
      ).join("")
    );
  }),
  overlay("bubbles-of-talk", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    let y = height * (0.05 + 0.3 * random());
    return several(between(random, 3, 7), () => {
      const [wide, tall] = [width * (0.25 + 0.3 * random()), unit * (1.4 + 1.1 * random())];
      const isMine = random() < 0.5;
      const x = isMine ? width - wide - unit / 2 : unit / 2;
      const drawn =
        box(x, y, wide, tall, { fill: isMine ? style.accent : "#f1f1f1", corner: 0.6 * unit }) +
        rows(
          style,
          random,
          { x: x + unit / 2, y: y + 0.1 * tall, width: wide - unit, height: 0.8 * tall },
          tall > 2 * unit ? 2 : 1,
          isMine ? "#ffffff" : "#202020",
        );
      y += tall + unit * (0.3 + 0.6 * random());
      return y < height ? drawn : "";
    }).join("");
  }),
  overlay("player-window", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const { plate, ink } = shade(canvas);
    const [top, bottom] = [unit * (1.2 + 0.6 * random()), unit * (1.8 + 1.2 * random())];
    const side = random() < 0.5 ? 0 : width * (0.14 + 0.1 * random());
    const y = height - bottom;
    return (
      box(0, 0, width, top, { fill: plate }) +
      several(3, (k) =>
        disc((0.8 + 0.9 * k) * unit, top / 2, 0.28 * unit, { fill: ["#f25f57", "#f5bd2f", "#30c63f"][k]! }),
      ).join("") +
      fitted(style, { x: 4 * unit, y: 0, width: width - 8 * unit, height: top }, heading(random, 3), {
        fill: ink,
      }) +
      (side > 0
        ? box(width - side, top, side, y - top, { fill: plate }) +
          rows(
            style,
            random,
            { x: width - side + unit / 4, y: top + unit / 2, width: side - unit / 2, height: y - top - unit },
            between(random, 7, 12),
            ink,
          )
        : "") +
      box(0, y, width, bottom, { fill: plate }) +
      rule(unit, y + 0.3 * bottom, width - unit, y + 0.3 * bottom, "#9a9a9a", 5) +
      rule(unit, y + 0.3 * bottom, unit + (width - 2 * unit) * random(), y + 0.3 * bottom, style.accent, 7) +
      signs(canvas, { x: unit, y: y + 0.4 * bottom, width: width * 0.4, height: 0.55 * bottom }, 4, ink) +
      fitted(
        style,
        { x: width * 0.7, y: y + 0.45 * bottom, width: width * 0.26, height: 0.45 * bottom },
        `${clockTime(random)} / ${clockTime(random)}`,
        { fill: ink },
      )
    );
  }),
  overlay("offer-of-a-shop", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const { plate, ink } = paint(canvas);
    const isAcross = random() < 0.5;
    const area = isAcross
      ? { x: 0, y: height * (0.68 + 0.1 * random()), width, height }
      : { x: width * (0.66 + 0.12 * random()), y: 0, width, height };
    const [wide, tall] = [width - area.x, height - area.y];
    const side = 0.5 * Math.min(wide, tall);
    return (
      box(area.x, area.y, wide, tall, { fill: plate }) +
      fitted(
        style,
        {
          x: area.x + unit / 2,
          y: area.y + 0.05 * tall,
          width: (isAcross ? 0.7 : 1) * wide - unit,
          height: 0.25 * tall,
        },
        heading(random, 2),
        { fill: ink, bold: true },
      ) +
      rows(
        style,
        random,
        {
          x: area.x + unit / 2,
          y: area.y + 0.35 * tall,
          width: (isAcross ? 0.7 : 1) * wide - unit,
          height: 0.3 * tall,
        },
        isAcross ? 2 : 5,
        ink,
      ) +
      code(
        random,
        isAcross ? width - 1.6 * side : area.x + 0.25 * wide,
        isAcross ? area.y + 0.5 * side : height - 1.5 * side,
        side,
      ) +
      grid(
        { x: area.x + unit / 2, y: area.y + 0.72 * tall, width: 0.6 * wide, height: 0.2 * tall },
        5,
        1,
        ink,
        2,
      )
    );
  }),
];
