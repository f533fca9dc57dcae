import { cropped } from "./reposts.ts";

/** The middle of a picture, 70 % of each side, encoded again: look-ups of it take the engine's whole path. */
export async function derivedPicture(picture: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await cropped(picture, 0.7, 70));
}
