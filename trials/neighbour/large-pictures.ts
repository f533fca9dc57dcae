import { randomFillSync } from "node:crypto";
import sharp from "sharp";
import type { Behaviour } from "./behaviour.ts";
import { lookUpRepeatedly } from "./posted-images.ts";

const CLIENTS = 24;
const [WIDTH, HEIGHT] = [4_000, 3_000];

/** Twenty-four clients that look noise of twelve megapixels up: nothing wrong with it, only much of it. */
export const largePictures: Behaviour = async (attack) => {
  const noise = randomFillSync(new Uint8Array(WIDTH * HEIGHT * 3));
  const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const;
  const image = await sharp(noise, { raw }).jpeg({ quality: 60 }).toBuffer();
  await lookUpRepeatedly(attack, CLIENTS, image);
};
