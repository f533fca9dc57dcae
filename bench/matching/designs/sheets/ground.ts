import { crc32, deflateSync } from "node:zlib";
import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import { between } from "../language.ts";

type Colour = readonly [red: number, green: number, blue: number];

/**
 * Luma and colour of a place of the ground, from its height (0 to 1), its slope and what else is drawn by chance there.
 */
type Shade = (height: number, slope: number, x: number, y: number) => Colour;

/** A chunk of a PNG file. */
function chunk(type: string, body: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  check.writeUInt32BE(crc32(bytes));
  return Buffer.concat([length, bytes, check]);
}

/** Pixels as a data URI that an SVG can show. */
function pngUri(width: number, height: number, rgb: Uint8Array): string {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y += 1) {
    rows.set(rgb.subarray(3 * width * y, 3 * width * (y + 1)), y * (1 + 3 * width) + 1);
  }
  const file = Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  return `data:image/png;base64,${file.toString("base64")}`;
}

/**
 * Smooth heights between random ones at the crossings of a grid, `octaves` grids each twice as fine and half as high.
 */
function heights(
  random: Random,
  width: number,
  height: number,
  coarsest: number,
  octaves: number,
): Float64Array {
  const field = new Float64Array(width * height);
  let [step, high, total] = [coarsest, 1, 0];
  for (let octave = 0; octave < octaves; octave += 1) {
    const columns = Math.ceil(width / step) + 2;
    const knots = Float64Array.from({ length: columns * (Math.ceil(height / step) + 2) }, random);
    for (let y = 0; y < height; y += 1) {
      const row = Math.floor(y / step);
      const v = y / step - row;
      const sv = v * v * (3 - 2 * v);
      for (let x = 0; x < width; x += 1) {
        const column = Math.floor(x / step);
        const u = x / step - column;
        const su = u * u * (3 - 2 * u);
        const at = row * columns + column;
        const above = knots[at]! + su * (knots[at + 1]! - knots[at]!);
        const below = knots[at + columns]! + su * (knots[at + columns + 1]! - knots[at + columns]!);
        field[y * width + x]! += high * (above + sv * (below - above));
      }
    }
    total += high;
    step = Math.max(2, step / 2);
    high *= 0.55;
  }
  return field.map((each) => each / total);
}

const mixed = (from: Colour, to: Colour, share: number): Colour =>
  [0, 1, 2].map((c) => from[c]! + (to[c]! - from[c]!) * share) as unknown as Colour;

/** Plots of one crop each, ploughed one way. */
function fields(random: Random, width: number, height: number): Shade {
  const plots = Array.from({ length: between(random, 30, 90) }, () => {
    const turn = Math.PI * random();
    const colour: Colour = [70 + 110 * random(), 90 + 90 * random(), 40 + 60 * random()];
    const furrow = random() < 0.6 ? 0.5 + random() : 0;
    return {
      x: width * random(),
      y: height * random(),
      cos: Math.cos(turn),
      sin: Math.sin(turn),
      colour,
      furrow,
    };
  });
  return (high, _, x, y) => {
    let [near, second, nearest] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, plots[0]!];
    for (const plot of plots) {
      const far = Math.abs(plot.x - x) + Math.abs(plot.y - y);
      if (far < near) [second, near, nearest] = [near, far, plot];
      else if (far < second) second = far;
    }
    const { cos, sin, colour, furrow } = nearest;
    const light =
      0.75 + 0.5 * high + 0.12 * Math.sin(furrow * (x * cos + y * sin)) - (second - near < 4 ? 0.3 : 0);
    return [colour[0] * light, colour[1] * light, colour[2] * light];
  };
}

/** Hills lit from one side. */
function hills(random: Random): Shade {
  const [low, top]: [Colour, Colour] = [
    [90 + 60 * random(), 120 + 50 * random(), 80],
    [200, 190 + 30 * random(), 170 + 50 * random()],
  ];
  return (high, slope) =>
    mixed([0, 0, 0], mixed(low, top, high), Math.max(0.25, Math.min(1, 0.75 + 9 * slope)));
}

/** Roofs between streets, with trees among them. */
function town(random: Random): Shade {
  const [across, down] = [between(random, 14, 30), between(random, 14, 30)];
  const tones = Array.from({ length: 997 }, () => 60 + 150 * random());
  return (high, slope, x, y) => {
    const [column, row] = [Math.floor(x / across), Math.floor(y / down)];
    const isStreet = x % across < 3 || y % down < 3;
    const tone = isStreet ? 120 : tones[(31 * column + 57 * row + 7 * Math.floor((x % across) / 7)) % 997]!;
    const isTree = high > 0.62;
    return isTree
      ? [50 + 300 * slope, 85 + 300 * slope, 45]
      : [tone + 10, tone + 40 * (high - 0.5), tone - 10];
  };
}

/** Water with waves, sandbanks where it is shallow. */
function shoals(random: Random): Shade {
  const shore = 0.5 + 0.1 * random();
  return (high, slope) =>
    high > shore
      ? mixed([205, 190, 140], [120, 140, 80], Math.min(1, 8 * (high - shore)))
      : mixed([20, 60, 95], [60, 150, 160], Math.max(0, 1 - 4 * (shore - high)) + 3 * slope);
}

/** A ground as it is seen from above, drawn pixel by pixel: a data URI of a picture of so many pixels. */
export function seenFromAbove(random: Random, width: number, height: number): string {
  const field = heights(random, width, height, between(random, 40, 120), 6);
  const grain = 14 * random();
  const shade = pick(random, [fields, hills, town, shoals])(random, width, height);
  const rgb = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      const slope = field[at]! - field[Math.max(0, at - width - 1)]!;
      const noise = grain * (random() - 0.5);
      const colour = shade(field[at]!, slope, x, y);
      for (let c = 0; c < 3; c += 1) rgb[3 * at + c] = Math.max(0, Math.min(255, colour[c]! + noise));
    }
  }
  return pngUri(width, height, rgb);
}
