import { type Luma, resizeLuma } from "@colophon/engine/lab";
import { type GlobalHash, lowFrequencies, turnedBits } from "./cosine-hash.ts";

/*
 * The classic cosine hash of 64 bits, as pHash made it known: 32 x 32 samples, their 8 x 8 lowest cosine frequencies
 * (the mean left out) against the median. Samples are area averages.
 */
const SIDE = 32;
const FREQUENCIES = 8;

/** Most differing bits of a match, as it is commonly used. */
export const PERCEPTUAL_MOST_DIFFERING = 10;

/** 64 bits in each of the eight turns. */
export function perceptualHash(picture: Luma): GlobalHash {
  const raster = resizeLuma(picture, SIDE, SIDE).data;
  return { turns: turnedBits(lowFrequencies(raster, SIDE, FREQUENCIES), FREQUENCIES), usable: true };
}
