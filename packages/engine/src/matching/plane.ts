import type { Luma } from "../features.ts";

/** A raster of 32-bit floats, row-major. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Where each output cell begins and how much of each input cell it covers, for shrinking `from` cells to `to`. */
function coverage(from: number, to: number): { first: Int32Array; weights: Float32Array[] } {
  const first = new Int32Array(to);
  const step = from / to;
  const weights = Array.from({ length: to }, (_, k) => {
    const start = k * step;
    const end = Math.min(from, (k + 1) * step);
    first[k] = Math.floor(start);
    const last = Math.min(from - 1, Math.ceil(end) - 1);
    return Float32Array.from({ length: last - Math.floor(start) + 1 }, (_v, n) => {
      const cell = Math.floor(start) + n;
      return (Math.min(end, cell + 1) - Math.max(start, cell)) / step;
    });
  });
  return { first, weights };
}

/** Every row at `width` cells, one below the other. */
function shrinkRows({ width: from, height, data }: Luma | Plane, width: number): Float32Array {
  const across = coverage(from, width);
  const rows = new Float32Array(width * height);
  // Four rows at a time: alone, each addition to a sum would wait for the one before. The last rows may be made twice.
  for (let top = 0; top < height; top += 4) {
    const y0 = top;
    const y1 = Math.min(top + 1, height - 1);
    const y2 = Math.min(top + 2, height - 1);
    const y3 = Math.min(top + 3, height - 1);
    for (let x = 0; x < width; x += 1) {
      const weights = across.weights[x]!;
      const start = across.first[x]!;
      let sum0 = 0;
      let sum1 = 0;
      let sum2 = 0;
      let sum3 = 0;
      for (let k = 0; k < weights.length; k += 1) {
        const weight = weights[k]!;
        const column = start + k;
        sum0 += weight * data[y0 * from + column]!;
        sum1 += weight * data[y1 * from + column]!;
        sum2 += weight * data[y2 * from + column]!;
        sum3 += weight * data[y3 * from + column]!;
      }
      rows[y0 * width + x] = sum0;
      rows[y1 * width + x] = sum1;
      rows[y2 * width + x] = sum2;
      rows[y3 * width + x] = sum3;
    }
  }
  return rows;
}

/** Shrinks by area averaging; neither side may grow. */
export function shrink(source: Luma | Plane, width: number, height: number): Plane {
  const rows = shrinkRows(source, width);
  const down = coverage(source.height, height);
  const data = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const weights = down.weights[y]!;
    for (let k = 0; k < weights.length; k += 1) {
      const weight = weights[k]!;
      const base = (down.first[y]! + k) * width;
      for (let x = 0; x < width; x += 1) data[y * width + x]! += weight * rows[base + x]!;
    }
  }
  return { width, height, data };
}

/** Brings the longer side to `side` pixels: area averaging downwards, linear interpolation upwards. */
export function fitPlane(source: Luma, side: number): Plane {
  const scale = side / Math.max(source.width, source.height);
  const width = Math.max(8, Math.round(source.width * scale));
  const height = Math.max(8, Math.round(source.height * scale));
  return resizePlane(source, width, height);
}

/** Area averaging where neither side grows, else linear interpolation. */
export function resizePlane(source: Luma, width: number, height: number): Plane {
  if (width <= source.width && height <= source.height) return shrink(source, width, height);
  return enlarge(source, width, height);
}

function enlarge(source: Luma, width: number, height: number): Plane {
  const data = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const sy = Math.min(source.height - 1, Math.max(0, ((y + 0.5) * source.height) / height - 0.5));
    const y0 = Math.floor(sy);
    const y1 = Math.min(source.height - 1, y0 + 1);
    for (let x = 0; x < width; x += 1) {
      const sx = Math.min(source.width - 1, Math.max(0, ((x + 0.5) * source.width) / width - 0.5));
      const x0 = Math.floor(sx);
      const x1 = Math.min(source.width - 1, x0 + 1);
      const upper =
        source.data[y0 * source.width + x0]! * (1 - sx + x0) +
        source.data[y0 * source.width + x1]! * (sx - x0);
      const lower =
        source.data[y1 * source.width + x0]! * (1 - sx + x0) +
        source.data[y1 * source.width + x1]! * (sx - x0);
      data[y * width + x] = upper * (1 - sy + y0) + lower * (sy - y0);
    }
  }
  return { width, height, data };
}

function gaussianKernel(sigma: number): Float32Array {
  const radius = Math.ceil(4 * sigma);
  const kernel = Float64Array.from({ length: 2 * radius + 1 }, (_, k) =>
    Math.exp(-((k - radius) ** 2) / (2 * sigma * sigma)),
  );
  const sum = kernel.reduce((total, value) => total + value, 0);
  return Float32Array.from(kernel, (value) => value / sum);
}

/** Index reflected about the border pixels (…2 1 0 1 2…). */
function reflect(index: number, length: number): number {
  if (length === 1) return 0;
  const period = 2 * (length - 1);
  const folded = ((index % period) + period) % period;
  return folded < length ? folded : period - folded;
}

/** Gaussian blur, separable, borders reflected. Each pass adds whole shifted rows, weight by weight. */
export function blur(plane: Plane, sigma: number): Plane {
  const { width, height } = plane;
  const kernel = gaussianKernel(sigma);
  const radius = (kernel.length - 1) / 2;
  const rows = new Float32Array(width * height);
  const padded = new Float64Array(width + 2 * radius);
  const sums = new Float64Array(width);
  for (let y = 0; y < height; y += 1) {
    for (let x = -radius; x < 0; x += 1) padded[x + radius] = plane.data[y * width + reflect(x, width)]!;
    for (let x = 0; x < width; x += 1) padded[x + radius] = plane.data[y * width + x]!;
    for (let x = width; x < width + radius; x += 1)
      padded[x + radius] = plane.data[y * width + reflect(x, width)]!;
    const middle = kernel[radius]!;
    for (let x = 0; x < width; x += 1) sums[x] = middle * padded[x + radius]!;
    for (let k = 0; k < radius; k += 1) {
      const weight = kernel[k]!;
      const mirrored = 2 * radius - k;
      for (let x = 0; x < width; x += 1) sums[x]! += weight * (padded[x + k]! + padded[x + mirrored]!);
    }
    rows.set(sums, y * width);
  }
  const data = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    sums.fill(0);
    for (let k = 0; k <= radius; k += 1) {
      const weight = k === radius ? kernel[k]! / 2 : kernel[k]!;
      const above = reflect(y + k - radius, height) * width;
      const below = reflect(y - k + radius, height) * width;
      for (let x = 0; x < width; x += 1) sums[x]! += weight * (rows[above + x]! + rows[below + x]!);
    }
    data.set(sums, y * width);
  }
  return { width, height, data };
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
