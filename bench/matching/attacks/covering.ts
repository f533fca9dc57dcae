import { seededRandom, type Random } from "@colophon/testing/pictures.ts";
import { type Attack, type Edit, type Pixels, attack, between, byPipeline, drawnOver } from "./attack.ts";
import { type PlaneMap, shift } from "./plane-map.ts";

const CONSONANTS = "bcdfghklmnprstvwz";
const VOWELS = "aeiou";

function letter(random: Random, of: string): string {
  return of.charAt(Math.floor(random() * of.length));
}

/** Words of no language. */
export function words(random: Random, count: number): string {
  const word = (): string => {
    const syllables = 1 + Math.floor(3 * random());
    return Array.from({ length: syllables }, () => letter(random, CONSONANTS) + letter(random, VOWELS)).join(
      "",
    );
  };
  return Array.from({ length: count }, word).join(" ");
}

interface Line {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly text: string;
  readonly more?: string;
}

/** A line of white letters with a dark edge, readable on anything. */
export function line({ x, y, size, text, more = "" }: Line): string {
  const edge = (size / 12).toFixed(1);
  return `<text x="${x}" y="${y}" font-family="sans-serif" font-weight="bold" font-size="${size}" fill="#fff" stroke="#000" stroke-width="${edge}" paint-order="stroke" ${more}>${text}</text>`;
}

/** Lines of text of a share of the height each, somewhere. */
export const lettered = (lines: number, share: number): Edit =>
  drawnOver(({ width, height }, random) => {
    const size = Math.round(share * height);
    return Array.from({ length: lines }, () =>
      line({
        x: Math.round(random() * 0.4 * width),
        y: Math.round(between(random, size / height, 1) * height),
        size,
        text: words(random, 4),
      }),
    ).join("");
  });

const MEME = drawnOver(({ width, height }, random) => {
  const size = Math.round(0.11 * height);
  const middle = 'text-anchor="middle"';
  return [size, height - Math.round(size / 3)]
    .map((y) => line({ x: width / 2, y, size, text: words(random, 3).toUpperCase(), more: middle }))
    .join("");
});

/** An emblem with lettering on a share of the area, anywhere. */
const badged = (share: number): Edit =>
  drawnOver(({ width, height }, random) => {
    const w = Math.min(width, Math.sqrt(share * width * height * between(random, 1, 2)));
    const h = Math.min(height, (share * width * height) / w);
    const [x, y] = [random() * (width - w), random() * (height - h)];
    const hue = Math.floor(360 * random());
    const radius = 0.38 * Math.min(w, h);
    return `<g transform="translate(${x} ${y})"><rect width="${w}" height="${h}" rx="${0.1 * h}" fill="hsl(${hue} 70% 45%)"/>
      <circle cx="${0.5 * w}" cy="${0.42 * h}" r="${0.8 * radius}" fill="hsl(${hue + 150} 70% 80%)"/>
      <path d="M${0.5 * w} ${0.42 * h - radius / 2} l${radius / 2} ${radius * 0.9} h${-radius} z" fill="hsl(${hue} 80% 25%)"/>
      ${line({ x: w / 2, y: 0.93 * h, size: Math.round(0.15 * h), text: words(random, 1), more: 'text-anchor="middle"' })}</g>`;
  });

/** A word repeated over the whole picture, thin and slanted. */
const WATERMARK = drawnOver(({ width, height }, random) => {
  const size = Math.round(0.06 * Math.max(width, height));
  const text = words(random, 2);
  const step = { across: 5.5 * size, down: 2.6 * size };
  const marks: string[] = [];
  for (let y = -height; y < 2 * height; y += step.down) {
    for (let x = -width; x < 2 * width; x += step.across) {
      marks.push(`<text x="${x}" y="${y}" font-family="sans-serif" font-size="${size}">${text}</text>`);
    }
  }
  return `<g fill="#fff" fill-opacity="0.35" transform="rotate(-30 ${width / 2} ${height / 2})">${marks.join("")}</g>`;
});

/** At its own size in the middle of a larger picture. */
function inTheMiddle(before: Pixels, made: Pixels): PlaneMap {
  return shift((made.width - before.width) / 2, (made.height - before.height) / 2);
}

const framed = (share: number, background: string): Edit =>
  byPipeline((picture, { width, height }) => {
    const edge = Math.round(share * Math.max(width, height));
    return picture.extend({ top: edge, bottom: edge, left: edge, right: edge, background });
  }, inTheMiddle);

/** Bars above and below, or left and right, to a square or a wide screen. */
const letterboxed: Edit = byPipeline((picture, { width, height }, { random }) => {
  const wide = random() < 0.5 ? 1 : 16 / 9;
  const [w, h] =
    width / height < wide ? [Math.round(height * wide), height] : [width, Math.round(width / wide)];
  return picture.resize(w, h, { fit: "contain", background: "#000000" });
}, inTheMiddle);

/** Something laid over the picture or around it. */
export const COVERING: readonly Attack[] = [
  attack("overlay", "text-small", lettered(2, 0.05)),
  attack("overlay", "text-big", lettered(3, 0.12)),
  attack("overlay", "meme", MEME),
  ...[5, 25, 50].map((percent) => attack("overlay", `logo-${percent}`, badged(percent / 100))),
  attack("overlay", "watermark", WATERMARK),
  attack("border", "border-5", framed(0.05, "#ffffff")),
  attack("border", "border-15", framed(0.15, "#141414")),
  attack("border", "letterbox", letterboxed),
];

/** A screen full of interface: bars, cards, lines of text; the same for one seed. */
export function screen({ width, height }: Pick<Pixels, "width" | "height">, seed: number): string {
  const random = seededRandom(seed);
  const dark = random() < 0.3;
  const [ground, ink, card] = dark ? ["#15171c", "#d8dae0", "#23262e"] : ["#f2f3f5", "#23262e", "#ffffff"];
  const parts = [`<rect width="${width}" height="${height}" fill="${ground}"/>`];
  parts.push(
    `<rect width="${width}" height="${0.06 * height}" fill="hsl(${Math.floor(360 * random())} 45% 40%)"/>`,
  );
  const size = Math.round(0.018 * height);
  for (let y = 0.09 * height; y < height; y += between(random, 0.1, 0.18) * height) {
    const [x, w] = [between(random, 0.02, 0.3) * width, between(random, 0.4, 0.65) * width];
    parts.push(
      `<rect x="${x}" y="${y}" width="${w}" height="${0.085 * height}" rx="${0.4 * size}" fill="${card}"/>`,
    );
    for (let row = 0; row < 3; row += 1) {
      const at = y + (row + 1.2) * 1.5 * size;
      parts.push(
        `<text x="${x + size}" y="${at}" font-family="sans-serif" font-size="${size}" fill="${ink}">${words(random, 5)}</text>`,
      );
    }
  }
  return parts.join("");
}
