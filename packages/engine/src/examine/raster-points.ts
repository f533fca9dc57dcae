import { BITS_STRIDE, binarise } from "../features/binarise.ts";
import { DESCRIPTOR_LENGTH } from "../features/sift/descriptor.ts";
import { type Extremum, reaches } from "../features/sift/extrema.ts";
import type { Pyramid } from "../features/sift/pyramid.ts";
import type { Sift } from "../features/sift/sift.ts";
import { vectorSift } from "../features/sift/vector-sift.ts";
import { discard } from "../image/discard.ts";
import type { Luma } from "../image/luma.ts";

/** A point at one of its orientations. */
export interface DescribedPoint {
  readonly point: Extremum;
  /** Radians, as `Features.angle`. */
  readonly angle: number;
  /** RootSIFT, order [y][x][direction]. */
  readonly descriptor: Float32Array;
  /** The descriptor's 128 bits. */
  readonly bits: Uint32Array;
}

/** Descriptors that are kept side by side. */
const PORTION = 512;

/**
 * The scale space of a raster and what was found in it: a point is oriented and described once, however many ask for it. Only one may be
 * open at a time. Disposing it zeroes all that shows the picture.
 */
export class RasterPoints implements Disposable {
  readonly width: number;
  readonly height: number;
  readonly #sift: Sift;
  readonly #pyramid: Pyramid;
  readonly #described = new Map<Extremum, readonly DescribedPoint[]>();
  readonly #descriptors: Float32Array[] = [];
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
      const descriptor = this.#nextDescriptor();
      this.#sift.describe(octave, point, angle, descriptor);
      const bits = new Uint32Array(BITS_STRIDE);
      binarise(descriptor, bits);
      return { point, angle, descriptor, bits };
    });
    this.#described.set(point, described);
    return described;
  }

  #nextDescriptor(): Float32Array {
    const at = this.#count % PORTION;
    if (at === 0) this.#descriptors.push(new Float32Array(PORTION * DESCRIPTOR_LENGTH));
    this.#count += 1;
    return this.#descriptors.at(-1)!.subarray(at * DESCRIPTOR_LENGTH, (at + 1) * DESCRIPTOR_LENGTH);
  }

  [Symbol.dispose](): void {
    this.#pyramid[Symbol.dispose]();
    for (const portion of this.#descriptors) discard(portion);
    for (const points of this.#described.values()) for (const { bits } of points) bits.fill(0);
    this.#described.clear();
  }
}
