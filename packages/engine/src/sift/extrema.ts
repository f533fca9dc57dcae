import { BASE_SIGMA, INTERVALS, type Octave } from "./pyramid.ts";

/** A scale-space extremum, refined below the pixel; orientation comes later. */
export interface Extremum {
  readonly octave: number;
  readonly layer: number;
  /** In the octave's pixels. */
  readonly column: number;
  readonly row: number;
  /** Blur of the point in the octave's pixels. */
  readonly scale: number;
  /** In the raster's pixels. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Contrast of the difference of Gaussians, luma 0..1. */
  readonly response: number;
}

const BORDER = 5;
const REFINE_STEPS = 5;
/** Largest ratio of the principal curvatures. */
const EDGE = 10;

/** A difference of Gaussians as a view on two layers, so that no third copy of the picture is made. */
class Differences {
  readonly width: number;
  readonly height: number;
  readonly #layers: readonly Float32Array[];

  constructor(octave: Octave) {
    this.width = octave.width;
    this.height = octave.height;
    this.#layers = octave.layers
      .slice(1)
      .map((layer, i) => layer.map((value, at) => value - octave.layers[i]![at]!));
  }

  layer(index: number): Float32Array {
    return this.#layers[index]!;
  }

  erase(): void {
    for (const layer of this.#layers) layer.fill(0);
  }
}

/** Whether the sample is not smaller (sign 1) or not larger (sign -1) than its 26 neighbours. */
function isExtremum(
  below: Float32Array,
  own: Float32Array,
  above: Float32Array,
  at: number,
  width: number,
): boolean {
  const value = own[at]!;
  const sign = value > 0 ? 1 : -1;
  const peak = sign * value;
  for (let dy = -width; dy <= width; dy += width) {
    for (let i = at + dy - 1; i <= at + dy + 1; i++) {
      if (sign * own[i]! > peak || sign * below[i]! > peak || sign * above[i]! > peak) return false;
    }
  }
  return true;
}

interface Curvature {
  readonly gradient: readonly [number, number, number];
  readonly xx: number;
  readonly yy: number;
  readonly ss: number;
  readonly xy: number;
  readonly xs: number;
  readonly ys: number;
}

/** First and second differences at one sample; luma 0..1. */
function curvatureAt(dog: Differences, layer: number, at: number): Curvature {
  const [below, own, above] = [dog.layer(layer - 1), dog.layer(layer), dog.layer(layer + 1)];
  const w = dog.width;
  const twice = 2 * own[at]!;
  const unit = 1 / 255;
  return {
    gradient: [
      (own[at + 1]! - own[at - 1]!) * 0.5 * unit,
      (own[at + w]! - own[at - w]!) * 0.5 * unit,
      (above[at]! - below[at]!) * 0.5 * unit,
    ],
    xx: (own[at + 1]! + own[at - 1]! - twice) * unit,
    yy: (own[at + w]! + own[at - w]! - twice) * unit,
    ss: (above[at]! + below[at]! - twice) * unit,
    xy: (own[at + w + 1]! - own[at + w - 1]! - own[at - w + 1]! + own[at - w - 1]!) * 0.25 * unit,
    xs: (above[at + 1]! - above[at - 1]! - below[at + 1]! + below[at - 1]!) * 0.25 * unit,
    ys: (above[at + w]! - above[at - w]! - below[at + w]! + below[at - w]!) * 0.25 * unit,
  };
}

/** Newton step to the peak of the fitted quadratic, by Cramer's rule; null where the surface is flat. */
function peakOffset(c: Curvature): [number, number, number] | null {
  const [gx, gy, gs] = c.gradient;
  const minorX = c.yy * c.ss - c.ys * c.ys;
  const minorY = c.xy * c.ss - c.ys * c.xs;
  const minorS = c.xy * c.ys - c.yy * c.xs;
  const determinant = c.xx * minorX - c.xy * minorY + c.xs * minorS;
  if (determinant === 0) return null;
  const dx = gx * minorX - c.xy * (gy * c.ss - c.ys * gs) + c.xs * (gy * c.ys - c.yy * gs);
  const dy = c.xx * (gy * c.ss - c.ys * gs) - gx * minorY + c.xs * (c.xy * gs - gy * c.xs);
  const ds = c.xx * (c.yy * gs - gy * c.ys) - c.xy * (c.xy * gs - gy * c.xs) + gx * minorS;
  return [-dx / determinant, -dy / determinant, -ds / determinant];
}

/** Follows one sample to its sub-pixel extremum, or drops it as weak, edge-like or running away. */
function refine(
  dog: Differences,
  octave: number,
  start: [number, number, number],
  contrast: number,
): Extremum | null {
  let [layer, row, column] = start;
  for (let step = 0; step < REFINE_STEPS; step++) {
    const at = row * dog.width + column;
    const curvature = curvatureAt(dog, layer, at);
    const offset = peakOffset(curvature);
    if (offset === null) return null;
    const [dx, dy, ds] = offset;
    if (Math.abs(dx) < 0.5 && Math.abs(dy) < 0.5 && Math.abs(ds) < 0.5) {
      const [gx, gy, gs] = curvature.gradient;
      const response = Math.abs(dog.layer(layer)[at]! / 255 + 0.5 * (gx * dx + gy * dy + gs * ds));
      const trace = curvature.xx + curvature.yy;
      const determinant = curvature.xx * curvature.yy - curvature.xy * curvature.xy;
      if (response * INTERVALS < contrast) return null;
      if (determinant <= 0 || trace * trace * EDGE >= (EDGE + 1) ** 2 * determinant) return null;
      const unit = 2 ** (octave - 1);
      const scale = BASE_SIGMA * 2 ** ((layer + ds) / INTERVALS);
      return {
        octave,
        layer,
        column: column + dx,
        row: row + dy,
        scale,
        x: (column + dx) * unit - 0.25,
        y: (row + dy) * unit - 0.25,
        size: 2 * scale * unit,
        response,
      };
    }
    column += Math.round(dx);
    row += Math.round(dy);
    layer += Math.round(ds);
    const inside =
      layer >= 1 &&
      layer <= INTERVALS &&
      column >= BORDER &&
      column < dog.width - BORDER &&
      row >= BORDER &&
      row < dog.height - BORDER;
    if (!inside) return null;
  }
  return null;
}

function findInOctave(dog: Differences, octave: number, contrast: number): Extremum[] {
  const found: Extremum[] = [];
  const seen = new Set<string>();
  const faint = (0.5 * contrast * 255) / INTERVALS;
  for (let layer = 1; layer <= INTERVALS; layer++) {
    const [below, own, above] = [dog.layer(layer - 1), dog.layer(layer), dog.layer(layer + 1)];
    for (let row = BORDER; row < dog.height - BORDER; row++) {
      for (let column = BORDER; column < dog.width - BORDER; column++) {
        const at = row * dog.width + column;
        const value = own[at]!;
        if ((value < 0 ? -value : value) <= faint || !isExtremum(below, own, above, at, dog.width)) continue;
        const extremum = refine(dog, octave, [layer, row, column], contrast);
        if (extremum === null) continue;
        const place = `${extremum.layer} ${extremum.column} ${extremum.row}`;
        if (!seen.has(place)) found.push(extremum);
        seen.add(place);
      }
    }
  }
  return found;
}

/**
 * Extrema of the difference of Gaussians whose contrast reaches `contrast / INTERVALS` (OpenCV's convention).
 * Edge responses are dropped.
 */
export function findExtrema(octaves: readonly Octave[], contrast: number): Extremum[] {
  return octaves.flatMap((octave, index) => {
    const dog = new Differences(octave);
    const found = findInOctave(dog, index, contrast);
    dog.erase();
    return found;
  });
}
