import { pick } from "@colophon/testing/chance.ts";
import type { Design } from "../design.ts";
import { box, rule, text } from "../drawing.ts";
import { between, digits, several } from "../language.ts";
import { SIZES, fitted, heading, paint, phrase, rows } from "../opaque/pieces.ts";
import { overlay } from "../overlay.ts";
import { light } from "../previews/tiles.ts";

/** Words, numbers and tables that are read over a photograph. */
export const BOLD_WORDS: readonly Design[] = [
  overlay("lines-of-verse", SIZES, (canvas) => {
    const { width, height, random, style } = canvas;
    const [lines, fill] = [between(random, 3, 9), light(canvas)];
    const [left, wide] = [width * (0.05 + 0.2 * random()), width * (0.5 + 0.25 * random())];
    const tall = (height * (0.5 + 0.4 * random())) / lines;
    const top = (height - lines * tall) * random();
    return several(lines, (k) =>
      fitted(
        style,
        { x: left, y: top + k * tall, width: wide, height: tall },
        phrase(random, between(random, 2, 5)),
        {
          fill,
          ...(random() < 0.5 ? { stroke: fill === "#000000" ? "#ffffff" : "#000000" } : {}),
        },
      ),
    ).join("");
  }),
  overlay("giant-letter", SIZES, (canvas) => {
    const { width, height, random, style } = canvas;
    const size = Math.min(width, height) * (0.8 + 0.6 * random());
    const what = random() < 0.5 ? Array.from(heading(random, 1))[0]! : digits(random, between(random, 1, 2));
    return text(style, width * (0.3 + 0.4 * random()), height / 2 + 0.35 * size, Math.round(size), what, {
      fill: light(canvas),
      anchor: "middle",
      bold: true,
      opacity: 0.4 + 0.6 * random(),
      turn: between(random, -15, 15),
    });
  }),
  overlay("month-over-picture", SIZES, (canvas) => {
    const { width, height, random, style } = canvas;
    const [columns, lines, fill] = [7, between(random, 5, 7), light(canvas)];
    const area = {
      x: width * 0.08,
      y: height * (0.08 + 0.3 * random()),
      width: width * 0.84,
      height: height * 0.52,
    };
    const [w, h, first] = [area.width / columns, area.height / lines, between(random, 0, 6)];
    return (
      box(area.x, area.y, area.width, area.height, { fill: style.ground, opacity: 0.5 * random() }) +
      several(columns * lines, (k) => {
        const [x, y, day] = [
          area.x + (k % columns) * w,
          area.y + Math.floor(k / columns) * h,
          k - 7 - first + 1,
        ];
        const said = k < 7 ? Array.from(heading(random, 1))[0]! : day > 0 && day <= 31 ? `${day}` : "";
        return fitted(style, { x, y, width: w, height: h }, said, { fill, bold: k < 7 });
      }).join("")
    );
  }),
  overlay("list-of-dishes", SIZES, (canvas) => {
    const { width, height, random, style } = canvas;
    const { plate, ink } = paint(canvas);
    const wide = width * (0.32 + 0.18 * random());
    const area = {
      x: pick(random, [0.05 * width, width - wide - 0.05 * width]),
      y: 0.06 * height,
      width: wide,
      height: 0.88 * height,
    };
    return (
      box(area.x, area.y, wide, area.height, {
        fill: plate,
        opacity: 0.55 + 0.45 * random(),
        corner: style.corner,
      }) +
      fitted(style, { ...area, height: 0.14 * height }, heading(random, 1), { fill: ink, bold: true }) +
      rows(
        style,
        random,
        { x: area.x + 0.06 * wide, y: area.y + 0.17 * height, width: 0.88 * wide, height: 0.66 * height },
        between(random, 5, 11),
        ink,
      )
    );
  }),
  overlay("tinted-half", SIZES, (canvas) => {
    const { width, height, random, style } = canvas;
    const { plate, ink } = paint(canvas);
    const share = 0.3 + 0.25 * random();
    const area = pick(random, [
      { x: 0, y: 0, width: width * share, height },
      { x: width * (1 - share), y: 0, width: width * share, height },
      { x: 0, y: height * (1 - share), width, height: height * share },
    ]);
    const line = { x: area.x + 0.05 * area.width, width: 0.9 * area.width };
    return (
      box(area.x, area.y, area.width, area.height, { fill: plate, opacity: 0.5 + 0.5 * random() }) +
      fitted(
        style,
        { ...line, y: area.y + 0.25 * area.height, height: 0.2 * area.height },
        heading(random, 2),
        {
          fill: ink,
          bold: true,
        },
      ) +
      fitted(
        style,
        { ...line, y: area.y + 0.5 * area.height, height: 0.1 * area.height },
        phrase(random, 5),
        {
          fill: ink,
        },
      )
    );
  }),
  overlay("numbers-in-squares", SIZES, (canvas) => {
    const { width, height, random, style } = canvas;
    const [columns, lines, stroke] = [between(random, 3, 6), between(random, 3, 6), light(canvas)];
    const [w, h] = [width / columns, height / lines];
    const names = "ABCDEF";
    return (
      several(columns - 1, (k) => rule((k + 1) * w, 0, (k + 1) * w, height, stroke, style.line)).join("") +
      several(lines - 1, (k) => rule(0, (k + 1) * h, width, (k + 1) * h, stroke, style.line)).join("") +
      several(columns * lines, (k) => {
        const [c, r] = [k % columns, Math.floor(k / columns)];
        return text(style, c * w + 6, r * h + 0.24 * h, Math.round(0.2 * h), `${names[c]}${r + 1}`, {
          fill: stroke,
        });
      }).join("")
    );
  }),
];
