import { createHash, randomInt } from "node:crypto";
import { paintedPicture } from "./pictures.ts";

/** Makes a picture that it has not made before. */
export type ImageMaker = () => Promise<Uint8Array>;

/** A small picture, cheap to examine; another for every seed. */
export function picture(seed: number): Promise<Uint8Array> {
  return paintedPicture(seed, 72, 48);
}

/** A picture large enough to be found by its crops; another for every seed. */
export function scene(seed: number): Promise<Uint8Array> {
  return paintedPicture(seed, 240, 160);
}

/** A picture nobody has registered yet; as small as it is unless told otherwise, it is not found by its crops. */
export function freshPicture(width = 72, height = 48): Promise<Uint8Array> {
  return paintedPicture(randomInt(2 ** 31), width, height);
}

/** Small pictures that cost the engine little, for runs in which only their number matters. */
export function imageMaker(seed: number): ImageMaker {
  let made = 0;
  return async () => {
    made += 1;
    return picture(seed * 1_000_000 + made);
  };
}

/** SHA-256, lowercase hex: how slots name an image. */
export function imageHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
