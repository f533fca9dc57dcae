import { CLEAR, GOOD, SAME } from "./levels.ts";
import type { Comparison } from "../compare/compare-layer.ts";
import type { BlockReading } from "../compare/read-blocks.ts";
import { leastEnergy } from "../compare/telling.ts";
import { BLOCK } from "../../signature/projections.ts";

/** What block readings say in sum; every figure is a share, an agreement (-1..1) or a count of blocks. */
export interface ResidualStatistics {
  /** Blocks with enough detail in the query to be compared. */
  readonly used: number;
  readonly cellsPerPixel: number;
  readonly fineness: number;
  /** Blocks that look the same at some shift of up to two cells, and their median agreement in place. */
  readonly same: number;
  readonly median: number;
  /** Blocks that agree in place, and those that do so clearly. */
  readonly good: number;
  readonly clear: number;
  /** Agreement in place of the block that agrees least; 1 without blocks. */
  readonly least: number;
  /** Median loss of agreement from the best shift to the place itself; 1 when too few blocks tell. */
  readonly gap: number;
}

const GAP_FROM = 0.64;
const MIN_GAPS = 4;
/** Blocks no further apart than this lie near each other, cells. */
const NEAR = 2 * BLOCK;

/** The median of the first `count` values; 0 of none. */
function median(values: Float64Array, count: number): number {
  return values.subarray(0, count).toSorted()[count >> 1] ?? 0;
}

/** Sums up the blocks of a comparison whose compared band holds at least `least`. */
function summed({ blocks, cellsPerPixel, fineness }: Comparison, least: number): ResidualStatistics {
  const { inPlace, best, energy, count } = blocks;
  const ofSame = new Float64Array(count);
  const gaps = new Float64Array(count);
  let [used, same, told, good, clear, lowest] = [0, 0, 0, 0, 0, 1];
  for (let k = 0; k < count; k += 1) {
    if (energy[k]! < least) continue;
    const place = inPlace[k]!;
    const most = best[k]!;
    used += 1;
    // Each value is kept where the next one overwrites it unless it counts.
    ofSame[same] = place;
    same += Number(most > SAME);
    gaps[told] = most - place;
    told += Number(most > GAP_FROM);
    good += Number(place > GOOD);
    clear += Number(place > CLEAR);
    lowest = Math.min(lowest, place);
  }
  return {
    used,
    cellsPerPixel,
    fineness,
    same,
    median: median(ofSame, same),
    good,
    clear,
    least: lowest,
    gap: told >= MIN_GAPS ? median(gaps, told) : 1,
  };
}

/**
 * Whether two blocks that disagree lie near each other: coding spoils single ones, something else spoils neighbours.
 */
function areDisagreeingNear({ x, y, inPlace, energy, count }: BlockReading, least: number): boolean {
  const strange: number[] = [];
  for (let k = 0; k < count; k += 1) {
    if (energy[k]! < least || inPlace[k]! >= GOOD) continue;
    if (strange.some((n) => Math.max(Math.abs(x[n]! - x[k]!), Math.abs(y[n]! - y[k]!)) <= NEAR)) return true;
    strange.push(k);
  }
  return false;
}

/** A layer's comparison in sum, over all blocks with detail. */
export interface LayerEvidence {
  readonly all: ResidualStatistics;
  /** Whether blocks that disagree lie near each other. */
  readonly isSpoilt: boolean;
  readonly containment: number;
}

/** The comparison at 192 and at 384 cells; null where the layer or the overlap is missing. */
export interface Layers {
  readonly coarse: LayerEvidence | null;
  readonly fine: LayerEvidence | null;
}

/**
 * What the learned trees make of the signs: the logarithm of the odds, in 1/1024, that the query derives from the
 * original rather than...
 */
export interface Odds {
  /** ...sharing a part with it: an overlay, a template, a form, one photograph of several. */
  readonly part: number;
  /** ...being another photograph of the scene. */
  readonly scene: number;
}

/** How many of the original's points the query covers, and of these how many look in it as they did. */
export interface FoundAgain {
  readonly covered: number;
  readonly same: number;
}

/** What is known of one placed candidate. */
export interface Evidence extends Layers {
  /** `Placement.inliers`. */
  readonly inliers: number;
  /**
   * The same over `describedBlocks`, of what `isInset`; null where the original has more points than are kept, and
   * these do not tell all that it shows.
   */
  readonly described: Layers | null;
  readonly odds: Odds;
  /** Of a closer look; null without one. */
  readonly again: FoundAgain | null;
  /** `shownOf` the candidate. */
  readonly shown: number;
  /** `isInset` of the candidate. */
  readonly isInset: boolean;
  /** `jpegQuantisation` and `noiseOf` of the query. */
  readonly quantisation: number;
  readonly noise: number;
  /** `textLikenessOf` the original. */
  readonly textLikeness: number;
  /**
   * Whether it looks printed, at least in part, and the query as well: two forms do, but no photograph beside itself
   * under lettering.
   */
  readonly areBothPrinted: boolean;
}

/** Sums up a comparison. */
export function layerEvidence(comparison: Comparison): LayerEvidence {
  const least = leastEnergy(comparison);
  return {
    all: summed(comparison, least),
    isSpoilt: areDisagreeingNear(comparison.blocks, least),
    containment: comparison.containment,
  };
}
