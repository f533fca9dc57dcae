/**
 * Writes the sample pictures: a painted scene for the quick start, another for the tutorial, and of each a crop as somebody might
 * repost it.
 *
 *     node tools/make-samples.ts
 */
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { paintPicture } from "@colophon/testing/pictures.ts";

const OUT = new URL("../packages/server/samples/", import.meta.url);
const SAMPLES = [
  { name: "scene", seed: 7, crop: { left: 220, top: 130, width: 905, height: 604 } },
  { name: "quay", seed: 11, crop: { left: 90, top: 60, width: 870, height: 620 } },
] as const;
const WIDTH = 1280;
const HEIGHT = 854;

readCommandLine({});
await mkdir(OUT, { recursive: true });
for (const { name, seed, crop } of SAMPLES) {
  const rgb = paintPicture(seed, WIDTH, HEIGHT);
  const scene = sharp(rgb, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
  const file = (end: string): string => fileURLToPath(new URL(`${name}${end}.jpg`, OUT));
  await scene.clone().jpeg({ quality: 88 }).toFile(file(""));
  await scene.clone().extract(crop).jpeg({ quality: 50 }).toFile(file("-crop"));
}
