import { pick } from "@colophon/testing/chance.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { box } from "../drawing.ts";
import { between, digits, several } from "../language.ts";
import { SIZES, phrase } from "../opaque/pieces.ts";
import { overlay } from "../overlay.ts";
import { cover, letters, lengthOf, light, mark, said, tiles } from "./tiles.ts";

/**
 * Letters of one size in tiles: what is said, how far apart as a share of its length, how far the rows in sizes, and
 * the turn.
 */
function lettered(
  canvas: Canvas,
  what: string,
  size: number,
  { apart, rows, moved, turn }: { apart: number; rows: number; moved: number; turn: number },
  put: (x: number, y: number, row: number) => string,
): string {
  const tiling = { across: apart * lengthOf(what, size), down: rows * size, moved, turn };
  return tiles(canvas, tiling, put);
}

/** Previews under a name that is written all over them. */
export const PREVIEW_LETTERING: readonly Design[] = [
  overlay("proof-rows", SIZES, (canvas) => {
    const { random } = canvas;
    const { what, size, fill, opacity } = letters(canvas, 0.6, 0.8);
    const laid = { apart: 1.05 + 0.5 * random(), rows: 2 + 3.5 * random(), moved: 0.5, turn: 0 };
    return lettered(canvas, what, size, laid, (x, y) =>
      said(canvas, [x, y], size, what, { fill, opacity, bold: true }),
    );
  }),
  overlay("proof-columns", SIZES, (canvas) => {
    const { random } = canvas;
    const { what, size, fill, opacity } = letters(canvas, 0.7, 0.9);
    const laid = {
      apart: 1.2 + random(),
      rows: 2.5 + 4 * random(),
      moved: 0,
      turn: pick(random, [0, 0, 90]),
    };
    return lettered(canvas, what, size, laid, (x, y) => said(canvas, [x, y], size, what, { fill, opacity }));
  }),
  overlay("slanting-proofs", SIZES, (canvas) => {
    const { random, unit } = canvas;
    const [what, size, fill] = [mark(canvas), unit * (0.7 + 1.3 * random()), light(canvas)];
    const stroke = fill === "#000000" ? "#ffffff" : "#000000";
    const turn = pick(random, [-1, 1]) * between(random, 15, 60);
    const laid = { apart: 1.1 + 0.6 * random(), rows: 2.2 + 3 * random(), moved: 0.5, turn };
    return lettered(canvas, what, size, laid, (x, y) =>
      said(canvas, [x, y], size, what, { fill, stroke, bold: true }),
    );
  }),
  overlay("outlined-names", SIZES, (canvas) => {
    const { random, unit } = canvas;
    const [what, size, stroke] = [mark(canvas), unit * (1 + 2 * random()), light(canvas)];
    const laid = {
      apart: 1.1 + 0.8 * random(),
      rows: 2 + 2 * random(),
      moved: 0.5,
      turn: pick(random, [0, -20, 30]),
    };
    return lettered(canvas, what, size, laid, (x, y) =>
      said(canvas, [x, y], size, what, { fill: "none", stroke, bold: true }),
    );
  }),
  overlay("two-names-in-turn", SIZES, (canvas) => {
    const { random, unit } = canvas;
    const names = [mark(canvas), phrase(random, 3)] as const;
    const [large, small] = [unit * (0.8 + 0.9 * random()), unit * (0.4 + 0.4 * random())];
    const [fill, opacity] = [light(canvas), cover(canvas)];
    const laid = {
      apart: 1.2 + 0.5 * random(),
      rows: 2 + 2 * random(),
      moved: 0.5,
      turn: pick(random, [0, 0, -30]),
    };
    return lettered(canvas, names[0], large, laid, (x, y, row) =>
      row % 2 === 0
        ? said(canvas, [x, y], large, names[0], { fill, opacity, bold: true })
        : said(canvas, [x, y], small, names[1], { fill, opacity }),
    );
  }),
  overlay("name-and-number", SIZES, (canvas) => {
    const { random } = canvas;
    const { what, size, fill, opacity } = letters(canvas, 0.6, 0.6);
    const number = digits(random, between(random, 6, 10));
    const laid = { apart: 1.4 + random(), rows: 4 + 4 * random(), moved: pick(random, [0, 0.5]), turn: 0 };
    return lettered(
      canvas,
      what,
      size,
      laid,
      (x, y) =>
        said(canvas, [x, y], size, what, { fill, opacity, bold: true }) +
        said(canvas, [x, y + 1.1 * size], 0.6 * size, number, { fill, opacity }),
    );
  }),
  overlay("lettered-strips", SIZES, (canvas) => {
    const { width, height, random, unit, style } = canvas;
    const [what, size] = [mark(canvas), unit * (0.6 + 0.7 * random())];
    const [strips, opacity] = [between(random, 2, 7), 0.4 + 0.6 * random()];
    const [plate, fill] = pick(random, [
      ["#000000", "#ffffff"],
      ["#ffffff", "#101010"],
      [style.accent, "#ffffff"],
    ] as const);
    const step = 1.15 * lengthOf(what, size);
    return several(strips, (k) => {
      const y = ((k + 0.5) * height) / strips;
      const names = several(Math.ceil(width / step) + 1, (n) =>
        said(canvas, [(n + (k % 2) / 2) * step, y], size, what, { fill, bold: true }),
      );
      return box(0, y - 0.8 * size, width, 1.6 * size, { fill: plate, opacity }) + names.join("");
    }).join("");
  }),
  overlay("bevelled-names", SIZES, (canvas) => {
    const { random, unit } = canvas;
    const [what, size] = [mark(canvas), unit * (0.9 + 1.6 * random())];
    const [by, opacity] = [size / 14, 0.3 + 0.5 * random()];
    const laid = {
      apart: 1.1 + 0.7 * random(),
      rows: 1.8 + 2.4 * random(),
      moved: 0.5,
      turn: between(random, -35, 35),
    };
    return lettered(
      canvas,
      what,
      size,
      laid,
      (x, y) =>
        said(canvas, [x + by, y + by], size, what, { fill: "#000000", opacity, bold: true }) +
        said(canvas, [x, y], size, what, { fill: "#ffffff", opacity, bold: true }),
    );
  }),
  overlay("few-large-names", SIZES, (canvas) => {
    const { width, height, random } = canvas;
    const [what, lines] = [mark(canvas), between(random, 1, 4)];
    const size = Math.min((0.8 * height) / lines / 1.6, (1.1 * width) / (0.62 * Math.max(3, what.length)));
    const [fill, opacity, turn] = [light(canvas), cover(canvas), pick(random, [0, 0, -25, 35])];
    return `<g transform="rotate(${turn} ${width / 2} ${height / 2})">${several(lines, (k) =>
      said(canvas, [width / 2, ((k + 0.5) * height) / lines], size, what, { fill, opacity, bold: true }),
    ).join("")}</g>`;
  }),
  overlay("small-print-all-over", SIZES, (canvas) => {
    const { random, unit } = canvas;
    const [what, size, fill, opacity] = [
      `${mark(canvas)} ${phrase(random, 2)}`,
      unit * (0.32 + 0.25 * random()),
      light(canvas),
      cover(canvas),
    ];
    const laid = {
      apart: 1.03 + 0.3 * random(),
      rows: 1.6 + 2.5 * random(),
      moved: 0.5,
      turn: pick(random, [0, -30, 45]),
    };
    return lettered(canvas, what, size, laid, (x, y) => said(canvas, [x, y], size, what, { fill, opacity }));
  }),
];
