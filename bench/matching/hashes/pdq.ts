import type { Luma } from "@colophon/engine/lab";
import { type GlobalHash, lowFrequencies, turnedBits } from "./cosine-hash.ts";

/*
 * PDQ as "The TMK+PDQF Video-Hashing Algorithm and the PDQ Image-Hashing Algorithm" (Facebook, 2019) describes it:
 * luma, two passes of a box filter in each direction, 64 x 64 samples, their 16 x 16 lowest cosine frequencies against
 * the median. The picture is filtered at its full size; the reference tools first shrink large files, which changes a
 * few bits.
 */
const SIDE = 64;
const FREQUENCIES = 16;
const PASSES = 2;

/**
 * What PDQ's authors recommend to begin with: most differing bits of a match, least quality of a hash worth keeping.
 */
export const PDQ_MOST_DIFFERING = 31;
const LEAST_QUALITY = 50;

/**
 * Mean over a window about each of `count` neighbouring lines' samples; at the ends over the part of the window that
 * there is. Sample i of line j lies at `i * stride + j * step`.
 */
function box(
  from: Float32Array,
  to: Float32Array,
  { length, stride, count, step }: { length: number; stride: number; count: number; step: number },
  window: number,
): void {
  const ahead = Math.floor(window / 2);
  const sums = new Float32Array(count);
  let held = 0;
  const add = (sample: number, sign: number): void => {
    if (sample < 0 || sample >= length) return;
    held += sign;
    for (let j = 0, at = sample * stride; j < count; j += 1, at += step) sums[j]! += sign * from[at]!;
  };
  for (let i = -ahead; i < length; i += 1) {
    add(i + ahead, 1);
    add(i + ahead - window, -1);
    if (i < 0) continue;
    for (let j = 0, at = i * stride; j < count; j += 1, at += step) to[at] = sums[j]! / held;
  }
}

/** Half a sample of the small raster, rounded up: two passes together reach over a whole one. */
const windowOf = (length: number): number => Math.ceil(length / (2 * SIDE));

/** The filtered picture, sampled at the centres of 64 x 64 cells. */
function shrink({ width, height, data }: Luma): Float32Array {
  const smooth = Float32Array.from(data);
  const half = new Float32Array(data.length);
  for (let pass = 0; pass < PASSES; pass += 1) {
    box(smooth, half, { length: width, stride: 1, count: height, step: width }, windowOf(width));
    box(half, smooth, { length: height, stride: width, count: width, step: 1 }, windowOf(height));
  }
  return Float32Array.from({ length: SIDE * SIDE }, (_, at) => {
    const [row, column] = [Math.floor(at / SIDE), at % SIDE];
    const y = Math.floor(((row + 0.5) * height) / SIDE);
    return smooth[y * width + Math.floor(((column + 0.5) * width) / SIDE)]!;
  });
}

/** Sum of the steps between neighbours, in whole hundredths of the range, scaled to 0 to 100. */
function qualityOf(raster: Float32Array): number {
  let steps = 0;
  const step = (a: number, b: number): number =>
    Math.abs(Math.trunc(((raster[a]! - raster[b]!) * 100) / 255));
  for (let at = 0; at < raster.length; at += 1) {
    if (at % SIDE < SIDE - 1) steps += step(at, at + 1);
    if (at + SIDE < raster.length) steps += step(at, at + SIDE);
  }
  return Math.min(100, Math.trunc(steps / 90));
}

/** 256 bits in each of the eight turns, and the quality, 0 to 100. */
export function pdqHash(picture: Luma): GlobalHash & { readonly quality: number } {
  const raster = shrink(picture);
  const quality = qualityOf(raster);
  const turns = turnedBits(lowFrequencies(raster, SIDE, FREQUENCIES), FREQUENCIES);
  return { turns, quality, usable: quality >= LEAST_QUALITY };
}

/** A hash as PDQ's tools print it: 64 hexadecimal digits, the last frequency first. */
export function pdqHex(bits: Uint32Array): string {
  return [...bits]
    .toReversed()
    .map((word) => word.toString(16).padStart(8, "0"))
    .join("");
}
