import type { ResidualStatistics } from "./evidence.ts";

/** What is known of one placed candidate. */
export interface Evidence {
  /** Distinct cells that agreeing points occupy. */
  readonly support: number;
  /** The comparison at 192 and at 384 cells; null where the layer or the overlap is missing. */
  readonly coarse: ResidualStatistics | null;
  readonly fine: ResidualStatistics | null;
  /** `jpegCoarseness` of the query. */
  readonly coarseness: number;
}

/** Fewer agreeing cells than this are never a match. */
export const MIN_SUPPORT = 8;
/** Coarser quantisation than this (about JPEG quality 62) calls a query degraded. */
const MILD_COARSENESS = 10;
/** With fewer comparable blocks than this the finer layer decides. */
const FEW_BLOCKS = 40;

function isStrict(s: ResidualStatistics): boolean {
  return (
    s.same >= 5 &&
    s.median > 0.96 &&
    s.good >= 5 &&
    s.good > 0.5 * s.same &&
    s.good > 0.25 * s.used &&
    s.gap < 0.012
  );
}

function isLoose(s: ResidualStatistics): boolean {
  return (
    s.roughlySame >= 5 &&
    s.roughMedian > 0.91 &&
    s.good >= 5 &&
    s.good > 0.5 * s.roughlySame &&
    s.good > 0.25 * s.used &&
    s.gap < 0.012
  );
}

/** Whether the evidence shows that the query derives from the original, rather than from another photograph of the same scene. */
export function isDerived({ support, coarse, fine, coarseness }: Evidence): boolean {
  if (support < MIN_SUPPORT) return false;
  const useFine =
    fine !== null && (coarse === null || coarse.used < FEW_BLOCKS) && fine.used > (coarse?.used ?? 0);
  const s = useFine ? fine : coarse;
  if (s === null) return false;
  const isDegraded = coarseness > MILD_COARSENESS || s.cellsPerPixel > 1;
  const passes = isDegraded || s.used < FEW_BLOCKS ? isLoose(s) : isStrict(s);
  return passes && (s.good >= 15 || support >= 12) && (support > 10 || s.good >= 0.5 * s.used);
}
