import { BITS_STRIDE } from "../features/binarise.ts";
import type { Features } from "../features/features.ts";
import type { Luma } from "../image/luma.ts";
import { countNear } from "../features/hamming.ts";
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

/**
 * Indices of positive numbers, the smallest number's first; of equal ones the lower index first. An index takes the
 * place of a number's last bits, so that numbers are sorted as such, without a call for each comparison. The numbers
 * are used up.
 */
function ascending(numbers: Float64Array<ArrayBuffer>): Uint32Array {
  const halves = new Uint32Array(numbers.buffer);
  const indexBits = (1 << Math.ceil(Math.log2(numbers.length + 1))) - 1;
  for (let i = 0; i < numbers.length; i += 1) halves[2 * i] = (halves[2 * i]! & ~indexBits) | i;
  numbers.sort();
  const order = new Uint32Array(numbers.length);
  for (let i = 0; i < numbers.length; i += 1) order[i] = halves[2 * i]! & indexBits;
  return order;
}

/** Which of the grid's cells a point lies in. */
function cellOf({ x, y }: Extremum, width: number, height: number): number {
  const column = Math.min(GRID - 1, Math.max(0, Math.floor((x / width) * GRID)));
  return column + GRID * Math.min(GRID - 1, Math.max(0, Math.floor((y / height) * GRID)));
}

/** Orders points so that strong and large ones come first but no cell of the picture takes all places. */
function spreadOrder(points: readonly Extremum[], width: number, height: number): Extremum[] {
  const count = points.length;
  const weakness = new Float64Array(count);
  for (let i = 0; i < count; i += 1) weakness[i] = 1 / (1 + strengthOf(points[i]!));
  const byStrength = ascending(weakness);
  const inCell = new Int32Array(GRID * GRID);
  const keys = new Float64Array(count);
  for (let rank = 0; rank < count; rank += 1) {
    const cell = cellOf(points[byStrength[rank]!]!, width, height);
    inCell[cell]! += 1;
    keys[rank] = rank / count + (inCell[cell]! / CELL_SHARE) * CELL_WEIGHT;
  }
  return Array.from(ascending(keys), (rank) => points[byStrength[rank]!]!);
}

/** Chooses points of a raster, the most useful first. */
export function selectPoints(raster: RasterPoints, options: ExtractOptions): DescribedPoint[] {
  const { limit, thinBursts, faint } = options;
  let extrema = raster.extrema(faint === true ? FAINT_CONTRAST : CONTRAST);
  if (extrema.length < FEW_POINTS) extrema = raster.extrema(FAINT_CONTRAST);
  const points: DescribedPoint[] = [];
  const kept = new Uint32Array(thinBursts ? limit * BITS_STRIDE : 0);
  const isInBurst = ({ portion, at }: DescribedPoint): boolean => {
    const burst = { others: kept, count: points.length, bits: BURST_DISTANCE, enough: BURST_KEPT };
    return countNear(portion.bits, at, burst) === BURST_KEPT;
  };
  for (const extremum of spreadOrder(extrema, raster.width, raster.height)) {
    for (const point of raster.describe(extremum)) {
      if (points.length === limit) return points;
      if (thinBursts) {
        if (isInBurst(point)) continue;
        copyOne(point.portion.bits, point.at, kept, points.length, BITS_STRIDE);
      }
      points.push(point);
    }
  }
  return points;
}

/**
 * Copies entry `i` of an array as entry `j` of another, both of so many numbers. A view of each would cost more than
 * the numbers.
 */
function copyOne<Numbers extends Float32Array | Uint32Array>(
  from: Numbers,
  i: number,
  into: Numbers,
  j: number,
  length: number,
): void {
  for (let k = 0; k < length; k += 1) into[length * j + k] = from[length * i + k]!;
}

/** Points of a raster as features, with copies of their descriptors. */
export function extractionOf(
  { width, height }: Pick<RasterPoints, "width" | "height">,
  points: readonly DescribedPoint[],
): Extraction {
  const count = points.length;
  const column = (): Float32Array => new Float32Array(count);
  const [x, y, size, angle, response] = [column(), column(), column(), column(), column()];
  const bits = new Uint32Array(count * BITS_STRIDE);
  const descriptors = new Float32Array(count * DESCRIPTOR_LENGTH);
  for (let i = 0; i < count; i += 1) {
    const described = points[i]!;
    const { point } = described;
    x[i] = point.x;
    y[i] = point.y;
    size[i] = point.size;
    angle[i] = described.angle;
    response[i] = point.response;
    copyOne(described.portion.bits, described.at, bits, i, BITS_STRIDE);
    copyOne(described.portion.descriptors, described.at, descriptors, i, DESCRIPTOR_LENGTH);
  }
  const features: Features = { width, height, count, x, y, size, angle, response, bits };
  return { features, descriptors };
}

/** Finds, orients and describes the points of a raster, the most useful first. */
export function extractFeatures(luma: Luma, options: ExtractOptions, sift?: Sift): Extraction {
  using raster = new RasterPoints(luma, sift);
  return extractionOf(raster, selectPoints(raster, options));
}
