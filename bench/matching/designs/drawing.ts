import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import { type Script, between, drawScript } from "./language.ts";

/** Colours, letters and lines of one drawn design: the same in all of its members. */
export interface Style {
  readonly script: Script;
  readonly font: string;
  /** Weight of headings, and whether they slant. */
  readonly bold: boolean;
  readonly ground: string;
  readonly ink: string;
  readonly accent: string;
  readonly second: string;
  readonly faint: string;
  /** Width of lines, pixels, and radius of corners. */
  readonly line: number;
  readonly corner: number;
}

/** Generic families first of all: whatever fonts the machine has. */
const FONTS = ["sans-serif", "serif", "monospace", "DejaVu Sans, sans-serif", "Liberation Serif, serif"];

function hsl(hue: number, saturation: number, lightness: number): string {
  return `hsl(${Math.round(hue)},${Math.round(saturation)}%,${Math.round(lightness)}%)`;
}

export function drawStyle(random: Random): Style {
  const hue = 360 * random();
  const isDark = random() < 0.3;
  const groundSaturation = random() < 0.5 ? 0 : 15 + 45 * random();
  return {
    script: drawScript(random),
    font: pick(random, FONTS),
    bold: random() < 0.4,
    ground: hsl(hue, groundSaturation, isDark ? 6 + 18 * random() : 86 + 14 * random()),
    ink: hsl(hue + 180 * random(), 30 * random(), isDark ? 82 + 16 * random() : 4 + 22 * random()),
    accent: hsl(hue + 360 * random(), 45 + 50 * random(), 28 + 34 * random()),
    second: hsl(hue + 360 * random(), 30 + 60 * random(), 35 + 40 * random()),
    faint: hsl(hue, 20 * random(), isDark ? 30 + 14 * random() : 70 + 18 * random()),
    line: between(random, 1, 5),
    corner: random() < 0.5 ? 0 : between(random, 6, 30),
  };
}

const escaped = (said: string): string =>
  said.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export interface Lettering {
  readonly fill?: string;
  readonly anchor?: "start" | "middle" | "end";
  readonly bold?: boolean;
  readonly opacity?: number;
  /** Outline of the letters. */
  readonly stroke?: string;
  /** Degrees about the anchor. */
  readonly turn?: number;
}

/** One line of text; (x, y) is the anchor on the base line. */
export function text(
  style: Pick<Style, "font" | "ink" | "bold">,
  x: number,
  y: number,
  size: number,
  said: string,
  { fill = style.ink, anchor = "start", bold = false, opacity = 1, stroke, turn }: Lettering = {},
): string {
  const outline =
    stroke === undefined
      ? ""
      : ` stroke="${stroke}" stroke-width="${(size / 12).toFixed(1)}" paint-order="stroke"`;
  const turned = turn === undefined ? "" : ` transform="rotate(${turn} ${x} ${y})"`;
  return `<text x="${x}" y="${y}" font-family="${style.font}" font-size="${size}" font-weight="${bold || style.bold ? "bold" : "normal"}" fill="${fill}" fill-opacity="${opacity}" text-anchor="${anchor}"${outline}${turned}>${escaped(said)}</text>`;
}

export interface Shape {
  readonly fill?: string;
  readonly stroke?: string;
  readonly line?: number;
  readonly corner?: number;
  readonly opacity?: number;
}

function painted({ fill = "none", stroke, line = 2, opacity = 1 }: Shape): string {
  const edge = stroke === undefined ? "" : ` stroke="${stroke}" stroke-width="${line}"`;
  return `fill="${fill}"${edge} opacity="${opacity}"`;
}

export function box(x: number, y: number, width: number, height: number, shape: Shape): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${shape.corner ?? 0}" ${painted(shape)}/>`;
}

export function disc(x: number, y: number, radius: number, shape: Shape): string {
  return `<circle cx="${x}" cy="${y}" r="${radius}" ${painted(shape)}/>`;
}

/** A path by its commands. */
export function path(commands: string, shape: Shape): string {
  return `<path d="${commands}" ${painted(shape)}/>`;
}

export function rule(x: number, y: number, toX: number, toY: number, stroke: string, line: number): string {
  return `<path d="M${x} ${y}L${toX} ${toY}" stroke="${stroke}" stroke-width="${line}"/>`;
}

/** A broken line through points. */
export function polyline(
  points: readonly (readonly [number, number])[],
  stroke: string,
  line: number,
): string {
  return `<polyline points="${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")}" fill="none" stroke="${stroke}" stroke-width="${line}" stroke-linejoin="round"/>`;
}

/** A grid of lines. */
export function grid(
  { x, y, width, height }: Box,
  columns: number,
  rows: number,
  stroke: string,
  line: number,
): string {
  const across = Array.from({ length: rows + 1 }, (_, k) =>
    rule(x, y + (k * height) / rows, x + width, y + (k * height) / rows, stroke, line),
  );
  const down = Array.from({ length: columns + 1 }, (_, k) =>
    rule(x + (k * width) / columns, y, x + (k * width) / columns, y + height, stroke, line),
  );
  return across.join("") + down.join("");
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A place for a photograph, which fills it and is cut where it is longer. */
export interface Frame extends Box {
  readonly round?: boolean;
  readonly corner?: number;
  readonly turn?: number;
  readonly opacity?: number;
}

/** `href`: the photograph, a data URI. `id` must be the only one of its name on the page where a frame is cut. */
export function photograph(href: string, frame: Frame, id = "cut"): string {
  const { x, y, width, height, round, corner, turn, opacity = 1 } = frame;
  const image = (cut: string): string =>
    `<image x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="xMidYMid slice" opacity="${opacity}" href="${href}"${cut}/>`;
  const name = `${id}-${Math.round(x)}-${Math.round(y)}`;
  const outline = round
    ? `<ellipse cx="${x + width / 2}" cy="${y + height / 2}" rx="${width / 2}" ry="${height / 2}"/>`
    : `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${corner ?? 0}"/>`;
  const cut = `<clipPath id="${name}">${outline}</clipPath>${image(` clip-path="url(#${name})"`)}`;
  return turn === undefined
    ? cut
    : `<g transform="rotate(${turn} ${x + width / 2} ${y + height / 2})">${cut}</g>`;
}

/** A ground, and what lies on it. */
export function page(width: number, height: number, ground: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${box(0, 0, width, height, { fill: ground })}${parts.join("")}</svg>`;
}

/** A pattern of `content`, repeated every `width` and `height` over a whole page, turned by so many degrees. */
export function tiled(
  [pageWidth, pageHeight]: readonly [number, number],
  [width, height]: readonly [number, number],
  turn: number,
  content: string,
): string {
  return `<pattern id="tile" width="${width}" height="${height}" patternUnits="userSpaceOnUse" patternTransform="rotate(${turn})">${content}</pattern><rect width="${pageWidth}" height="${pageHeight}" fill="url(#tile)"/>`;
}

/** A gradient from one colour to another, each with its opacity, down or across a box. */
export function shaded(
  { x, y, width, height }: Box,
  colour: string,
  [from, to]: readonly [number, number],
  isAcross = false,
): string {
  const id = `shade-${Math.round(x)}-${Math.round(y)}-${Math.round(width)}`;
  return `<linearGradient id="${id}" x1="0" y1="0" x2="${isAcross ? 1 : 0}" y2="${isAcross ? 0 : 1}"><stop offset="0" stop-color="${colour}" stop-opacity="${from}"/><stop offset="1" stop-color="${colour}" stop-opacity="${to}"/></linearGradient><rect x="${x}" y="${y}" width="${width}" height="${height}" fill="url(#${id})"/>`;
}
