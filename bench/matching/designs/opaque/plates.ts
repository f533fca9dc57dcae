import { pick } from "@colophon/testing/chance.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { box, disc, path, text } from "../drawing.ts";
import { amount, between, clockTime, date, digits, several, word } from "../language.ts";
import { overlay } from "../overlay.ts";
import {
  SIZES,
  burst,
  code,
  fitted,
  heading,
  paint,
  phrase,
  rows,
  sign,
  somewhere,
  turned,
} from "./pieces.ts";

/** A sum with its sign, before or behind it. */
const price = ({ random }: Canvas): string => {
  const sum = pick(random, [amount(random), `${between(random, 1, 99)}`, `-${between(random, 1, 9)}0 %`]);
  return sum.endsWith("%") ? sum : pick(random, [`€ ${sum}`, `$${sum}`, `${sum} ₽`, `${sum}.-`]);
};

/** A strip from edge to edge, with what it says. */
function strip(canvas: Canvas, y: number, tall: number): string {
  const { width, random, style, unit } = canvas;
  const { plate, ink } = paint(canvas);
  const lines = tall > 3 * unit ? between(random, 1, 3) : 1;
  const row = tall / lines;
  return (
    box(0, y, width, tall, { fill: plate }) +
    (random() < 0.4 ? box(0, y, width, 0.12 * tall, { fill: style.second }) : "") +
    several(lines, (k) =>
      fitted(
        style,
        { x: unit, y: y + (k + 0.12) * row, width: width - 2 * unit, height: 0.8 * row },
        heading(random, between(random, 2, 5)),
        { fill: ink, bold: k === 0, anchor: pick(random, ["start", "middle"] as const) },
      ),
    ).join("")
  );
}

