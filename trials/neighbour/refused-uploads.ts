import type { Behaviour } from "./behaviour.ts";
import { lookUpRepeatedly } from "./posted-images.ts";

const CLIENTS = 2;
const BYTES = 60 * 1_048_576;

/** Look-ups of 60 MiB that begin like a JPEG and are none. */
export const refusedUploads: Behaviour = async (attack) => {
  const image = Buffer.alloc(BYTES);
  image.set([0xff, 0xd8, 0xff]);
  await lookUpRepeatedly(attack, CLIENTS, image);
};
