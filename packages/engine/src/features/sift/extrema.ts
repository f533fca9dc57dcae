import { LUMA_UNIT } from "./integer-blur.ts";
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

/** Samples this close to the edge are not searched. */
export const BORDER = 5;
const REFINE_STEPS = 5;
/** Largest ratio of the principal curvatures. */
const EDGE = 10;

/** The differences of neighbouring layers of one octave. */
function differencesOf({ layers }: Octave): Int16Array[] {
  return layers.slice(1).map((layer, i) => layer.map((value, at) => value - layers[i]![at]!));
}

/** Whether the sample is not smaller (sign 1) or not larger (sign -1) than its 26 neighbours. */
function isExtremum(
  below: Int16Array,
  own: Int16Array,
  above: Int16Array,
  at: number,
  width: number,
): boolean {
  const value = own[at]!;
  const sign = value > 0 ? 1 : -1;
  const peak = sign * value;
  for (let dy = -width; dy <= width; dy += width) {
    for (let i = at + dy - 1; i <= at + dy + 1; i += 1) {
      if (sign * own[i]! > peak || sign * below[i]! > peak || sign * above[i]! > peak) return false;
    }
  }
  return true;
}

interface Curvature {
  /** The sample itself. */
  readonly value: number;
  readonly gradient: readonly [number, number, number];
  readonly xx: number;
  readonly yy: number;
  readonly ss: number;
  readonly xy: number;
  readonly xs: number;
  readonly ys: number;
}

