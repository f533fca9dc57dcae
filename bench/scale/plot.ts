import type { ScaleResult } from "./scale-result.ts";

const WIDTH = 720;
const HEIGHT = 380;
const LEFT = 80;
const RIGHT = 190;
const TOP = 24;
const BOTTOM = 48;

interface Line {
  readonly name: string;
  readonly colour: string;
  readonly value: (result: ScaleResult) => number;
}

const LINES: readonly Line[] = [
  { name: "registration, wall", colour: "#7c4d9e", value: ({ registration }) => registration.wall.p50 },
  { name: "look-up of a crop, wall", colour: "#2f7d4f", value: ({ positive }) => positive.wall.p50 },
  { name: "negative look-up, wall", colour: "#1f5fa8", value: ({ negative }) => negative.wall.p50 },
  { name: "negative look-up, processor", colour: "#b3541e", value: ({ negative }) => negative.processor },
  { name: "retrieval", colour: "#8a1f3d", value: ({ retrieval }) => retrieval.p50 },
];

/** Exponents of the powers of ten around some values, which differ by at least one. */
function decades(values: readonly number[]): readonly [number, number] {
  const from = Math.floor(Math.log10(Math.min(...values)));
  return [from, Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values))))];
}

function tens(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => 10 ** (from + n));
}

/** The times against the number of originals, both axes logarithmic, as an SVG picture. */
export function plotOf(results: readonly ScaleResult[]): string {
  const values = results.flatMap((result) => LINES.map(({ value }) => Math.max(1, value(result))));
  const [x0, x1] = decades(results.map(({ originals }) => originals));
  const [y0, y1] = decades(values);
  const x = (value: number): number => LEFT + ((Math.log10(value) - x0) / (x1 - x0)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number =>
    HEIGHT - BOTTOM - ((Math.log10(Math.max(1, value)) - y0) / (y1 - y0)) * (HEIGHT - TOP - BOTTOM);
  const grid = [
    ...tens(x0, x1).map(
      (value) =>
        `<path d="M${at(x(value))} ${TOP}V${HEIGHT - BOTTOM}" class="grid"/>` +
        `<text x="${at(x(value))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle" class="axis">${value.toLocaleString("en")}</text>`,
    ),
    ...tens(y0, y1).map(
      (value) =>
        `<path d="M${LEFT} ${at(y(value))}H${WIDTH - RIGHT}" class="grid"/>` +
        `<text x="${LEFT - 8}" y="${at(y(value) + 4)}" text-anchor="end" class="axis">${value.toLocaleString("en")} ms</text>`,
    ),
  ];
  const ends = spreadLabels(LINES.map(({ value }) => y(value(results.at(-1)!))));
  const lines = LINES.map(({ name, colour, value }, n) => {
    const points = results.map((result) => `${at(x(result.originals))},${at(y(value(result)))}`);
    return (
      `<polyline points="${points.join(" ")}" fill="none" stroke="${colour}" stroke-width="2.5"/>` +
      points.map((point) => dot(point, colour)).join("") +
      `<text x="${WIDTH - RIGHT + 10}" y="${at(ends[n]! + 4)}" fill="${colour}">${name}</text>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="Times of retrieval, look-ups and registrations against the number of originals">
<style>.axis{fill:#444}.grid{stroke:#ddd}</style>
<rect width="100%" height="100%" fill="#fff"/>
${[...grid, ...lines].join("\n")}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle" class="axis">originals</text>
</svg>
`;
}

function at(value: number): string {
  return value.toFixed(1);
}

function dot(point: string, colour: string): string {
  const [cx, cy] = point.split(",");
  return `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${colour}"/>`;
}

/** Moves labels apart that would lie on each other. */
function spreadLabels(places: readonly number[]): readonly number[] {
  const spread = [...places];
  let above = Number.NEGATIVE_INFINITY;
  for (const n of places.map((_, k) => k).toSorted((a, b) => places[a]! - places[b]!)) {
    spread[n] = Math.max(places[n]!, above + 16);
    above = spread[n];
  }
  return spread;
}
