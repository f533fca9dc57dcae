import type { Inspection } from "@colophon/contract";

type Match = Inspection["matches"][number];
type Corner = readonly [x: number, y: number];

const COLUMNS = 60;
const MAX_ROWS = 30;
/** How much higher than wide a character is. */
const CHARACTER = 2;
const COLOURS = ["#d9480f", "#1864ab", "#2b8a3e", "#862e9c", "#c92a2a", "#0b7285"];

/** The outlines of all originals in the frame of the picture, drawn with their numbers, line by line. */
export function placesAsText({ width, height, matches }: Inspection): string[] {
  const columns = Math.round(Math.min(COLUMNS, (MAX_ROWS * CHARACTER * width) / height));
  const rows = Math.max(3, Math.round((columns * height) / width / CHARACTER));
  const cells = Array.from({ length: rows }, () => Array.from({ length: Math.max(3, columns) }, () => " "));
  for (const [at, { region }] of matches.entries()) {
    for (const [x, y] of outline(region ?? [], columns * 2)) {
      const row = cells[Math.min(rows - 1, Math.floor((y / height) * rows))];
      if (row !== undefined) row[Math.min(row.length - 1, Math.floor((x / width) * row.length))] = digit(at);
    }
  }
  const edge = `+${"-".repeat(cells[0]?.length ?? 0)}+`;
  return [edge, ...cells.map((row) => `|${row.join("")}|`), edge];
}

/** The character that draws the original in this place of the list. */
function digit(at: number): string {
  return (at + 1).toString(36).slice(-1);
}

/** Points on the sides of a polygon, `count` on each. */
function* outline(polygon: readonly Corner[], count: number): Generator<Corner> {
  for (const [at, [x, y]] of polygon.entries()) {
    const [toX, toY] = polygon[(at + 1) % polygon.length] ?? [x, y];
    for (let step = 0; step < count; step += 1) {
      const share = step / count;
      yield [x + (toX - x) * share, y + (toY - y) * share];
    }
  }
}

/** An SVG of the picture itself, embedded, with the numbered outline of each original on it. */
export async function placesAsSvg({ width, height, matches }: Inspection, image: Blob): Promise<string> {
  const bytes = Buffer.from(await image.arrayBuffer());
  const line = Math.max(width, height) / 200;
  const outlines = matches.flatMap((match, at) => outlineAsSvg(match, at, line));
  return [
    markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif">`,
    markup`<image width="${width}" height="${height}" preserveAspectRatio="none" href="data:${image.type};base64,${bytes.toString("base64")}"/>`,
    ...outlines,
    "</svg>",
    "",
  ].join("\n");
}

function outlineAsSvg({ region, originalImageHash }: Match, at: number, line: number): string[] {
  const [first] = region ?? [];
  if (region === null || first === undefined) return [];
  const colour = COLOURS[at % COLOURS.length] ?? "#000";
  const points = region.map((corner) => corner.join(",")).join(" ");
  const middle = [0, 1].map(
    (axis) => region.reduce((sum, corner) => sum + (corner[axis] ?? 0), 0) / region.length,
  );
  // The number stands a little inside of the first corner.
  const [x = 0, y = 0] = first.map((value, axis) => value + ((middle[axis] ?? 0) - value) * 0.15);
  return [
    markup`<g><title>${originalImageHash}</title>`,
    markup`<polygon points="${points}" fill="none" stroke="#fff" stroke-width="${line * 2}"/>`,
    markup`<polygon points="${points}" fill="none" stroke="${colour}" stroke-width="${line}"/>`,
    markup`<circle cx="${x}" cy="${y}" r="${line * 4}" fill="${colour}"/>`,
    markup`<text x="${x}" y="${y}" dy="0.35em" font-size="${line * 5}" text-anchor="middle" fill="#fff">${at + 1}</text></g>`,
  ];
}

/**
 * Markup in which each value is text, whatever it says: any address may have answered with it, and a browser opens the
 * file.
 */
function markup(parts: TemplateStringsArray, ...values: readonly unknown[]): string {
  const texts = values.map((value) =>
    String(value).replaceAll(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`),
  );
  return String.raw({ raw: parts }, ...texts);
}
