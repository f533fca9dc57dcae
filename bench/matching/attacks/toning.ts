import { type Attack, type Edit, attack, byPipeline } from "./attack.ts";
import { grain, toned } from "./pixel-edits.ts";

/** Photographs keep about this many pixels on their longer side when a blur of one pixel is meant. */
const REFERENCE_SIDE = 1000;

const SEPIA: [[number, number, number], [number, number, number], [number, number, number]] = [
  [0.393, 0.769, 0.189],
  [0.349, 0.686, 0.168],
  [0.272, 0.534, 0.131],
];

const blurred = (sigma: number): Attack =>
  attack(
    "filter",
    `blur-${sigma}`,
    byPipeline((picture, { width, height }) =>
      picture.blur(Math.max(0.3, (sigma * Math.max(width, height)) / REFERENCE_SIDE)),
    ),
  );

const contrast = (gain: number): Edit => byPipeline((picture) => picture.linear(gain, 128 * (1 - gain)));

/** The picture in other tones, blurred, sharpened or with grain. */
export const TONING: readonly Attack[] = [
  attack(
    "colour",
    "gray",
    byPipeline((picture) => picture.greyscale()),
  ),
  attack(
    "colour",
    "sepia",
    byPipeline((picture) => picture.recomb(SEPIA)),
  ),
  attack(
    "colour",
    "bright+35",
    byPipeline((picture) => picture.linear(1.35, 0)),
  ),
  attack(
    "colour",
    "bright-40",
    byPipeline((picture) => picture.linear(0.6, 0)),
  ),
  attack("colour", "contrast+60", contrast(1.6)),
  attack("colour", "contrast-50", contrast(0.5)),
  attack("colour", "gamma-0.5", (picture) => toned(picture, (value) => Math.sqrt(value / 255) * 255)),
  attack("colour", "gamma-2", (picture) => toned(picture, (value) => (value / 255) ** 2 * 255)),
  attack(
    "colour",
    "saturation-200",
    byPipeline((picture) => picture.modulate({ saturation: 2 })),
  ),
  attack("colour", "posterize", (picture) => toned(picture, (value) => value & 0xe0)),
  attack(
    "colour",
    "equalize",
    byPipeline((picture) => picture.normalise({ lower: 2, upper: 98 })),
  ),
  attack(
    "colour",
    "invert",
    byPipeline((picture) => picture.negate({ alpha: false })),
  ),
  ...[1, 2, 4].map(blurred),
  attack(
    "filter",
    "sharpen",
    byPipeline((picture) => picture.sharpen({ sigma: 2, m1: 2, m2: 4 })),
  ),
  ...[8, 20, 40].map((sigma) =>
    attack(
      "filter",
      `noise-${sigma}`,
      (picture, { random }) => grain(picture, sigma, random),
      (picture) => picture.jpeg({ quality: 85 }),
    ),
  ),
];
