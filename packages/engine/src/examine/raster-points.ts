import { BITS_STRIDE, binarise } from "../features/binarise.ts";
import { DESCRIPTOR_LENGTH } from "../features/sift/descriptor.ts";
import { type Extremum, reaches } from "../features/sift/extrema.ts";
import type { Pyramid } from "../features/sift/pyramid.ts";
import type { Sift } from "../features/sift/sift.ts";
import { vectorSift } from "../features/sift/vector-sift.ts";
import type { Luma } from "../image/luma.ts";

/** A point at one of its orientations. */
export interface DescribedPoint {
  readonly point: Extremum;
  /** Radians, as `Features.angle`. */
  readonly angle: number;
  /** Where its descriptor is, and which one it is there. */
  readonly portion: Portion;
  readonly at: number;
}

/** Descriptors side by side. */
export interface Portion {
  /** RootSIFT, `DESCRIPTOR_LENGTH` each, order [y][x][direction]. */
  readonly descriptors: Float32Array;
  /** Their 128 bits, `BITS_STRIDE` words each. */
  readonly bits: Uint32Array;
}

/** Descriptors of a portion. */
const PORTION = 512;
/** Portions kept for the next raster: what a picture's 2,000 points take. A quarter of a megabyte each. */
const MOST_SPARE = 6;

/** Portions that nothing is in, all zeros. */
const spare: Portion[] = [];

function emptyPortion(): Portion {
  return (
    spare.pop() ?? {
      descriptors: new Float32Array(PORTION * DESCRIPTOR_LENGTH),
      bits: new Uint32Array(PORTION * BITS_STRIDE),
    }
  );
}

/**
 * The scale space of a raster and what was found in it: a point is oriented and described once, however many ask for
 * it. Only one may be open at a time. Disposing it zeroes all that shows the picture.
 */
export class RasterPoints implements Disposable {
  readonly width: number;
  readonly height: number;
  readonly #sift: Sift;
  readonly #pyramid: Pyramid;
  readonly #described = new Map<Extremum, readonly DescribedPoint[]>();
  readonly #portions: Portion[] = [];
  readonly #descriptor = new Float32Array(DESCRIPTOR_LENGTH);
  #count = 0;
  #found: { readonly contrast: number; readonly extrema: readonly Extremum[] } | null = null;

  constructor(luma: Luma, sift: Sift = vectorSift) {
    this.width = luma.width;
    this.height = luma.height;
    this.#sift = sift;
    this.#pyramid = sift.buildPyramid(luma);
  }

  /** Extrema of at least a contrast (OpenCV's scale): those among fainter ones, if these were asked for before. */
  extrema(contrast: number): readonly Extremum[] {
    if (this.#found === null || contrast < this.#found.contrast) {
      this.#found = { contrast, extrema: this.#sift.findExtrema(this.#pyramid.octaves, contrast) };
    }
    const { extrema } = this.#found;
    return contrast === this.#found.contrast ? extrema : extrema.filter((each) => reaches(each, contrast));
  }

  /** A point of `extrema` at each of its orientations; valid until this is disposed. */
  describe(point: Extremum): readonly DescribedPoint[] {
    const known = this.#described.get(point);
    if (known !== undefined) return known;
    const octave = this.#pyramid.octaves[point.octave]!;
    const described = this.#sift.orientationsOf(octave, point).map((angle) => {
      this.#sift.describe(octave, point, angle, this.#descriptor);
      const at = this.#count % PORTION;
      if (at === 0) this.#portions.push(emptyPortion());
      this.#count += 1;
      const portion = this.#portions.at(-1)!;
      portion.descriptors.set(this.#descriptor, at * DESCRIPTOR_LENGTH);
      binarise(this.#descriptor, portion.bits, at);
      return { point, angle, portion, at };
    });
    this.#described.set(point, described);
    return described;
  }

  [Symbol.dispose](): void {
    this.#pyramid[Symbol.dispose]();
    this.#descriptor.fill(0);
    for (const portion of this.#portions) {
      portion.descriptors.fill(0);
      portion.bits.fill(0);
      if (spare.length < MOST_SPARE) spare.push(portion);
    }
    this.#described.clear();
  }
}
