/**
 * Seeded procedural pictures: texture-rich scenes for tests, benchmarks and samples, so that the repository needs no
 * photographs.
 *
 *     node testing/pictures.ts --out DIR --count N --seed S [--width W] [--height H] [--format jpeg|png|webp]
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "./command-line.ts";
import sharp from "sharp";

/** Uniform numbers in [0, 1), the same on every machine for one seed. */
export type Random = () => number;

/** A small counter-based generator (32-bit mixing); integer arithmetic only. */
export function seededRandom(seed: number): Random {
  let state = Math.imul(seed | 0, 0x9e3779b1) ^ 0x85ebca6b;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

type Colour = readonly [number, number, number];

interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly rgb: Float32Array;
}

/** Smooth noise over a lattice of hashed values, in [-1, 1]. */
function latticeNoise(x: number, y: number, seed: number): number {
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const fx = x - x0;
  const fy = y - y0;
  const u = fx * fx * (3 - 2 * fx);
  const v = fy * fy * (3 - 2 * fy);
  const corner = (cx: number, cy: number): number => {
    let h = Math.imul(cx, 0x27d4eb2f) ^ Math.imul(cy, 0x165667b1) ^ seed;
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
    h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
    return ((h ^ (h >>> 15)) >>> 0) / 2147483648 - 1;
  };
  const top = corner(x0, y0) * (1 - u) + corner(x0 + 1, y0) * u;
  const bottom = corner(x0, y0 + 1) * (1 - u) + corner(x0 + 1, y0 + 1) * u;
  return top * (1 - v) + bottom * v;
}

/** Several octaves of `latticeNoise`, each at double the frequency and `fall` of the amplitude. */
function cloudNoise(x: number, y: number, seed: number, octaves: number, fall: number): number {
  let sum = 0;
  let amplitude = 1;
  let scale = 1;
  for (let i = 0; i < octaves; i += 1) {
    sum += amplitude * latticeNoise(x * scale, y * scale, seed + i * 7919);
    amplitude *= fall;
    scale *= 2.03;
  }
  return sum;
}

function randomColour(random: Random): Colour {
  const light = 40 + 170 * random();
  const spread = 90 * random();
  const channel = (): number => light + spread * (random() - 0.5) * 2;
  return [channel(), channel(), channel()];
}

function blend(canvas: Canvas, x: number, y: number, colour: Colour, gain: number, alpha: number): void {
  const at = 3 * (y * canvas.width + x);
  for (let c = 0; c < 3; c += 1) {
    const old = canvas.rgb[at + c]!;
    canvas.rgb[at + c] = old + alpha * (colour[c]! + gain - old);
  }
}

/** Sky: a gradient with warped clouds. */
function paintGround(canvas: Canvas, random: Random, unit: number): void {
  const [low, high] = [randomColour(random), randomColour(random)];
  const seed = (random() * 2 ** 31) | 0;
  const scale = 2 + 4 * random();
  const depth = 25 + 45 * random();
  const mix = (channel: 0 | 1 | 2, t: number): number => low[channel] * t + high[channel] * (1 - t);
  for (let y = 0; y < canvas.height; y += 1) {
    for (let x = 0; x < canvas.width; x += 1) {
      const [u, v] = [(x / unit) * scale, (y / unit) * scale];
      const warp = latticeNoise(u * 0.7 + 31, v * 0.7, seed + 1);
      const cloud = cloudNoise(u + warp, v + 0.6 * warp, seed, 6, 0.6);
      const t = y / canvas.height;
      const colour: Colour = [mix(0, t), mix(1, t), mix(2, t)];
      blend(canvas, x, y, colour, depth * cloud, 1);
    }
  }
}

/** Hills one before the other, each with its own grain. */
function paintHills(canvas: Canvas, random: Random, unit: number): void {
  const layers = 2 + Math.floor(3 * random());
  for (let layer = 0; layer < layers; layer += 1) {
    const colour = randomColour(random);
    const seed = (random() * 2 ** 31) | 0;
    const base = (0.35 + (0.6 * (layer + random())) / layers) * canvas.height;
    const relief = (0.08 + 0.14 * random()) * unit;
    const grain = 8 + 22 * random();
    const stretch = 0.4 + 1.6 * random();
    for (let x = 0; x < canvas.width; x += 1) {
      const ridge = base + relief * cloudNoise((x / unit) * 3, layer * 13.7, seed, 6, 0.5);
      for (let y = Math.max(0, Math.ceil(ridge)); y < canvas.height; y += 1) {
        const texture = cloudNoise((x / unit) * 22, (y / unit) * 22 * stretch, seed + 5, 4, 0.75);
        blend(canvas, x, y, colour, grain * texture, Math.min(1, y - ridge));
      }
    }
  }
}

interface Patch {
  readonly cx: number;
  readonly cy: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly turn: number;
  readonly round: boolean;
}

/** Signed distance-like value inside a patch: positive inside, about one pixel per unit at the edge. */
function depthInside(
  patch: Patch,
  x: number,
  y: number,
): { readonly depth: number; readonly u: number; readonly v: number } {
  const [cos, sin] = [Math.cos(patch.turn), Math.sin(patch.turn)];
  const [dx, dy] = [x - patch.cx, y - patch.cy];
  const u = (dx * cos + dy * sin) / patch.halfWidth;
  const v = (dy * cos - dx * sin) / patch.halfHeight;
  const reach = patch.round ? Math.hypot(u, v) : Math.max(Math.abs(u), Math.abs(v));
  return { depth: (1 - reach) * Math.min(patch.halfWidth, patch.halfHeight), u, v };
}

