import { discard } from "../../image/discard.ts";
import type { Luma } from "../../image/luma.ts";
import type { Plane } from "../../image/plane.ts";
import { vectorNoise } from "../../image/vector-noise.ts";
import { vectorShrink } from "../../image/vector-shrink.ts";
import { finestMap } from "../../signature/block-signature.ts";
import { textLikeness } from "../../signature/text-likeness.ts";
import type { Grain } from "./telling.ts";

/**
 * The query's luma at quarter-octave reductions, how noisy it is, and how much it looks like text, each made when first
 * asked for.
 */
export class QueryPlanes implements Grain {
  readonly #luma: Luma;
  readonly quantisation: number;
  #noise: number | null = null;
  #textLikeness: number | null = null;
  readonly #levels = new Map<number, Plane>();
  /** Cells sampled from it so far, all comparisons together: what comparing costs grows with it. */
  sampled = 0;

  constructor(luma: Luma, quantisation: number) {
    this.#luma = luma;
    this.quantisation = quantisation;
  }

  get noise(): number {
    this.#noise ??= vectorNoise(this.#luma);
    return this.#noise;
  }

  /** As `textLikenessOf` an original, 0..1. */
  get textLikeness(): number {
    if (this.#textLikeness === null) {
      const map = finestMap(this.#luma);
      this.#textLikeness = textLikeness(map) / 255;
      discard(map.data);
    }
    return this.#textLikeness;
  }

  get width(): number {
    return this.#luma.width;
  }

  get height(): number {
    return this.#luma.height;
  }

  /** The luma reduced by `factor` (pixels out for pixels in) or a little less, never enlarged. */
  atLeast(factor: number): Plane {
    const level = Math.max(0, Math.floor(-4 * Math.log2(Math.min(1, factor))));
    let plane = this.#levels.get(level);
    if (plane === undefined) {
      const scale = 2 ** (-level / 4);
      plane = vectorShrink(
        this.#luma,
        Math.max(4, Math.round(this.width * scale)),
        Math.max(4, Math.round(this.height * scale)),
      );
      this.#levels.set(level, plane);
    }
    return plane;
  }

  /** Overwrites everything derived from pixels. */
  clear(): void {
    for (const plane of this.#levels.values()) discard(plane.data);
    this.#levels.clear();
  }
}
