import type { Luma } from "../features.ts";

/** Scales searched in each octave. */
export const INTERVALS = 3;
/** Blur of the first layer of an octave, in that octave's pixels. */
export const BASE_SIGMA = 1.6;
/** Blur that a camera or a resize is taken to have left in the raster. */
const INPUT_SIGMA = 0.5;
export const LAYERS: number = INTERVALS + 3;
const SMALLEST_SIDE = 12;

/** One octave: `INTERVALS + 3` layers, each blurred `2 ** (1 / INTERVALS)` times more than the one before. */
export interface Octave {
  readonly width: number;
  readonly height: number;
  readonly layers: readonly Float32Array[];
}

/** A scale space; disposing it zeroes it, since it shows the picture. */
export interface Pyramid extends Disposable {
  readonly octaves: readonly Octave[];
}

/** Half of a symmetric Gaussian kernel, centre first, normalised, rounded to float32; reaches four sigmas. */
export function gaussianTaps(sigma: number): Float32Array {
  const radius = Math.round(sigma * 4);
  const taps = Float64Array.from({ length: radius + 1 }, (_, i) => Math.exp(-(i * i) / (2 * sigma * sigma)));
  const sum = taps.reduce((total, tap, i) => total + (i === 0 ? tap : 2 * tap), 0);
  return Float32Array.from(taps, (tap) => tap / sum);
}

/** Index of a sample beyond the border, mirrored without repeating the edge. */
function reflect(index: number, length: number): number {
  if (length === 1) return 0;
  const period = 2 * length - 2;
  const wrapped = Math.abs(index) % period;
  return wrapped < length ? wrapped : period - wrapped;
}

/** Separable Gaussian blur in float32 steps, in an order that a vector unit can follow exactly. */
function blur(source: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const taps = gaussianTaps(sigma);
  const radius = taps.length - 1;
  const { fround } = Math;
  const columns = new Float32Array(source.length);
  for (let y = 0; y < height; y++) {
    const out = columns.subarray(y * width, (y + 1) * width);
    const centre = taps[0]!;
    for (let x = 0; x < width; x++) out[x] = centre * source[y * width + x]!;
    for (let tap = 1; tap <= radius; tap++) {
      const weight = taps[tap]!;
      const above = reflect(y - tap, height) * width;
      const below = reflect(y + tap, height) * width;
      for (let x = 0; x < width; x++) {
        out[x] = out[x]! + fround(weight * fround(source[above + x]! + source[below + x]!));
      }
    }
  }
  const blurred = new Float32Array(source.length);
  const line = new Float32Array(width + 2 * radius);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < line.length; x++) line[x] = columns[y * width + reflect(x - radius, width)]!;
    for (let x = 0; x < width; x++) {
      let sum = fround(taps[0]! * line[x + radius]!);
      for (let tap = 1; tap <= radius; tap++) {
        sum = fround(sum + fround(taps[tap]! * fround(line[x + radius - tap]! + line[x + radius + tap]!)));
      }
      blurred[y * width + x] = sum;
    }
  }
  columns.fill(0);
  line.fill(0);
  return blurred;
}

/** Linear enlargement to twice the size: sample `j` lies at `j / 2 - 1/4` of the source. */
function doubled(luma: Luma): Float32Array {
  const { width, height, data } = luma;
  const out = new Float32Array(4 * width * height);
  for (let y = 0; y < 2 * height; y++) {
    const near = (y >> 1) * width;
    const far = Math.min(height - 1, Math.max(0, (y >> 1) + (y % 2 === 0 ? -1 : 1))) * width;
    for (let x = 0; x < 2 * width; x++) {
      const inner = x >> 1;
      const outer = Math.min(width - 1, Math.max(0, inner + (x % 2 === 0 ? -1 : 1)));
      out[2 * y * width + x] =
        (9 * data[near + inner]! + 3 * data[near + outer]! + 3 * data[far + inner]! + data[far + outer]!) /
        16;
    }
  }
  return out;
}

/** Every second sample of every second row. */
function halved(layer: Float32Array, width: number, height: number): Float32Array {
  const [w, h] = [width >> 1, height >> 1];
  const out = new Float32Array(w * h);
  for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) out[y * w + x] = layer[2 * y * width + 2 * x]!;
  return out;
}

/** Sizes of the octaves that a raster has, the doubled one first. */
export function octaveSizes(luma: Luma): { width: number; height: number }[] {
  const sizes = [];
  let [width, height] = [2 * luma.width, 2 * luma.height];
  while (Math.min(width, height) >= SMALLEST_SIDE) {
    sizes.push({ width, height });
    width >>= 1;
    height >>= 1;
  }
  return sizes;
}

/** Blur that turns the enlarged raster into the first layer. */
export const FIRST_BLUR: number = Math.sqrt(BASE_SIGMA ** 2 - (2 * INPUT_SIGMA) ** 2);

/** Blur that turns layer `index - 1` of an octave into layer `index`. */
export function layerBlur(index: number): number {
  const step = 2 ** (1 / INTERVALS);
  return BASE_SIGMA * step ** (index - 1) * Math.sqrt(step * step - 1);
}

/**
 * The Gaussian scale space of a raster, the first octave at twice its size.
 * Position `p` in octave `o` is `p * 2 ** (o - 1) - 1/4` in the raster.
 */
export function buildPyramid(luma: Luma): Pyramid {
  const octaves: Octave[] = [];
  for (const { width, height } of octaveSizes(luma)) {
    const below = octaves.at(-1);
    const layers = [
      below === undefined ? firstLayer(luma) : halved(below.layers[INTERVALS]!, below.width, below.height),
    ];
    for (let i = 1; i < LAYERS; i++) layers.push(blur(layers[i - 1]!, width, height, layerBlur(i)));
    octaves.push({ width, height, layers });
  }
  return {
    octaves,
    [Symbol.dispose]: () => {
      for (const octave of octaves) for (const layer of octave.layers) layer.fill(0);
    },
  };
}

function firstLayer(luma: Luma): Float32Array {
  const enlarged = doubled(luma);
  const layer = blur(enlarged, 2 * luma.width, 2 * luma.height, FIRST_BLUR);
  enlarged.fill(0);
  return layer;
}