/** Stones, panels and leaves: shaded ellipses and rectangles with their own texture. */
function paintPatches(canvas: Canvas, random: Random, unit: number): void {
  const count = 50 + Math.floor(70 * random());
  for (let i = 0; i < count; i += 1) {
    const size = unit * (0.012 + 0.13 * random() ** 3);
    const patch: Patch = {
      cx: random() * canvas.width,
      cy: random() * canvas.height,
      halfWidth: size,
      halfHeight: size * (0.25 + 0.75 * random()),
      turn: random() * Math.PI,
      round: random() < 0.55,
    };
    const colour = randomColour(random);
    const seed = (random() * 2 ** 31) | 0;
    const [slopeU, slopeV] = [60 * (random() - 0.5), 60 * (random() - 0.5)];
    const grain = 30 * random();
    const reach = Math.ceil(patch.halfWidth * 1.5) + 1;
    const [x0, x1] = [
      Math.max(0, Math.floor(patch.cx - reach)),
      Math.min(canvas.width - 1, Math.ceil(patch.cx + reach)),
    ];
    const [y0, y1] = [
      Math.max(0, Math.floor(patch.cy - reach)),
      Math.min(canvas.height - 1, Math.ceil(patch.cy + reach)),
    ];
    for (let y = y0; y <= y1; y += 1) {
      for (let x = x0; x <= x1; x += 1) {
        const { depth, u, v } = depthInside(patch, x, y);
        if (depth <= 0) continue;
        const texture = cloudNoise((x / unit) * 40, (y / unit) * 40, seed, 3, 0.7);
        blend(canvas, x, y, colour, slopeU * u + slopeV * v + grain * texture, Math.min(1, depth));
      }
    }
  }
}

/** Twigs and wires: wandering strokes of changing width. */
function paintStrokes(canvas: Canvas, random: Random, unit: number): void {
  const count = 12 + Math.floor(25 * random());
  for (let i = 0; i < count; i += 1) {
    const colour = randomColour(random);
    let [x, y, heading] = [random() * canvas.width, random() * canvas.height, random() * 2 * Math.PI];
    let width = unit * (0.001 + 0.005 * random());
    const steps = 40 + Math.floor(120 * random());
    for (let step = 0; step < steps; step += 1) {
      const radius = Math.max(0.8, width);
      for (let py = Math.ceil(y - radius); py <= y + radius; py += 1) {
        for (let px = Math.ceil(x - radius); px <= x + radius; px += 1) {
          if (px < 0 || py < 0 || px >= canvas.width || py >= canvas.height) continue;
          const inside = radius - Math.hypot(px - x, py - y);
          if (inside > 0) blend(canvas, px, py, colour, 0, Math.min(1, inside));
        }
      }
      heading += 0.7 * (random() - 0.5);
      width *= 0.985;
      x += radius * 0.7 * Math.cos(heading);
      y += radius * 0.7 * Math.sin(heading);
    }
  }
}

/**
 * Paints one scene. The layout follows the seed and the aspect, so one seed at two sizes of one aspect shows the same
 * scene.
 *
 * @returns `width * height * 3` bytes, RGB, row-major
 */
export function paintPicture(seed: number, width: number, height: number): Uint8Array {
  const random = seededRandom(seed);
  const canvas: Canvas = { width, height, rgb: new Float32Array(width * height * 3) };
  const unit = Math.max(width, height);
  paintGround(canvas, random, unit);
  paintHills(canvas, random, unit);
  paintPatches(canvas, random, unit);
  paintStrokes(canvas, random, unit);
  const grain = 3 + 5 * random();
  return Uint8Array.from(canvas.rgb, (value) => Math.min(255, Math.max(0, value + grain * (random() - 0.5))));
}

export type PictureFormat = "jpeg" | "png" | "webp";

/** Encodes raw RGB as `paintPicture` gives it; quality 90 for the lossy formats. */
export async function encodePicture(
  rgb: Uint8Array,
  width: number,
  height: number,
  format: PictureFormat = "jpeg",
): Promise<Uint8Array> {
  const image = sharp(rgb, { raw: { width, height, channels: 3 } });
  return new Uint8Array(await image.toFormat(format, format === "png" ? {} : { quality: 90 }).toBuffer());
}

/** The scene of a seed, encoded. */
export function paintedPicture(
  seed: number,
  width: number,
  height: number,
  format?: PictureFormat,
): Promise<Uint8Array> {
  return encodePicture(paintPicture(seed, width, height), width, height, format);
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      out: { type: "string" },
      count: { type: "string", default: "8" },
      seed: { type: "string", default: "1" },
      width: { type: "string", default: "960" },
      height: { type: "string", default: "640" },
      format: { type: "string", default: "jpeg" },
    },
  });
  if (values.out === undefined) refuseCommandLine("--out DIR is required");
  const [count, seed] = [Number(values.count), Number(values.seed)];
  const [width, height] = [Number(values.width), Number(values.height)];
  const format = (["jpeg", "png", "webp"] as const).find((known) => known === values.format);
  if (format === undefined) refuseCommandLine("--format is jpeg, png or webp");
  await mkdir(values.out, { recursive: true });
  for (let i = 0; i < count; i += 1) {
    const bytes = await paintedPicture(seed + i, width, height, format);
    await writeFile(join(values.out, `picture-${seed + i}.${format}`), bytes);
  }
}

if (import.meta.main) await main();
