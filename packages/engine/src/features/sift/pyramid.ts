import type { Luma } from "../../image/luma.ts";
import { blurSamples, integerTaps, LUMA_UNIT } from "./integer-blur.ts";

/** Scales searched in each octave. */
export const INTERVALS = 3;
/** Blur of the first layer of an octave, in that octave's pixels. */
export const BASE_SIGMA = 1.6;
/** Blur that a camera or a resize is taken to have left in the raster. */
const INPUT_SIGMA = 0.5;
export const LAYERS: number = INTERVALS + 3;
const SMALLEST_SIDE = 12;

/**
 * One octave: `INTERVALS + 3` layers of samples, each blurred `2 ** (1 / INTERVALS)` times more than the one before.
 */
export interface Octave {
  readonly width: number;
  readonly height: number;
  readonly layers: readonly Int16Array[];
}

/** A scale space; disposing it zeroes it, since it shows the picture. */
export interface Pyramid extends Disposable {
  readonly octaves: readonly Octave[];
}

/** Linear enlargement to samples at twice the size: sample `j` lies at `j / 2 - 1/4` of the source. */
function doubled(luma: Luma): Int16Array {
  const { width, height, data } = luma;
  const out = new Int16Array(4 * width * height);
  for (let y = 0; y < 2 * height; y += 1) {
    const near = (y >> 1) * width;
    const far = Math.min(height - 1, Math.max(0, (y >> 1) + (y % 2 === 0 ? -1 : 1))) * width;
    for (let x = 0; x < 2 * width; x += 1) {
      const inner = x >> 1;
      const outer = Math.min(width - 1, Math.max(0, inner + (x % 2 === 0 ? -1 : 1)));
      const sixteenths =
        9 * data[near + inner]! + 3 * data[near + outer]! + 3 * data[far + inner]! + data[far + outer]!;
      out[2 * y * width + x] = (sixteenths / 16 - 128) * LUMA_UNIT;
    }
  }
  return out;
}

/** Every second sample of every second row. */
function halved(layer: Int16Array, width: number, height: number): Int16Array {
  const [w, h] = [width >> 1, height >> 1];
  const out = new Int16Array(w * h);
  for (let y = 0; y < h; y += 1) {
    for (let x = 0; x < w; x += 1) out[y * w + x] = layer[2 * y * width + 2 * x]!;
  }
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

/** What the kernels reach at least, in sigmas: what lies beyond is 0.3 % of their weight. */
const REACH = 3;

/** Kernel that turns the enlarged raster into the first layer. */
export const FIRST_TAPS: Int16Array = integerTaps(Math.sqrt(BASE_SIGMA ** 2 - (2 * INPUT_SIGMA) ** 2), REACH);

/** Kernels that turn each layer of an octave into the next. */
export const LAYER_TAPS: readonly Int16Array[] = Array.from({ length: LAYERS - 1 }, (_, index) => {
  const step = 2 ** (1 / INTERVALS);
  return integerTaps(BASE_SIGMA * step ** index * Math.sqrt(step * step - 1), REACH);
});

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
    for (let i = 1; i < LAYERS; i += 1) {
      layers.push(blurSamples({ width, height, data: layers[i - 1]! }, LAYER_TAPS[i - 1]!).data);
    }
    octaves.push({ width, height, layers });
  }
  return {
    octaves,
    [Symbol.dispose]: () => {
      for (const octave of octaves) for (const layer of octave.layers) layer.fill(0);
    },
  };
}

function firstLayer(luma: Luma): Int16Array {
  const enlarged = { width: 2 * luma.width, height: 2 * luma.height, data: doubled(luma) };
  const { data } = blurSamples(enlarged, FIRST_TAPS);
  enlarged.data.fill(0);
  return data;
}
