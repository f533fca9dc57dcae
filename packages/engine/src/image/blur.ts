import type { Plane } from "./plane.ts";

/** Half of a symmetric Gaussian kernel, centre first, normalised, rounded to float32; it reaches `reach` sigmas. */
export function gaussianTaps(sigma: number, reach = 4): Float32Array {
  const radius = Math.round(sigma * reach);
  const taps = Float64Array.from({ length: radius + 1 }, (_, i) => Math.exp(-(i * i) / (2 * sigma * sigma)));
  const sum = taps.reduce((total, tap, i) => total + (i === 0 ? tap : 2 * tap), 0);
  return Float32Array.from(taps, (tap) => tap / sum);
}

/** Index of a sample beyond the border, reflected without repeating the edge (... 2 1 0 1 2 ...). */
export function reflect(index: number, length: number): number {
  if (length === 1) return 0;
  const period = 2 * length - 2;
  const wrapped = Math.abs(index) % period;
  return wrapped < length ? wrapped : period - wrapped;
}

/**
 * Separable Gaussian blur, borders reflected, sums in float64: each pass adds whole shifted rows, weight by weight.
 * Signatures are made with this one.
 */
export function blur({ width, height, data }: Plane, sigma: number): Plane {
  const taps = gaussianTaps(sigma);
  const radius = taps.length - 1;
  const rows = new Float32Array(width * height);
  const padded = new Float64Array(width + 2 * radius);
  const sums = new Float64Array(width);
  for (let y = 0; y < height; y += 1) {
    for (let x = -radius; x < 0; x += 1) padded[x + radius] = data[y * width + reflect(x, width)]!;
    for (let x = 0; x < width; x += 1) padded[x + radius] = data[y * width + x]!;
    for (let x = width; x < width + radius; x += 1) padded[x + radius] = data[y * width + reflect(x, width)]!;
    const centre = taps[0]!;
    for (let x = 0; x < width; x += 1) sums[x] = centre * padded[x + radius]!;
    for (let tap = radius; tap >= 1; tap -= 1) {
      const weight = taps[tap]!;
      const [left, right] = [radius - tap, radius + tap];
      for (let x = 0; x < width; x += 1) sums[x]! += weight * (padded[x + left]! + padded[x + right]!);
    }
    rows.set(sums, y * width);
  }
  const blurred = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    sums.fill(0);
    for (let tap = radius; tap >= 0; tap -= 1) {
      const weight = tap === 0 ? taps[tap]! / 2 : taps[tap]!;
      const above = reflect(y - tap, height) * width;
      const below = reflect(y + tap, height) * width;
      for (let x = 0; x < width; x += 1) sums[x]! += weight * (rows[above + x]! + rows[below + x]!);
    }
    blurred.set(sums, y * width);
  }
  return { width, height, data: blurred };
}

/** The band that signatures describe (blur at 1 cell less blur at 2 cells) and what is finer than it. */
export function splitBands(plane: Plane): { band: Plane; fine: Plane } {
  const { width, height } = plane;
  const middle = blur(plane, 1);
  const coarse = blur(plane, 2);
  return {
    band: { width, height, data: middle.data.map((value, k) => value - coarse.data[k]!) },
    fine: { width, height, data: plane.data.map((value, k) => value - middle.data[k]!) },
  };
}
