import type { ResidualStatistics } from "./evidence.ts";

/** What the blocks of one layer must show. */
export interface Demand {
  /** The median is taken over blocks that look only roughly the same. */
  readonly rough: boolean;
  readonly median: number;
  readonly gap: number;
  /** Least share of good blocks among the same ones, and among all compared. */
  readonly goodOfSame: number;
  readonly goodOfUsed: number;
}

/** The demand on the coarse layer of a clean query, which most others are variations of. */
export const CLEAN: Demand = { rough: false, median: 0.9, gap: 0.012, goodOfSame: 0.5, goodOfUsed: 0.25 };

/** Whether the blocks meet the demand, at least so many of them good; never without a layer. */
export function meets(s: ResidualStatistics | null | undefined, demand: Demand, fewest = 5): boolean {
  if (s === null || s === undefined) return false;
  const same = demand.rough ? s.roughlySame : s.same;
  return (
    same >= fewest &&
    s.good >= fewest &&
    (demand.rough ? s.roughMedian : s.median) > demand.median &&
    s.gap < demand.gap &&
    s.good > demand.goodOfSame * same &&
    s.good > demand.goodOfUsed * s.used
  );
}
