/**
 * Writes the sample pictures: drawings for the quick start and for the tutorial, and of each a crop as somebody might
 * repost it.
 *
 *     node tools/make-samples.ts
 */
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { seededRandom } from "@colophon/testing/pictures.ts";
import { svg } from "./samples/drawing.ts";
import { harbour } from "./samples/harbour.ts";
import { lighthouse } from "./samples/lighthouse.ts";

const OUT = new URL("../packages/server/samples/", import.meta.url);
const SAMPLES = [
  { name: "harbour", draw: harbour, crop: { left: 240, top: 180, width: 905, height: 604 } },
  { name: "lighthouse", draw: lighthouse, crop: { left: 390, top: 40, width: 870, height: 700 } },
] as const;
const SEED = 3;

readCommandLine({});
await mkdir(OUT, { recursive: true });
for (const { name, draw, crop } of SAMPLES) {
  // Drawn once: the crop is of these very pixels.
  const drawn = await sharp(Buffer.from(svg(draw(seededRandom(SEED)))))
    .removeAlpha()
    .toBuffer();
  const file = (end: string): string => fileURLToPath(new URL(`${name}${end}.jpg`, OUT));
  await sharp(drawn).jpeg({ quality: 84 }).toFile(file(""));
  await sharp(drawn).extract(crop).jpeg({ quality: 50 }).toFile(file("-crop"));
}
