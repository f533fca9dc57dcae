import { discard } from "../image/discard.ts";
import { BITS_STRIDE, binarise } from "../features/binarise.ts";
import type { Features } from "../features/features.ts";
import type { Luma } from "../image/luma.ts";
import { hamming } from "../features/hamming.ts";
import { DESCRIPTOR_LENGTH } from "../features/sift/descriptor.ts";
import type { Extremum } from "../features/sift/extrema.ts";
import type { Octave } from "../features/sift/pyramid.ts";
import type { Sift } from "../features/sift/sift.ts";
import { vectorSift } from "../features/sift/vector-sift.ts";

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

/** Collects oriented, described points until the limit is reached. */
class Collector {
  readonly #bits: Uint32Array;
  readonly #descriptors: Float32Array;
  readonly #points: { point: Extremum; angle: number }[] = [];
  readonly #options: ExtractOptions;
  readonly #sift: Sift;

  constructor(options: ExtractOptions, sift: Sift) {
    this.#options = options;
    this.#sift = sift;
    this.#bits = new Uint32Array(options.limit * BITS_STRIDE);
    this.#descriptors = new Float32Array(options.limit * DESCRIPTOR_LENGTH);
  }

  get full(): boolean {
    return this.#points.length === this.#options.limit;
  }

  add(octave: Octave, point: Extremum): void {
    for (const angle of this.#sift.orientationsOf(octave, point)) {
      if (this.full) return;
      const at = this.#points.length;
      const descriptor = this.#descriptors.subarray(at * DESCRIPTOR_LENGTH, (at + 1) * DESCRIPTOR_LENGTH);
      this.#sift.describe(octave, point, angle, descriptor);
      binarise(descriptor, this.#bits.subarray(at * BITS_STRIDE, (at + 1) * BITS_STRIDE));
      if (!this.#options.thinBursts || !this.#inBurst(at)) this.#points.push({ point, angle });
    }
  }

  /** Whether enough kept points already look like the one at `at`. */
  #inBurst(at: number): boolean {
    let alike = 0;
    for (let i = 0; i < at && alike < BURST_KEPT; i += 1) {
      if (hamming(this.#bits, at, this.#bits, i) <= BURST_DISTANCE) alike += 1;
    }
    return alike === BURST_KEPT;
  }

  finish(width: number, height: number): Extraction {
    const count = this.#points.length;
    const column = (of: (point: Extremum) => number): Float32Array =>
      Float32Array.from(this.#points, ({ point }) => of(point));
    const features: Features = {
      width,
      height,
      count,
      x: column((point) => point.x),
      y: column((point) => point.y),
      size: column((point) => point.size),
      angle: Float32Array.from(this.#points, ({ angle }) => angle),
      response: column((point) => point.response),
      bits: this.#bits.slice(0, count * BITS_STRIDE),
    };
    const descriptors = this.#descriptors.slice(0, count * DESCRIPTOR_LENGTH);
    discard(this.#descriptors);
    this.#bits.fill(0);
    return { features, descriptors };
  }
}

/** Finds, orients and describes the points of a raster, the most useful first. */
export function extractFeatures(luma: Luma, options: ExtractOptions, sift: Sift = vectorSift): Extraction {
  using pyramid = sift.buildPyramid(luma);
  const { octaves } = pyramid;
  let extrema = sift.findExtrema(octaves, options.faint === true ? FAINT_CONTRAST : CONTRAST);
  if (extrema.length < FEW_POINTS) extrema = sift.findExtrema(octaves, FAINT_CONTRAST);
  const collector = new Collector(options, sift);
  for (const point of spreadOrder(extrema, luma.width, luma.height)) {
    if (collector.full) break;
    collector.add(octaves[point.octave]!, point);
  }
  return collector.finish(luma.width, luma.height);
}
