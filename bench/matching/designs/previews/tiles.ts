import { pick } from "@colophon/testing/chance.ts";
import type { Canvas } from "../canvas.ts";
import { type Lettering, text } from "../drawing.ts";
import { between, digits, several, title, word } from "../language.ts";
import { phrase } from "../opaque/pieces.ts";

/** Where tiles lie that cover a page: steps across and down, how far every second row is moved, and the turn of all. */
export interface Tiling {
  readonly across: number;
  readonly down: number;
  readonly moved: number;
  readonly turn: number;
}

/** Something drawn at the middle of each tile of a whole page. */
export function tiles(
  { width, height }: Canvas,
  { across, down, moved, turn }: Tiling,
  put: (x: number, y: number, row: number, column: number) => string,
): string {
  // Turned, the tiles must reach as far as the corners do.
  const [wide, tall] =
    turn % 180 === 0 ? [width, height] : [Math.hypot(width, height), Math.hypot(width, height)];
  const [columns, rows] = [Math.ceil(wide / 2 / across) + 1, Math.ceil(tall / 2 / down) + 1];
  const drawn = several(2 * rows + 1, (row) =>
    several(2 * columns + 1, (column) =>
      put(
        width / 2 + (column - columns + (row % 2 === 0 ? 0 : moved)) * across,
        height / 2 + (row - rows) * down,
        row,
        column,
      ),
    ).join(""),
  );
  return `<g transform="rotate(${turn} ${width / 2} ${height / 2})">${drawn.join("")}</g>`;
}

/** What an agency or a photographer writes over previews: a name, an address, a number. */
export function mark({ random, style }: Canvas): string {
  const name = word(random, style.script);
  return pick(random, [
    title(random, style.script, between(random, 1, 2)),
    `${name}©`,
    `© ${phrase(random, 1)}`,
    `${name}.${pick(random, ["com", "net", "photo", "org"])}`,
    `www.${name}-${word(random, "latin")}.com`,
    `${name.toUpperCase()} ${digits(random, between(random, 4, 9))}`,
    pick(random, ["PROOF", "SAMPLE", "PREVIEW", "DRAFT", "Not for sale", "DO NOT COPY"]),
  ]);
}

/** The light and the dark that letters over a photograph are filled with. */
export const light = ({ random }: Canvas): string =>
  pick(random, ["#ffffff", "#ffffff", "#ffffff", "#000000", "#ffe24a", "#e0262c", "#2f6fe0"]);

/** How much of what lies below letters hide: in half of the draws all. */
export const cover = ({ random }: Canvas): number => (random() < 0.5 ? 1 : 0.35 + 0.6 * random());

/** Letters that cover a page: what they say, how large they are, pixels, and what they look like. */
export interface Letters {
  readonly what: string;
  readonly size: number;
  readonly fill: string;
  readonly opacity: number;
}

/** Letters whose size is `least` to `least + more` units. */
export function letters(canvas: Canvas, least: number, more: number): Letters {
  return {
    what: mark(canvas),
    size: canvas.unit * (least + more * canvas.random()),
    fill: light(canvas),
    opacity: cover(canvas),
  };
}

/** A line of letters about a point. */
export function said(
  { style }: Canvas,
  [x, y]: readonly [number, number],
  size: number,
  what: string,
  lettering: Lettering = {},
): string {
  return text(style, x, y + 0.35 * size, Math.round(size), what, { anchor: "middle", ...lettering });
}

/** How wide a line of letters is about. */
export const lengthOf = (what: string, size: number): number => 0.62 * size * Math.max(2, what.length);
