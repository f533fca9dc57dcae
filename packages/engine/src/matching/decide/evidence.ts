import { CLEAR, EXACT, GOOD, SAME } from "./levels.ts";
import { type Placed, type Surroundings, surroundings } from "./overlay.ts";
import type { Comparison } from "../compare/compare-layer.ts";
import type { BlockReading } from "../compare/read-blocks.ts";
import { leastEnergy } from "../compare/telling.ts";

/** What block readings say in sum; every figure is a share, an agreement (-1..1) or a count of blocks. */
export interface ResidualStatistics {
  /** Blocks with enough detail in the query to be compared. */
  readonly used: number;
  readonly cellsPerPixel: number;
  readonly fineness: number;
  /** Blocks that look the same at some shift of up to two cells, and their median agreement in place. */
  readonly same: number;
  readonly median: number;
  /** The same over blocks that look only roughly the same. */
  readonly roughlySame: number;
  readonly roughMedian: number;
  /** Blocks that agree in place. */
  readonly good: number;
  /** Blocks that agree in place as far as is asked of a picture's parts beside an overlay: hardly, clearly, exactly. */
  readonly present: number;
  readonly clear: number;
  readonly exact: number;
  /** Agreement in place of the block that agrees least; 1 without blocks. */
  readonly least: number;
  /** Median loss of agreement from the best shift to the place itself; 1 when too few blocks tell. */
  readonly gap: number;
}

const ROUGHLY_SAME = 0.56;
const PRESENT = 0.6;
const GAP_FROM = 0.64;
const MIN_GAPS = 4;

/** The median of the first `count` values; 0 of none. */
function median(values: Float64Array, count: number): number {
  return values.subarray(0, count).toSorted()[count >> 1] ?? 0;
}

/** Room for the values of each block of which a median is taken. */
type Columns = readonly [Float64Array, Float64Array, Float64Array];

/** Sums up the blocks of a comparison whose compared band holds at least `energy`. `columns` are overwritten. */
function summed(
  { blocks, cellsPerPixel, fineness }: Comparison,
  [ofSame, ofRough, gaps]: Columns,
  least: number,
): ResidualStatistics {
  const { inPlace, best, energy, count } = blocks;
  let [used, same, rough, told, good, present, clear, exact, lowest] = [0, 0, 0, 0, 0, 0, 0, 0, 1];
  for (let k = 0; k < count; k += 1) {
    if (energy[k]! < least) continue;
    const place = inPlace[k]!;
    const most = best[k]!;
    used += 1;
    // Each value is kept where the next one overwrites it unless it counts.
    ofSame[same] = place;
    same += Number(most > SAME);
    ofRough[rough] = place;
    rough += Number(most > ROUGHLY_SAME);
    gaps[told] = most - place;
    told += Number(most > GAP_FROM);
    good += Number(place > GOOD);
    present += Number(place > PRESENT);
    clear += Number(place > CLEAR);
    exact += Number(place > EXACT);
    lowest = Math.min(lowest, place);
  }
  return {
    used,
    cellsPerPixel,
    fineness,
    same,
    median: median(ofSame, same),
    roughlySame: rough,
    roughMedian: median(ofRough, rough),
    good,
    present,
    clear,
    exact,
    least: lowest,
    gap: told >= MIN_GAPS ? median(gaps, told) : 1,
  };
}

/** A layer's comparison in sum: over all blocks with detail, over the half and the quarter with most of it, and beside what may be overlays. */
export interface LayerEvidence {
  readonly all: ResidualStatistics;
  readonly half: ResidualStatistics;
  readonly strong: ResidualStatistics;
  readonly beside: Surroundings;
  readonly containment: number;
}

/** The comparison at 192 and at 384 cells; null where the layer or the overlap is missing. */
export interface Layers {
  readonly coarse: LayerEvidence | null;
  readonly fine: LayerEvidence | null;
}

/** What the learned trees make of the signs: the logarithm of the odds, in 1/1024, that the query derives from the original rather than... */
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
  /** The same over `expectedBlocks`; null where the original has more points than are kept, and these do not tell all that it shows. */
  readonly expectedBlocks: { readonly described: Layers; readonly expected: Layers } | null;
  /** The same over the blocks alone in which the query shows something photographed. */
  readonly photographed: Layers;
  readonly odds: Odds;
  /** Of a closer look; null without one. */
  readonly again: FoundAgain | null;
  /** `shownOf` the candidate. */
  readonly shown: number;
  /** `isAllThere` of the candidate. */
  readonly isAllThere: boolean;
  /** `isInset` of the candidate. */
  readonly isInset: boolean;
  /** `jpegQuantisation` and `noiseOf` of the query. */
  readonly quantisation: number;
  readonly noise: number;
  /** `textLikenessOf` the original. */
  readonly textLikeness: number;
  /** Whether it looks printed, at least in part, and the query as well: two forms do, but no photograph beside itself under lettering. */
  readonly areBothPrinted: boolean;
}

/** Where the blocks with detail lie, of an energy of `least` at least, and how they agree. */
function detailed({ x, y, inPlace, energy, count }: BlockReading, columns: Columns, least: number): Placed {
  const [xs, ys, agreement] = columns;
  let kept = 0;
  for (let k = 0; k < count; k += 1) {
    xs[kept] = x[k]!;
    ys[kept] = y[k]!;
    agreement[kept] = inPlace[k]!;
    kept += Number(energy[k]! >= least);
  }
  return { count: kept, x: xs, y: ys, agreement };
}

/** The energy that a share of the blocks does not reach. */
const energyAt = (ascending: Float64Array, share: number): number =>
  ascending[Math.floor(share * ascending.length)] ?? 0;

/** Sums up a comparison. */
export function layerEvidence(comparison: Comparison): LayerEvidence {
  const { energy, count } = comparison.blocks;
  const columns = [new Float64Array(count), new Float64Array(count), new Float64Array(count)] as const;
  const least = leastEnergy(comparison);
  const ascending = energy.toSorted();
  return {
    all: summed(comparison, columns, least),
    half: summed(comparison, columns, Math.max(least, energyAt(ascending, 0.5))),
    strong: summed(comparison, columns, Math.max(least, energyAt(ascending, 0.75))),
    beside: surroundings(detailed(comparison.blocks, columns, least), { bad: GOOD, clear: CLEAR }),
    containment: comparison.containment,
  };
}
