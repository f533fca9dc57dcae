import { pick } from "@colophon/testing/chance.ts";
import type { Canvas } from "../canvas.ts";
import type { Design } from "../design.ts";
import { box, disc, path, rule } from "../drawing.ts";
import { between, several } from "../language.ts";
import { SIZES, sign, turned } from "../opaque/pieces.ts";
import { overlay } from "../overlay.ts";
import { letters, lengthOf, light, mark, said, tiles } from "./tiles.ts";

/** Letters one after the other around a point. */
function around(canvas: Canvas, x: number, y: number, radius: number, what: string, fill: string): string {
  const each = Array.from(what);
  const size = Math.min(0.4 * radius, (4.6 * radius) / each.length);
  return each
    .map((letter, k) => {
      const turn = (360 * k) / each.length;
      return `<g transform="rotate(${turn} ${x} ${y})">${said(canvas, [x, y - radius], size, letter, { fill, bold: true })}</g>`;
    })
    .join("");
}

/** What else previews are marked with: lines that cross, seals, signs, stamps. */
export const PREVIEW_MARKS: readonly Design[] = [
  overlay("agency-crossing", SIZES, (canvas) => {
    const { width, height, random, unit } = canvas;
    const [what, size, fill] = [mark(canvas), unit * (0.7 + random()), light(canvas)];
    const [columns, rows] = [between(random, 1, 4), between(random, 1, 3)];
    const [w, h, line] = [width / columns, height / rows, between(random, 1, 4)];
    return several(columns * rows, (k) => {
      const [x, y] = [(k % columns) * w, Math.floor(k / columns) * h];
      return (
        rule(x, y, x + w, y + h, fill, line) +
        rule(x + w, y, x, y + h, fill, line) +
        said(canvas, [x + w / 2, y + h / 2], size, what, { fill, bold: true })
      );
    }).join("");
  }),
  overlay("net-of-names", SIZES, (canvas) => {
    const { random } = canvas;
    const { what, size, fill, opacity } = letters(canvas, 0.5, 0.5);
    const across = lengthOf(what, size) * (1.5 + random());
    const down = across * (0.5 + 0.4 * random());
    const line = between(random, 1, 3);
    return `<g opacity="${opacity}">${tiles(
      canvas,
      { across, down, moved: 0.5, turn: pick(random, [0, 0, 15]) },
      (x, y) =>
        path(`M${x - across / 2} ${y}L${x} ${y - down}L${x + across / 2} ${y}`, { stroke: fill, line }) +
        said(canvas, [x, y], size, what, { fill, bold: true }),
    )}</g>`;
  }),
  overlay("sign-and-name", SIZES, (canvas) => {
    const { random } = canvas;
    const { what, size, fill, opacity } = letters(canvas, 0.5, 0.5);
    const across = (lengthOf(what, size) + 2 * size) * (1.1 + 0.6 * random());
    const tiling = { across, down: size * (3 + 3 * random()), moved: 0.5, turn: pick(random, [0, 0, -25]) };
    const drawn = sign(random, 0, 0, 0.7 * size, fill);
    return `<g opacity="${opacity}">${tiles(
      canvas,
      tiling,
      (x, y) =>
        `<g transform="translate(${x - lengthOf(what, size) / 2 - size} ${y})">${drawn}</g>` +
        said(canvas, [x, y], size, what, { fill, bold: true }),
    )}</g>`;
  }),
  overlay("seals-all-over", SIZES, (canvas) => {
    const { random, style } = canvas;
    const { what, size: radius, fill, opacity } = letters(canvas, 1.2, 1.6);
    const across = radius * (2.6 + 2 * random());
    return `<g opacity="${opacity}">${tiles(
      canvas,
      {
        across,
        down: across * (0.8 + 0.4 * random()),
        moved: pick(random, [0, 0.5]),
        turn: between(random, -20, 20),
      },
      (x, y) =>
        disc(x, y, 1.3 * radius, { stroke: fill, line: style.line }) +
        disc(x, y, 0.6 * radius, { stroke: fill, line: style.line }) +
        around(canvas, x, y, radius, `${what} · `, fill),
    )}</g>`;
  }),
  overlay("stamped-boxes", SIZES, (canvas) => {
    const { random, style } = canvas;
    const { what, size, fill: stroke, opacity } = letters(canvas, 0.7, 1);
    const [wide, tall] = [lengthOf(what, size) + size, 1.7 * size];
    const tiling = {
      across: wide * (1.2 + 0.8 * random()),
      down: tall * (1.8 + 2 * random()),
      moved: 0.5,
      turn: 0,
    };
    const turns = several(12, () => between(random, -40, 40));
    return `<g opacity="${opacity}">${tiles(canvas, tiling, (x, y, row, column) =>
      turned(
        { x: x - wide / 2, y: y - tall / 2, width: wide, height: tall },
        turns[(5 * row + column) % turns.length]!,
        box(x - wide / 2, y - tall / 2, wide, tall, { stroke, line: 1 + style.line, corner: style.corner }) +
          said(canvas, [x, y], size, what, { fill: stroke, bold: true }),
      ),
    )}</g>`;
  }),
  overlay("marks-at-the-edges", SIZES, (canvas) => {
    const { width, height, random } = canvas;
    const { what, size, fill, opacity } = letters(canvas, 0.5, 0.5);
    const step = lengthOf(what, size) * (1.1 + 0.3 * random());
    const line = (length: number, y: number): string =>
      several(Math.ceil(length / step), (k) =>
        said(canvas, [(k + 0.5) * step, y], size, what, { fill, opacity, bold: true }),
      ).join("");
    const upright = (x: number): string =>
      `<g transform="translate(${x} 0) rotate(90)">${line(height, 0)}</g>`;
    return (
      line(width, size) +
      line(width, height - size) +
      upright(size) +
      upright(width - size) +
      said(canvas, [width / 2, height / 2], 2.5 * size, what, { fill, opacity, bold: true })
    );
  }),
];
