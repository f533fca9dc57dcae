import { gaussianTaps, reflect } from "../../image/blur.ts";

/**
 * A plane of the scale space: luma less 128, in 1/`LUMA_UNIT`, so that the sum of two samples and their difference fit
 * in 16 bits.
 */
export interface SamplePlane {
  readonly width: number;
  readonly height: number;
  readonly data: Int16Array;
}

/** Samples of the scale space to one step of luma. */
export const LUMA_UNIT = 128;
/** What the taps of a whole kernel add up to. */
const WHOLE = 1 << 15;

/**
 * Half of a symmetric Gaussian kernel, centre first, in 1/32,768; the whole adds up to 1. It reaches at least `reach`
 * sigmas: the kernels take taps two by two, so their number is even.
 */
export function integerTaps(sigma: number, reach: number): Int16Array {
  const count = 2 * Math.ceil((Math.round(sigma * reach) + 1) / 2);
  const taps = Int16Array.from(gaussianTaps(sigma, (count - 1) / sigma), (tap) => Math.round(tap * WHOLE));
  taps[0] = taps.reduce((rest, tap, i) => (i === 0 ? rest : rest - 2 * tap), WHOLE);
  return taps;
}

/** A weighted sum of samples as a sample. */
function rounded(sum: number): number {
  return (sum + WHOLE / 2) >> 15;
}

/** Separable blur, borders reflected; both passes round to samples. */
export function blurSamples({ width, height, data }: SamplePlane, taps: Int16Array): SamplePlane {
  const columns = new Int16Array(data.length);
  const blurred = new Int16Array(data.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let sum = taps[0]! * data[y * width + x]!;
      for (let tap = 1; tap < taps.length; tap += 1) {
        const above = data[reflect(y - tap, height) * width + x]!;
        const below = data[reflect(y + tap, height) * width + x]!;
        sum += taps[tap]! * (above + below);
      }
      columns[y * width + x] = rounded(sum);
    }
  }
  for (let y = 0; y < height; y += 1) {
    const line = columns.subarray(y * width, (y + 1) * width);
    for (let x = 0; x < width; x += 1) {
      let sum = taps[0]! * line[x]!;
      for (let tap = 1; tap < taps.length; tap += 1) {
        sum += taps[tap]! * (line[reflect(x - tap, width)]! + line[reflect(x + tap, width)]!);
      }
      blurred[y * width + x] = rounded(sum);
    }
  }
  columns.fill(0);
  return { width, height, data: blurred };
}