/** Opaque plates, strips and cards on a photograph. */
export const PLATES: readonly Design[] = [
  overlay("opaque-banner", SIZES, (canvas) => {
    const { height, random } = canvas;
    const [top, bottom] = pick<readonly [number, number]>(random, [
      [0.08 + 0.24 * random(), 0],
      [0, 0.08 + 0.28 * random()],
      [0.06 + 0.12 * random(), 0.06 + 0.16 * random()],
    ]);
    return (
      (top > 0 ? strip(canvas, 0, top * height) : "") +
      (bottom > 0 ? strip(canvas, height * (1 - bottom), bottom * height) : "")
    );
  }),
  overlay("diagonal-band", SIZES, (canvas) => {
    const { width, height, random } = canvas;
    const tall = Math.min(width, height) * (0.1 + 0.17 * random());
    const at = height * pick(random, [0.3, 0.5, 0.65]) - tall / 2;
    const long = 2 * Math.max(width, height);
    const { plate, ink } = paint(canvas);
    const whole = { x: width / 2 - long / 2, y: at, width: long, height: tall };
    const words = fitted(canvas.style, { ...whole, x: 0.1 * width, width: 0.8 * width }, heading(random, 3), {
      fill: ink,
      bold: true,
    });
    const turn = pick(random, [-1, 1]) * between(random, 8, 42);
    return turned(whole, turn, box(whole.x, at, long, tall, { fill: plate }) + words);
  }),
  overlay("price-burst", SIZES, (canvas) => {
    const { height, unit, random, style } = canvas;
    const shouted = several(between(random, 1, 4), () => {
      const radius = unit * (2 + 2.8 * random());
      const area = somewhere(canvas, 2 * radius, 2 * radius, unit / 2);
      const [x, y] = [area.x + radius, area.y + radius];
      const { plate, ink } = paint(canvas);
      const shape =
        random() < 0.75 ? burst(x, y, radius, between(random, 7, 26), 0.62 + 0.28 * random()) : "";
      const inner = { x: x - 0.6 * radius, y: y - 0.45 * radius, width: 1.2 * radius, height: 0.7 * radius };
      return turned(
        area,
        between(random, -20, 20),
        (shape === "" ? disc(x, y, radius, { fill: plate }) : path(shape, { fill: plate })) +
          fitted(style, inner, price(canvas), { fill: ink, bold: true }) +
          fitted(style, { ...inner, y: y + 0.2 * radius, height: 0.4 * radius }, phrase(random, 1), {
            fill: ink,
          }),
      );
    });
    const tall = unit * (1.5 + 2 * random());
    return (random() < 0.4 ? strip(canvas, height - tall, tall) : "") + shouted.join("");
  }),
  overlay("split-ribbon", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const tall = unit * (1.8 + 2 * random());
    let y = height * (0.05 + 0.5 * random());
    return several(between(random, 1, 3), () => {
      const { plate, ink } = paint(canvas);
      const [x, wide] = [width * 0.25 * random(), width * (0.4 + 0.35 * random())];
      const notch = tall * (0.2 + 0.4 * random());
      const drawn =
        path(
          `M${x} ${y}h${wide}l${notch} ${tall / 2}l${-notch} ${tall / 2}h${-wide}l${notch} ${-tall / 2}z`,
          { fill: plate },
        ) +
        fitted(
          style,
          { x: x + notch, y, width: wide - notch, height: tall },
          heading(random, between(random, 1, 3)),
          {
            fill: ink,
            bold: true,
          },
        );
      y += tall * (1.05 + 0.4 * random());
      return drawn;
    }).join("");
  }),
  overlay("video-lower-third", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const [first, second] = [paint(canvas), paint(canvas)];
    const [tall, small] = [unit * (2 + 1.4 * random()), unit * (1.1 + 0.8 * random())];
    const [y, slant] = [
      height - tall - small - unit * (0.4 + 1.6 * random()),
      unit * pick(random, [0, 0.8, -0.8]),
    ];
    const wide = width * (0.5 + 0.4 * random());
    const x = pick(random, [0, unit, width - wide]);
    return (
      path(`M${x} ${y + tall}L${x + slant} ${y}h${wide}l${-slant} ${tall}z`, { fill: first.plate }) +
      fitted(style, { x: x + unit, y, width: wide - 2 * unit, height: tall }, heading(random, 2), {
        fill: first.ink,
        bold: true,
      }) +
      box(x, y + tall, wide * 0.8, small, { fill: second.plate }) +
      fitted(style, { x: x + unit, y: y + tall, width: wide * 0.7, height: small }, phrase(random, 4), {
        fill: second.ink,
        anchor: "start",
      }) +
      box(unit, unit, 4 * unit, 1.6 * unit, { fill: "#d01020", corner: style.corner / 2 }) +
      fitted(style, { x: unit, y: unit, width: 4 * unit, height: 1.6 * unit }, word(random, style.script), {
        fill: "#fff",
        bold: true,
      }) +
      sign(random, width - 2 * unit, 2 * unit, unit, "#ffffff")
    );
  }),
  overlay("breaking-ticker", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const [top, low] = [paint(canvas), paint(canvas)];
    const [tall, small] = [unit * (2.2 + 2 * random()), unit * (1 + 0.6 * random())];
    const clock = { x: width - 3.6 * unit, y: height - small, width: 3.6 * unit, height: small };
    return (
      box(0, height - small - tall, width, tall, { fill: top.plate }) +
      box(0, height - small - tall - 1.2 * unit, 6 * unit, 1.2 * unit, { fill: "#c8102e" }) +
      fitted(
        style,
        { x: 0, y: height - small - tall - 1.2 * unit, width: 6 * unit, height: 1.2 * unit },
        heading(random, 1),
        { fill: "#fff", bold: true },
      ) +
      rows(
        style,
        random,
        { x: unit, y: height - small - tall, width: width - 2 * unit, height: tall },
        between(random, 1, 2),
        top.ink,
      ) +
      box(0, height - small, width, small, { fill: low.plate }) +
      fitted(
        style,
        { x: unit, y: height - small, width: width - 5 * unit, height: small },
        phrase(random, 11),
        { fill: low.ink, anchor: "start" },
      ) +
      box(clock.x, clock.y, clock.width, clock.height, { fill: "#101010" }) +
      fitted(style, clock, clockTime(random), { fill: "#fff" })
    );
  }),
  overlay("days-left-card", SIZES, (canvas) => {
    const { unit, width, height, random, style } = canvas;
    const { plate, ink } = paint(canvas);
    const wide = Math.min(0.85 * width, unit * (9 + 6 * random()));
    const area = somewhere(canvas, wide, Math.min(0.45 * wide, 0.4 * height), unit);
    const { x, y, height: tall } = area;
    const count = between(random, 2, 4);
    const step = (0.9 * wide) / count;
    return (
      box(x, y, wide, tall, { fill: plate, corner: style.corner }) +
      fitted(style, { x, y, width: wide, height: 0.3 * tall }, heading(random, 2), {
        fill: ink,
        bold: true,
      }) +
      several(count, (k) => {
        const each = {
          x: x + 0.05 * wide + (k + 0.06) * step,
          y: y + 0.32 * tall,
          width: 0.88 * step,
          height: 0.42 * tall,
        };
        return (
          box(each.x, each.y, each.width, each.height, { fill: ink, corner: style.corner / 2 }) +
          fitted(style, each, digits(random, 2), { fill: plate, bold: true }) +
          fitted(style, { ...each, y: each.y + each.height, height: 0.18 * tall }, phrase(random, 1), {
            fill: ink,
          })
        );
      }).join("")
    );
  }),
  overlay("code-and-caption", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const { plate, ink } = paint(canvas);
    const side = unit * (3.5 + 3.5 * random());
    const card = somewhere(canvas, side * 1.15, side * 1.5, unit / 2);
    const tall = unit * (1.4 + 2 * random());
    const y = card.y > height / 2 ? unit / 2 : height - tall - unit / 2;
    return (
      box(card.x, card.y, card.width, card.height, { fill: plate, corner: style.corner }) +
      code(random, card.x + 0.075 * side, card.y + 0.075 * side, side) +
      rows(
        style,
        random,
        { x: card.x + 0.1 * side, y: card.y + 1.12 * side, width: side, height: 0.32 * side },
        2,
        ink,
      ) +
      box(unit / 2, y, width - unit, tall, { fill: plate, corner: style.corner }) +
      fitted(
        style,
        { x: unit, y, width: width - 2 * unit, height: tall },
        heading(random, between(random, 3, 7)),
        { fill: ink },
      )
    );
  }),
  overlay("advert-skyscraper", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const wide = width * (0.14 + 0.2 * random());
    const x = random() < 0.5 ? 0 : width - wide;
    const { plate, ink } = paint(canvas);
    const inner = { x: x + unit / 2, width: wide - unit };
    return (
      box(x, 0, wide, height, { fill: plate }) +
      fitted(style, { ...inner, y: unit, height: 2.4 * unit }, heading(random, 1), {
        fill: ink,
        bold: true,
      }) +
      sign(random, x + wide / 2, height * 0.32, wide * 0.22, style.second) +
      rows(style, random, { ...inner, y: height * 0.45, height: height * 0.3 }, between(random, 5, 9), ink) +
      box(inner.x, height * 0.8, inner.width, 1.8 * unit, { fill: ink, corner: style.corner }) +
      fitted(style, { ...inner, y: height * 0.8, height: 1.8 * unit }, price(canvas), {
        fill: plate,
        bold: true,
      }) +
      fitted(style, { ...inner, y: height - 1.4 * unit, height: unit }, date(random), { fill: ink })
    );
  }),
  overlay("quoted-words", SIZES, (canvas) => {
    const { width, height, unit, random, style } = canvas;
    const { plate, ink } = paint(canvas);
    const area = somewhere(canvas, width * (0.4 + 0.25 * random()), height * (0.3 + 0.22 * random()), unit);
    const { x, y, width: wide, height: tall } = area;
    return (
      box(x, y, wide, tall, { fill: plate, corner: style.corner }) +
      text(style, x + unit / 2, y + 2.4 * unit, 3 * unit, "“", { fill: style.second }) +
      rows(
        style,
        random,
        { x: x + 1.6 * unit, y: y + 0.15 * tall, width: wide - 2.4 * unit, height: 0.6 * tall },
        between(random, 3, 5),
        ink,
      ) +
      fitted(style, { x, y: y + 0.8 * tall, width: wide, height: 0.15 * tall }, heading(random, 2), {
        fill: style.second,
        bold: true,
      })
    );
  }),
  overlay("museum-label", SIZES, (canvas) => {
    const { unit, width, random, style } = canvas;
    const wide = Math.min(0.6 * width, unit * (6 + 6 * random()));
    const area = somewhere(canvas, wide, wide * (0.5 + 0.3 * random()), unit);
    const { x, y, height: tall } = area;
    const inner = { x: x + unit / 2, width: wide - unit };
    return turned(
      area,
      pick(random, [0, 0, between(random, -12, 12)]),
      box(x, y, wide, tall, { fill: "#fbf8ee", stroke: "#303030", line: style.line }) +
        fitted(style, { ...inner, y: y + 0.05 * tall, height: 0.22 * tall }, heading(random, 2), {
          fill: "#202020",
          bold: true,
        }) +
        rows(
          style,
          random,
          { ...inner, y: y + 0.3 * tall, height: 0.5 * tall },
          between(random, 3, 5),
          "#303030",
        ) +
        fitted(
          style,
          { ...inner, y: y + 0.82 * tall, height: 0.13 * tall },
          `${digits(random, 4)}.${digits(random, 3)}`,
          { fill: "#606060", anchor: "start" },
        ),
    );
  }),
  overlay("receipt-slip", SIZES, (canvas) => {
    const { unit, height, random, style } = canvas;
    const [wide, tall] = [unit * (5 + 3 * random()), height * (0.4 + 0.3 * random())];
    const area = somewhere(canvas, wide, tall, unit);
    const { x, y } = area;
    const teeth = several(12, () => `l${wide / 24} ${-unit / 3}l${wide / 24} ${unit / 3}`).join("");
    const count = between(random, 7, 14);
    const row = (0.8 * tall) / count;
    const mono = { ...style, font: "monospace" };
    return turned(
      area,
      between(random, -14, 14),
      path(`M${x} ${y}${teeth}v${tall}h${-wide}z`, { fill: "#fdfdfb" }) +
        fitted(mono, { x, y: y + unit / 2, width: wide, height: 0.1 * tall }, heading(random, 1), {
          fill: "#111",
          bold: true,
        }) +
        several(count, (k) => {
          const at = y + 0.15 * tall + (k + 0.7) * row;
          return (
            text(mono, x + unit / 3, at, 0.5 * row, word(random, style.script), { fill: "#222" }) +
            text(mono, x + wide - unit / 3, at, 0.5 * row, amount(random), { fill: "#222", anchor: "end" })
          );
        }).join(""),
    );
  }),
];
