import { pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import type { Canvas } from "../canvas.ts";
import { type Box, type Lettering, type Style, box, disc, path, text } from "../drawing.ts";
import { between, drawScript, several, title, words } from "../language.ts";

/** Sizes of pictures that something opaque lies on. */
export const SIZES = [
  [1200, 800],
  [1280, 720],
  [1000, 1000],
  [900, 1200],
  [1080, 1350],
  [720, 1280],
  [800, 600],
  [1100, 620],
] as const;

/** About how wide a letter is, as a share of its height. */
const LETTER = 0.62;

/** A colour for a plate, and one that can be read on it. */
export interface Paint {
  readonly plate: string;
  readonly ink: string;
}

export function paint({ style, random }: Canvas): Paint {
  return pick(random, [
    { plate: style.accent, ink: "#ffffff" },
    { plate: style.second, ink: "#101010" },
    { plate: style.ground, ink: style.ink },
    { plate: "#ffffff", ink: "#151515" },
    { plate: "#101216", ink: "#f5f5f5" },
    { plate: pick(random, ["#ffd500", "#ff8a00", "#7ad7f0", "#f4b6c2"]), ink: "#141414" },
  ]);
}

/** Words in a script of their own. */
export const phrase = (random: Random, count: number): string => words(random, drawScript(random), count);

/** The same, the first letter a capital. */
export const heading = (random: Random, count: number): string => title(random, drawScript(random), count);

/** One line, as large as a box lets it be, in its middle unless it starts on the left. */
export function fitted(
  style: Style,
  { x, y, width, height }: Box,
  said: string,
  lettering: Lettering = {},
): string {
  const size = Math.min(0.78 * height, (0.94 * width) / (LETTER * Math.max(2, said.length)));
  const isLeft = lettering.anchor === "start";
  return text(style, isLeft ? x : x + width / 2, y + height / 2 + 0.35 * size, Math.round(size), said, {
    anchor: "middle",
    ...lettering,
  });
}

/** Rows of words that fill a box. */
export function rows(style: Style, random: Random, area: Box, count: number, fill: string): string {
  const row = area.height / count;
  const long = Math.max(1, Math.round(area.width / row / 3.2));
  return several(count, (k) =>
    fitted(style, { ...area, y: area.y + k * row, height: row }, phrase(random, long), {
      fill,
      anchor: "start",
    }),
  ).join("");
}

/** A star of so many points, or what a price is shouted from: `deep` is how far in its notches lie. */
export function burst(x: number, y: number, radius: number, points: number, deep: number): string {
  const corners = several(2 * points, (k) => {
    const [far, turn] = [k % 2 === 0 ? radius : deep * radius, (Math.PI * k) / points];
    return `${(x + far * Math.sin(turn)).toFixed(1)} ${(y - far * Math.cos(turn)).toFixed(1)}`;
  });
  return `M${corners.join("L")}z`;
}

/** A square code with its three markers, on a plate. */
export function code(random: Random, x: number, y: number, side: number): string {
  const cells = between(random, 21, 29);
  const step = side / (cells + 4);
  const at = (c: number, r: number, size: number, fill: string): string =>
    box(x + (c + 2) * step, y + (r + 2) * step, size * step, size * step, { fill });
  const marker = (c: number, r: number): string =>
    at(c - 1, r - 1, 9, "#fff") +
    at(c, r, 7, "#000") +
    at(c + 1, r + 1, 5, "#fff") +
    at(c + 2, r + 2, 3, "#000");
  const dots = several(cells * cells, (k) =>
    random() < 0.48 ? at(k % cells, Math.floor(k / cells), 1.04, "#000") : "",
  );
  return (
    box(x, y, side, side, { fill: "#fff" }) +
    dots.join("") +
    marker(0, 0) +
    marker(cells - 7, 0) +
    marker(0, cells - 7)
  );
}

/** A button's sign: a heart, a cross, a bubble, an arrow, a flag, a lens. */
export function sign(random: Random, x: number, y: number, r: number, fill: string): string {
  return pick(random, [
    path(
      `M${x} ${y + r}L${x - r} ${y - 0.1 * r}a${0.55 * r} ${0.55 * r} 0 0 1 ${r} ${-0.6 * r}a${0.55 * r} ${0.55 * r} 0 0 1 ${r} ${0.6 * r}z`,
      { fill },
    ),
    path(`M${x - r} ${y}h${2 * r}M${x} ${y - r}v${2 * r}`, { stroke: fill, line: r / 3 }),
    path(`M${x - r} ${y - r}h${2 * r}v${1.4 * r}h${-r}l${-0.5 * r} ${0.6 * r}v${-0.6 * r}h${-0.5 * r}z`, {
      fill,
    }),
    path(`M${x - r} ${y + 0.8 * r}L${x + r} ${y}L${x - r} ${y - 0.8 * r}L${x - 0.4 * r} ${y}z`, { fill }),
    path(`M${x - 0.6 * r} ${y - r}h${1.2 * r}v${2 * r}l${-0.6 * r} ${-0.6 * r}l${-0.6 * r} ${0.6 * r}z`, {
      fill,
    }),
    disc(x - 0.2 * r, y - 0.2 * r, 0.6 * r, { stroke: fill, line: r / 3 }) +
      path(`M${x + 0.3 * r} ${y + 0.3 * r}l${0.7 * r} ${0.7 * r}`, { stroke: fill, line: r / 3 }),
  ]);
}

/** A face without features, as of someone who shows none. */
export function avatar(canvas: Canvas, x: number, y: number, r: number): string {
  const { plate, ink } = paint(canvas);
  return (
    disc(x, y, r, { fill: plate, stroke: "#ffffff", line: r / 8 }) +
    disc(x, y - 0.2 * r, 0.34 * r, { fill: ink }) +
    path(`M${x - 0.6 * r} ${y + 0.7 * r}a${0.6 * r} ${0.6 * r} 0 0 1 ${1.2 * r} 0z`, { fill: ink })
  );
}

/** Something turned about the middle of a box. */
export function turned({ x, y, width, height }: Box, degrees: number, drawn: string): string {
  return `<g transform="rotate(${degrees.toFixed(1)} ${x + width / 2} ${y + height / 2})">${drawn}</g>`;
}

/** A box of this size somewhere in a canvas, against an edge of it, or in a corner. */
export function somewhere({ width, height, random }: Canvas, wide: number, tall: number, edge: number): Box {
  const at = (free: number): number => pick(random, [edge, free - edge, edge + (free - 2 * edge) * random()]);
  return { x: at(width - wide), y: at(height - tall), width: wide, height: tall };
}
