import type { PlanarMap } from "../../geometry/planar-map.ts";
import type { Plane } from "../../image/plane.ts";
import type { Cells } from "../../image/part.ts";
import { CUBIC_TAPS } from "../../image/resample.ts";

/**
 * Cells with what the query shows in them, and the summed-area table of those that lie within it, (width + 1) x (height
 * + 1).
 */
export interface SampledCells {
  readonly luma: Plane;
  readonly inside: Int32Array;
}

type Nine = [number, number, number, number, number, number, number, number, number];

const { fround: f } = Math;

/** `cubicWeight` of the four values around a place that lies `t`, 0 to 1, behind the second, in float32 steps. */
function weightsAround(t: number): readonly number[] {
  return [
    f(f(f(f(f(-0.5 * t) + 1) * t) - 0.5) * t),
    f(f(f(f(f(1.5 * t) - 2.5) * t) * t) + 1),
    f(f(f(f(f(-1.5 * t) + 2) * t) + 0.5) * t),
    f(f(f(f(0.5 * t) - 0.5) * t) * t),
  ];
}

const held = (value: number, length: number): number => Math.min(length - 1, Math.max(0, value));

/** A Catmull-Rom sample; coordinates outside take the border. */
function sample({ width, height, data }: Plane, x: number, y: number): number {
  const [cx, cy] = [held(x, width), held(y, height)];
  const [x0, y0] = [Math.floor(cx), Math.floor(cy)];
  const across = weightsAround(f(cx - x0));
  const down = weightsAround(f(cy - y0));
  const [first, second, third, fourth] = across.map((weight, k) => {
    let sum = 0;
    for (let r = 0; r < CUBIC_TAPS; r += 1) {
      const value = data[held(y0 - 1 + r, height) * width + held(x0 - 1 + k, width)]!;
      sum = f(sum + f(down[r]! * value));
    }
    return f(weight * sum);
  }) as [number, number, number, number];
  return f(f(first + second) + f(third + fourth));
}

/** How many samples show a cell: one where it is no larger than a pixel. */
export type SamplesPerCell = 1 | 4;

/**
 * Samples a query's plane in cells of an original's map: what the vector kernels are checked against. `toPlane`: cells
 * to its pixels.
 */
export function sampleCells(
  plane: Plane,
  toPlane: PlanarMap,
  { left, top, right, bottom }: Cells,
  samples: SamplesPerCell,
): SampledCells {
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = toPlane as unknown as Nine;
  const width = right - left;
  const height = bottom - top;
  const data = new Float32Array(width * height);
  const inside = new Int32Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    for (let x = 0; x < width; x += 1) {
      const sampled: number[] = [];
      let within = 0;
      const off = samples === 1 ? 0 : 0.25;
      for (let quarter = 0; quarter < samples; quarter += 1) {
        const u = left + x + (quarter & 1 ? off : -off);
        const v = top + y + (quarter & 2 ? off : -off);
        const depth = 1 / (m6 * u + (m7 * v + m8));
        const px = (m0 * u + (m1 * v + m2)) * depth;
        const py = (m3 * u + (m4 * v + m5)) * depth;
        if (px >= -0.5 && py >= -0.5 && px <= plane.width - 0.5 && py <= plane.height - 0.5) within += 1;
        sampled.push(sample(plane, px, py));
      }
      const [a, b, c, d] = sampled as [number, number, number, number];
      data[y * width + x] = samples === 1 ? a : f(f(f(a + b) + f(c + d)) * 0.25);
      if (within === samples) row += 1;
      inside[(y + 1) * (width + 1) + x + 1] = inside[y * (width + 1) + x + 1]! + row;
    }
  }
  return { luma: { width, height, data }, inside };
}
