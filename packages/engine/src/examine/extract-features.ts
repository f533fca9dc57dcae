import { BITS_STRIDE } from "../features/binarise.ts";
import type { Features } from "../features/features.ts";
import type { Luma } from "../image/luma.ts";
import { hamming } from "../features/hamming.ts";
import { DESCRIPTOR_LENGTH } from "../features/sift/descriptor.ts";
import type { Extremum } from "../features/sift/extrema.ts";
import type { Sift } from "../features/sift/sift.ts";
import { type DescribedPoint, RasterPoints } from "./raster-points.ts";

/** Contrast of usual and of faint points, OpenCV's scale. */
const CONTRAST = 0.01;
const FAINT_CONTRAST = 0.004;
/** Fewer points than this call for faint ones. */
const FEW_POINTS = 150;

/** Points are spread over this many cells a side. */
const GRID = 6;
/** How many points of a cell weigh as much as all points of the picture, and how heavily. */
const CELL_SHARE = 400 / (GRID * GRID);
const CELL_WEIGHT = 0.7;
/** Sizes beyond this get no further preference. */
const LARGE = 16;

/** Points within this many bits of each other are a burst; an original keeps `BURST_KEPT` of each. */
const BURST_DISTANCE = 20;
const BURST_KEPT = 4;

export interface ExtractOptions {
  /** Most points to keep. */
  readonly limit: number;
  /** Keep at most four nearly equal descriptors, so that one repeated letter does not fill the packet. */
  readonly thinBursts: boolean;
  /** Take faint points however many others there are, so that a crop of a picture's calm parts finds some too. */
  readonly faint?: boolean;
}

export interface Extraction {
  readonly features: Features;
  /** RootSIFT, `count * 128`, order [y][x][direction]; derived from pixels, zeroed by the caller. */
  readonly descriptors: Float32Array;
}

function strengthOf(point: Extremum): number {
  return point.response * Math.sqrt(Math.min(point.size, LARGE));
}

/** Which of the grid's cells a point lies in. */
function cellOf({ x, y }: Extremum, width: number, height: number): number {
  const column = Math.min(GRID - 1, Math.max(0, Math.floor((x / width) * GRID)));
  return column + GRID * Math.min(GRID - 1, Math.max(0, Math.floor((y / height) * GRID)));
}

/** Orders points so that strong and large ones come first but no cell of the picture takes all places. */
function spreadOrder(points: readonly Extremum[], width: number, height: number): Extremum[] {
  const strengths = Float64Array.from(points, strengthOf);
  const indices = Uint32Array.from(points, (_, i) => i);
  const byStrength = indices.toSorted((a, b) => strengths[b]! - strengths[a]! || a - b);
  const inCell = new Int32Array(GRID * GRID);
  const keys = new Float64Array(points.length);
  for (const [rank, i] of byStrength.entries()) {
    const cell = cellOf(points[i]!, width, height);
    inCell[cell]! += 1;
    keys[i] = rank / points.length + (inCell[cell]! / CELL_SHARE) * CELL_WEIGHT;
  }
  const order = byStrength.toSorted((a, b) => keys[a]! - keys[b]! || strengths[b]! - strengths[a]! || a - b);
  return Array.from(order, (i) => points[i]!);
}

/** Whether enough points already look like this one. */
function isInBurst({ bits }: DescribedPoint, points: readonly DescribedPoint[]): boolean {
  let alike = 0;
  for (const other of points) {
    if (hamming(bits, 0, other.bits, 0) <= BURST_DISTANCE) alike += 1;
    if (alike === BURST_KEPT) return true;
  }
  return false;
}

/** Chooses points of a raster, the most useful first. */
export function selectPoints(raster: RasterPoints, options: ExtractOptions): DescribedPoint[] {
  const { limit, thinBursts, faint } = options;
  let extrema = raster.extrema(faint === true ? FAINT_CONTRAST : CONTRAST);
  if (extrema.length < FEW_POINTS) extrema = raster.extrema(FAINT_CONTRAST);
  const points: DescribedPoint[] = [];
  for (const extremum of spreadOrder(extrema, raster.width, raster.height)) {
    for (const point of raster.describe(extremum)) {
      if (points.length === limit) return points;
      if (!thinBursts || !isInBurst(point, points)) points.push(point);
    }
  }
  return points;
}

/** Points of a raster as features, with copies of their descriptors. */
export function extractionOf(
  { width, height }: Pick<RasterPoints, "width" | "height">,
  points: readonly DescribedPoint[],
): Extraction {
  const column = (of: (point: Extremum) => number): Float32Array =>
    Float32Array.from(points, ({ point }) => of(point));
  const bits = new Uint32Array(points.length * BITS_STRIDE);
  const descriptors = new Float32Array(points.length * DESCRIPTOR_LENGTH);
  for (const [i, point] of points.entries()) {
    bits.set(point.bits, i * BITS_STRIDE);
    descriptors.set(point.descriptor, i * DESCRIPTOR_LENGTH);
  }
  const features: Features = {
    width,
    height,
    count: points.length,
    x: column((point) => point.x),
    y: column((point) => point.y),
    size: column((point) => point.size),
    angle: Float32Array.from(points, ({ angle }) => angle),
    response: column((point) => point.response),
    bits,
  };
  return { features, descriptors };
}

/** Finds, orients and describes the points of a raster, the most useful first. */
export function extractFeatures(luma: Luma, options: ExtractOptions, sift?: Sift): Extraction {
  using raster = new RasterPoints(luma, sift);
  return extractionOf(raster, selectPoints(raster, options));
}