/** First and second differences of the difference of Gaussians at one sample; luma 0..1. */
function curvatureAt({ width: w, layers }: Octave, layer: number, at: number): Curvature {
  const [finest, finer, coarser, coarsest] = [
    layers[layer - 1]!,
    layers[layer]!,
    layers[layer + 1]!,
    layers[layer + 2]!,
  ];
  const below = (i: number): number => finer[i]! - finest[i]!;
  const own = (i: number): number => coarser[i]! - finer[i]!;
  const above = (i: number): number => coarsest[i]! - coarser[i]!;
  const value = own(at);
  const twice = 2 * value;
  const unit = 1 / (255 * LUMA_UNIT);
  return {
    value: value * unit,
    gradient: [
      (own(at + 1) - own(at - 1)) * 0.5 * unit,
      (own(at + w) - own(at - w)) * 0.5 * unit,
      (above(at) - below(at)) * 0.5 * unit,
    ],
    xx: (own(at + 1) + own(at - 1) - twice) * unit,
    yy: (own(at + w) + own(at - w) - twice) * unit,
    ss: (above(at) + below(at) - twice) * unit,
    xy: (own(at + w + 1) - own(at + w - 1) - own(at - w + 1) + own(at - w - 1)) * 0.25 * unit,
    xs: (above(at + 1) - above(at - 1) - below(at + 1) + below(at - 1)) * 0.25 * unit,
    ys: (above(at + w) - above(at - w) - below(at + w) + below(at - w)) * 0.25 * unit,
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

/** A sample, how far from it the fitted quadratic has its peak, and how high that is. */
export interface Peak {
  readonly layer: number;
  readonly row: number;
  readonly column: number;
  readonly dx: number;
  readonly dy: number;
  readonly ds: number;
  readonly response: number;
}

/** Follows one sample to its sub-pixel extremum, or drops it as weak, edge-like or running away. */
function refine(octave: Octave, start: [number, number, number], contrast: number): Peak | null {
  let [layer, row, column] = start;
  for (let step = 0; step < REFINE_STEPS; step += 1) {
    const at = row * octave.width + column;
    const curvature = curvatureAt(octave, layer, at);
    const offset = peakOffset(curvature);
    if (offset === null) return null;
    const [dx, dy, ds] = offset;
    if (Math.abs(dx) < 0.5 && Math.abs(dy) < 0.5 && Math.abs(ds) < 0.5) {
      const [gx, gy, gs] = curvature.gradient;
      const response = Math.abs(curvature.value + 0.5 * (gx * dx + gy * dy + gs * ds));
      const trace = curvature.xx + curvature.yy;
      const determinant = curvature.xx * curvature.yy - curvature.xy * curvature.xy;
      if (response * INTERVALS < contrast) return null;
      if (determinant <= 0 || trace * trace * EDGE >= (EDGE + 1) ** 2 * determinant) return null;
      return { layer, row, column, dx, dy, ds, response };
    }
    column += Math.round(dx);
    row += Math.round(dy);
    layer += Math.round(ds);
    const inside =
      layer >= 1 &&
      layer <= INTERVALS &&
      column >= BORDER &&
      column < octave.width - BORDER &&
      row >= BORDER &&
      row < octave.height - BORDER;
    if (!inside) return null;
  }
  return null;
}

/** Whether an extremum has at least a contrast, on the scale of `findExtrema`. */
export function reaches({ response }: Extremum, contrast: number): boolean {
  return response * INTERVALS >= contrast;
}

/** Differences of samples no larger than this are not worth refining. */
export function faintest(contrast: number): number {
  return Math.floor((0.5 * contrast * 255 * LUMA_UNIT) / INTERVALS);
}

/** Indices of the samples of one layer that exceed the threshold and are extreme among their 26 neighbours. */
function candidatesOf(
  { width, height }: Octave,
  [below, own, above]: readonly [Int16Array, Int16Array, Int16Array],
  faint: number,
): number[] {
  const found: number[] = [];
  for (let row = BORDER; row < height - BORDER; row += 1) {
    for (let column = BORDER; column < width - BORDER; column += 1) {
      const at = row * width + column;
      const value = own[at]!;
      if ((value < 0 ? -value : value) > faint && isExtremum(below, own, above, at, width)) found.push(at);
    }
  }
  return found;
}

function* refineCandidates(
  octave: Octave,
  candidates: readonly (readonly number[])[],
  contrast: number,
): Generator<Peak> {
  for (const [i, indices] of candidates.entries()) {
    for (const at of indices) {
      const start: [number, number, number] = [i + 1, Math.floor(at / octave.width), at % octave.width];
      const peak = refine(octave, start, contrast);
      if (peak !== null) yield peak;
    }
  }
}

/** The extrema at the peaks of octave `index`; where several samples ran to one, one is kept. */
export function distinctExtrema(
  { width, height }: Pick<Octave, "width" | "height">,
  index: number,
  peaks: Iterable<Peak>,
): Extremum[] {
  const unit = 2 ** (index - 1);
  const places = new Set<number>();
  const found: Extremum[] = [];
  for (const peak of peaks) {
    const { layer, response } = peak;
    const [column, row] = [peak.column + peak.dx, peak.row + peak.dy];
    const place = (layer * height + Math.round(row)) * width + Math.round(column);
    if (places.has(place)) continue;
    places.add(place);
    const scale = BASE_SIGMA * 2 ** ((layer + peak.ds) / INTERVALS);
    const [x, y] = [column * unit - 0.25, row * unit - 0.25];
    found.push({ octave: index, layer, column, row, scale, x, y, size: 2 * scale * unit, response });
  }
  return found;
}

/**
 * Extrema of the difference of Gaussians whose contrast reaches `contrast / INTERVALS` (OpenCV's convention).
 * Edge responses are dropped.
 */
export function findExtrema(octaves: readonly Octave[], contrast: number): Extremum[] {
  const faint = faintest(contrast);
  return octaves.flatMap((octave, index) => {
    const dog = differencesOf(octave);
    const candidates = Array.from({ length: INTERVALS }, (_, i) =>
      candidatesOf(octave, [dog[i]!, dog[i + 1]!, dog[i + 2]!], faint),
    );
    const found = distinctExtrema(octave, index, refineCandidates(octave, candidates, contrast));
    for (const difference of dog) difference.fill(0);
    return found;
  });
}

/**
 * The sample of a scale space at which a point lies that was found in another one of the same raster, by what is kept
 * of it; null in one without octaves. Of a point between two layers it is one of them: sizes are kept less exactly than
 * they were found.
 */
export function pointAt(
  { x, y, size }: Pick<Extremum, "x" | "y" | "size">,
  octaves: number,
): Extremum | null {
  if (octaves === 0) return null;
  const level = INTERVALS * Math.log2(size / BASE_SIGMA);
  const octave = Math.max(0, Math.min(octaves - 1, Math.floor((level - 0.5) / INTERVALS)));
  const layer = Math.max(1, Math.min(INTERVALS, Math.round(level - INTERVALS * octave)));
  const unit = 2 ** (octave - 1);
  const [column, row, scale] = [(x + 0.25) / unit, (y + 0.25) / unit, size / (2 * unit)];
  return { octave, layer, column, row, scale, x, y, size, response: 0 };
}
