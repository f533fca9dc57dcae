import { expNegative, turnOf } from "./arithmetic.ts";
import type { Extremum } from "./extrema.ts";
import { onLattice, STEP } from "./lattice.ts";
import type { Octave } from "./pyramid.ts";

/** Bins of the direction histogram. */
export const BINS = 36;
/** Window of the histogram, in units of the point's scale. */
const WINDOW_SIGMA = 1.5;
const WINDOW_RADIUS = 3 * WINDOW_SIGMA;
/** Peaks of at least this part of the highest are orientations too. */
const PEAK_RATIO = 0.8;

/** Window of the direction histogram: half its side, and the factor of the squared distance in its Gaussian weight. */
export function windowOf(scale: number): { radius: number; fall: number } {
  return { radius: Math.round(WINDOW_RADIUS * scale), fall: -1 / (2 * (WINDOW_SIGMA * scale) ** 2) };
}

/** Gradient directions around a point, weighted by strength and nearness. */
function directionHistogram(octave: Octave, point: Extremum): Float64Array {
  const layer = octave.layers[point.layer]!;
  const [column, row] = [Math.round(point.column), Math.round(point.row)];
  const { radius, fall } = windowOf(point.scale);
  const raw = new Float64Array(BINS);
  const reach = -onLattice(-radius, 0);
  for (let dy = -reach; dy <= radius; dy += STEP) {
    const y = row + dy;
    if (y <= 0 || y >= octave.height - 1) continue;
    for (let dx = -reach; dx <= radius; dx += STEP) {
      const x = column + dx;
      if (x <= 0 || x >= octave.width - 1) continue;
      const at = y * octave.width + x;
      const gx = layer[at + 1]! - layer[at - 1]!;
      const gy = layer[at - octave.width]! - layer[at + octave.width]!;
      const bin = Math.round((BINS / (2 * Math.PI)) * turnOf(gy, gx)) % BINS;
      raw[bin]! += expNegative((dx * dx + dy * dy) * fall) * Math.sqrt(gx * gx + gy * gy);
    }
  }
  return raw;
}

function smoothed(raw: Float64Array): Float64Array {
  return raw.map((value, i) => {
    const near = raw[(i + 1) % BINS]! + raw[(i + BINS - 1) % BINS]!;
    const far = raw[(i + 2) % BINS]! + raw[(i + BINS - 2) % BINS]!;
    return (far + 4 * near + 6 * value) / 16;
  });
}

/** Angles of a smoothed histogram's peaks in radians, 0 to 2 pi, as OpenCV counts them (clockwise on the screen). */
export function peakAngles(histogram: Float32Array | Float64Array): number[] {
  let least = 0;
  for (let i = 0; i < BINS; i += 1) least = Math.max(least, PEAK_RATIO * histogram[i]!);
  const angles: number[] = [];
  for (let i = 0; i < BINS; i += 1) {
    const value = histogram[i]!;
    const left = histogram[(i + BINS - 1) % BINS]!;
    const right = histogram[(i + 1) % BINS]!;
    if (value <= left || value <= right || value < least) continue;
    const bin = (i + (0.5 * (left - right)) / (left - 2 * value + right) + BINS) % BINS;
    angles.push(((BINS - bin) % BINS) * ((2 * Math.PI) / BINS));
  }
  return angles;
}

/** The orientations of a point. */
export function orientationsOf(octave: Octave, point: Extremum): number[] {
  return peakAngles(smoothed(directionHistogram(octave, point)));
}
