import { createHash } from "node:crypto";
import { encodePicture, paintPicture } from "./pictures.ts";

const WIDTH = 72;
const HEIGHT = 48;

/** Makes a picture that it has not made before. */
export type ImageMaker = () => Promise<Uint8Array>;

/** Small pictures that cost the engine little, for runs in which only their number matters. */
export function imageMaker(seed: number): ImageMaker {
  let made = 0;
  return async () => {
    made += 1;
    return encodePicture(paintPicture(seed * 1_000_000 + made, WIDTH, HEIGHT), WIDTH, HEIGHT);
  };
}

/** SHA-256, lowercase hex: how slots name an image. */
export function imageHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
