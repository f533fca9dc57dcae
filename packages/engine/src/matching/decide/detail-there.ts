import type { DescribedAgain } from "../compare/describe-again.ts";
import { type Signs, quantile } from "./sign-list.ts";

/** Differing bits more than half of all points differ by up to which a point is as it was. */
const AS_IT_WAS = 4;
/**
 * Of what points have that are as they were: with less of the original's own detail, what it shows there is gone; with
 * more detail in all, something lies over it.
 */
const GONE = 0.5;
const OVER = 1.2;
/** The scale of a sign: as much as usual is 64. */
const USUAL = 64;

const onScale = (ratio: number): number => Math.min(255, Math.round(USUAL * ratio));

/**
 * Detail beside what is usual, ascending: all of it, that which lies where the original has some, and the share that
 * this is.
 */
interface Detail {
  readonly all: Float64Array;
  readonly own: Float64Array;
  readonly share: Float64Array;
}

function median(values: readonly number[]): number {
  return quantile(Float64Array.from(values).toSorted(), 0.5);
}

const ratios = (values: readonly number[], usual: number): Float64Array =>
  Float64Array.from(values, (value) => (usual > 0 ? value / usual : 0)).toSorted();

/**
 * How much detail the query has where the original's points look like something else. What is laid over a picture adds
 * to its detail and leaves its own; what is exchanged has as much, elsewhere; what is missing has less.
 */
export class DetailThere {
  readonly #again: DescribedAgain;
  readonly #covered: readonly number[];
  readonly #usual: { readonly all: number; readonly own: number; readonly share: number };

  /** `usual`: differing bits that half of all points do not exceed. */
  constructor(again: DescribedAgain, usual: number) {
    this.#again = again;
    this.#covered = [...again.covered.keys()].filter((i) => again.covered[i] === 1);
    const same = this.#covered.filter((i) => again.distance[i]! <= usual + AS_IT_WAS);
    const { detail, kept } = again;
    this.#usual = {
      all: median(same.map((i) => detail[i]!)),
      own: median(same.map((i) => detail[i]! * kept[i]!)),
      share: median(same.map((i) => kept[i]!)),
    };
  }

  /** Of points that differ by more bits. */
  beyond(bits: number): Detail {
    const { distance, detail, kept } = this.#again;
    const some = this.#covered.filter((i) => distance[i]! > bits);
    return {
      all: ratios(
        some.map((i) => detail[i]!),
        this.#usual.all,
      ),
      own: ratios(
        some.map((i) => detail[i]! * kept[i]!),
        this.#usual.own,
      ),
      share: ratios(
        some.map((i) => kept[i]!),
        this.#usual.share,
      ),
    };
  }
}

const quantileOnScale = (values: Float64Array | undefined, share: number): number =>
  values === undefined ? 0 : onScale(quantile(values, share));

/** Adds it to the signs; null without a closer look. */
export function addDetail(signs: Signs, detail: Detail | null): void {
  for (const [name, share] of [
    ["quarter", 0.25],
    ["half", 0.5],
    ["most", 0.75],
  ] as const) {
    signs.add(`detail.${name}`, quantileOnScale(detail?.all, share));
    signs.add(`own.${name}`, quantileOnScale(detail?.own, share));
  }
  signs.add("own-share", quantileOnScale(detail?.share, 0.5));
  const gone = detail?.own.filter((ratio) => ratio < GONE).length ?? 0;
  const over = detail?.all.filter((ratio) => ratio > OVER).length ?? 0;
  signs.count("gone", gone);
  signs.count("over", over);
  signs.share("gone-of-all", gone, detail?.own.length);
  signs.share("over-of-all", over, detail?.all.length);
  signs.count("both", Math.min(gone, over));
}
