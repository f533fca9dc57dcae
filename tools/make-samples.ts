/**
 * Writes the sample pictures of the quick start: a painted scene, and a crop of it as somebody might repost it.
 *
 *     node tools/make-samples.ts
 */
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { paintPicture } from "@colophon/testing/pictures.ts";

const OUT = new URL("../packages/server/samples/", import.meta.url);
const SEED = 7;
const WIDTH = 1280;
const HEIGHT = 854;

await mkdir(OUT, { recursive: true });
const rgb = paintPicture(SEED, WIDTH, HEIGHT);
const scene = sharp(rgb, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
await scene
  .clone()
  .jpeg({ quality: 88 })
  .toFile(fileURLToPath(new URL("scene.jpg", OUT)));
await scene
  .clone()
  .extract({ left: 220, top: 130, width: 905, height: 604 })
  .jpeg({ quality: 50 })
  .toFile(fileURLToPath(new URL("scene-crop.jpg", OUT)));
