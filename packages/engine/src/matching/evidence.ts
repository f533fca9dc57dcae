import type { Comparison } from "./residual-comparison.ts";

/** What block readings say in sum; every figure is a share, an agreement (-1..1) or a count of blocks. */
export interface ResidualStatistics {
  readonly used: number;
  readonly overlapped: number;
  readonly total: number;
  readonly cellsPerPixel: number;
  /** Blocks that look the same at some shift of up to two cells, and their median agreement in place. */
  readonly same: number;
  readonly median: number;
  /** The same over blocks that look only roughly the same. */
  readonly roughlySame: number;
  readonly roughMedian: number;
  /** Blocks that agree in place. */
  readonly good: number;
  /** Median loss of agreement from the best shift to the place itself. */
  readonly gap: number;
  /** Lower quartile of the agreement in place over the same blocks. */
  readonly lowerQuartile: number;
}

const SAME = 0.67;
const ROUGHLY_SAME = 0.56;
const GOOD = 0.49;
const GAP_FROM = 0.64;

const quantile = (sorted: Float64Array, share: number): number =>
  sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;

/** Sums up a comparison. */
export function statistics({ blocks, overlapped, total, cellsPerPixel }: Comparison): ResidualStatistics {
  const { count, inPlace, best } = blocks;
  const over = (floor: number, value: (k: number) => number): Float64Array => {
    const kept: number[] = [];
    for (let k = 0; k < count; k += 1) if (best[k]! > floor) kept.push(value(k));
    return Float64Array.from(kept).toSorted();
  };
  const same = over(SAME, (k) => inPlace[k]!);
  const rough = over(ROUGHLY_SAME, (k) => inPlace[k]!);
  const gaps = over(GAP_FROM, (k) => best[k]! - inPlace[k]!);
  return {
    used: count,
    overlapped,
    total,
    cellsPerPixel,
    same: same.length,
    median: quantile(same, 0.5),
    roughlySame: rough.length,
    roughMedian: quantile(rough, 0.5),
    good: inPlace.reduce((sum, value) => sum + (value > GOOD ? 1 : 0), 0),
    gap: gaps.length >= 4 ? quantile(gaps, 0.5) : 1,
    lowerQuartile: quantile(same, 0.25),
  };
}
