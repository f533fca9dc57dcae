import { rescale } from "../geometry/rescale.ts";

/** A raster of samples of any kind, row-major. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Float32Array;
}

/** How the samples along one axis fall into fewer cells: cell `i` covers `length[i]` samples from `first[i]` on. */
export interface AreaWeights {
  readonly first: Int32Array;
  readonly length: Int32Array;
  /** `taps` places a cell, of which the first `length` hold weights that add up to one. */
  readonly taps: number;
  readonly weights: Float64Array;
}

/**
 * Where a cell ends: a ratio after its own start, or at a whole multiple of the ratio. The two differ in the last bit,
 * and that decides how ties are rounded; 8-bit rasters are shrunk in the one way and planes in the other, and packets
 * of version 1 hold what both gave. A new version of the packet may keep the first alone.
 */
export type CellEnds = "from-start" | "multiples";

/** Weights of an area average of `from` samples to `to` cells, no more than there are samples. */
export function areaWeights(from: number, to: number, ends: CellEnds): AreaWeights {
  const ratio = from / to;
  const taps = Math.ceil(ratio) + 1;
  const first = new Int32Array(to);
  const length = new Int32Array(to);
  const weights = new Float64Array(to * taps);
  for (let cell = 0; cell < to; cell += 1) {
    const start = cell * ratio;
    const end = Math.min(from, ends === "multiples" ? (cell + 1) * ratio : start + ratio);
    const whole = ends === "multiples" ? ratio : end - start;
    const origin = Math.min(Math.floor(start), from - 1);
    first[cell] = origin;
    for (let tap = 0; tap < taps && origin + tap < from; tap += 1) {
      const covered = Math.min(end, origin + tap + 1) - Math.max(start, origin + tap);
      if (covered <= 0) break;
      weights[cell * taps + tap] = covered / whole;
      length[cell] = tap + 1;
    }
  }
  return { first, length, taps, weights };
}

/** Samples along one axis that a cubic sample is made of. */
export const CUBIC_TAPS = 4;

/** Catmull-Rom weight of a sample at distance `t`, 0 to 2. */
export function cubicWeight(t: number): number {
  if (t < 1) return (1.5 * t - 2.5) * t * t + 1;
  return t < 2 ? ((-0.5 * t + 2.5) * t - 4) * t + 2 : 0;
}

/** Per target sample of an axis its four source samples (edges held) and their weights. */
export function cubicWeights(
  from: number,
  to: number,
): { readonly places: Int32Array; readonly weights: Float64Array } {
  const places = new Int32Array(CUBIC_TAPS * to);
  const weights = new Float64Array(CUBIC_TAPS * to);
  for (let i = 0; i < CUBIC_TAPS * to; i += 1) {
    const at = rescale(Math.floor(i / CUBIC_TAPS), to, from);
    const tap = Math.floor(at) - 1 + (i % CUBIC_TAPS);
    places[i] = Math.min(from - 1, Math.max(0, tap));
    weights[i] = cubicWeight(Math.abs(at - tap));
  }
  return { places, weights };
}

/** Bilinear sample; coordinates outside take the border. */
export function sampleLinear({ width, height, data }: Raster, x: number, y: number): number {
  const cx = Math.min(width - 1, Math.max(0, x));
  const cy = Math.min(height - 1, Math.max(0, y));
  const x0 = Math.floor(cx);
  const above = Math.floor(cy) * width;
  const x1 = Math.min(width - 1, x0 + 1);
  const below = Math.min(height - 1, Math.floor(cy) + 1) * width;
  const tx = cx - x0;
  const ty = cy - Math.floor(cy);
  const upper = data[above + x0]! * (1 - tx) + data[above + x1]! * tx;
  const lower = data[below + x0]! * (1 - tx) + data[below + x1]! * tx;
  return upper * (1 - ty) + lower * ty;
}
