import { WEAK } from "../../signature/block-kinds.ts";
import type { PlacedPoints } from "../compare/point-agreement.ts";
import { placeOfPoint } from "./block-grid.ts";
import { SAME_POINT } from "./levels.ts";
import { type LookedAt, energyAt } from "./looked-at.ts";
import { beside, connected } from "./neighbours.ts";
import { type Signs, quantile } from "./sign-list.ts";
import { BOLD, UsualEnergy } from "./usual-energy.ts";

/**
 * How blocks agree together with those around them. Sixteen bits say of one block whether it is the same with an error
 * of one in ten and more, and which blocks err hangs on the key; those of a region hardly err.
 */
export interface Regions {
  /** Mean agreement in place of the regions, ascending: each is a block that is asked and the asked ones around it. */
  readonly means: Float64Array;
  /**
   * Regions that show something else than the original: how many, the most beside each other, and how far below the
   * others the blocks of one such group lie together, at most.
   */
  readonly others: number;
  readonly largest: number;
  readonly depth: number;
  /** Of these, those in whose middle is more detail than in the agreeing ones around, and those with no more. */
  readonly bolder: number;
  readonly plainer: number;
  /**
   * Points of the original that are covered; those in regions that agree; those in and beside other ones, and how many
   * of these are found again.
   */
  readonly covered: number;
  readonly inAgreeing: number;
  readonly inOthers: number;
  readonly foundInOthers: number;
}

/** Fewest blocks of a region. */
const FEW = 4;
/** Mean from which a region agrees. */
const AGREES = 0.5;
/** Below this share of what half of all regions reach, one shows something else. */
const OTHER = 0.5;
/** A block speaks for something else by what it lacks to this share. */
const USUAL = 0.8;
/** Steps each way that are around a block. */
const AROUND = 3;

/** The agreement of the block at each place of the grid; NaN where none is asked. */
function agreements({ layer, kinds, grid: { at } }: LookedAt): Float64Array {
  const own = new Float64Array(at.length);
  for (let place = 0; place < own.length; place += 1) {
    const k = at[place]!;
    own[place] = k >= 0 && kinds[k] !== WEAK ? layer.blocks.inPlace[k]! : Number.NaN;
  }
  return own;
}

/** The mean of each place and those around it; NaN where few are asked. */
function meansAround(own: Float64Array, { grid: { columns, rows } }: LookedAt): Float64Array {
  const means = new Float64Array(own.length);
  for (let place = 0, row = 0; row < rows; row += 1) {
    const [top, bottom] = [Math.max(0, row - 1), Math.min(rows - 1, row + 1)];
    for (let column = 0; column < columns; column += 1, place += 1) {
      means[place] = Number.NaN;
      if (Number.isNaN(own[place]!)) continue;
      const [left, right] = [Math.max(0, column - 1), Math.min(columns - 1, column + 1)];
      let [sum, count] = [0, 0];
      for (let y = top; y <= bottom; y += 1) {
        for (let at = y * columns + left; at <= y * columns + right; at += 1) {
          if (Number.isNaN(own[at]!)) continue;
          sum += own[at]!;
          count += 1;
        }
      }
      if (count >= FEW) means[place] = sum / count;
    }
  }
  return means;
}

/** The means that there are, ascending. */
function ascendingOf(means: Float64Array): Float64Array {
  const ascending = new Float64Array(means.length);
  let count = 0;
  for (let place = 0; place < means.length; place += 1) {
    if (Number.isNaN(means[place]!)) continue;
    ascending[count] = means[place]!;
    count += 1;
  }
  return ascending.subarray(0, count).toSorted();
}

type Boldness = Pick<Regions, "bolder" | "plainer">;

/** Whether the middles of regions that show something else are bolder than those around that do not. */
function boldness(isOther: Uint8Array, means: Float64Array, looked: LookedAt): Boldness {
  const energy = new UsualEnergy(looked, AROUND);
  const isSame = (place: number): boolean => !Number.isNaN(means[place]!) && isOther[place] === 0;
  const counts = { bolder: 0, plainer: 0 };
  for (let place = 0; place < isOther.length; place += 1) {
    if (isOther[place] === 0) continue;
    const usual = energy.around(place, isSame);
    if (usual !== null) counts[energyAt(looked, place) > BOLD * usual ? "bolder" : "plainer"] += 1;
  }
  return counts;
}

type PointCounts = Pick<Regions, "covered" | "inAgreeing" | "inOthers" | "foundInOthers">;

/** How the points of the original fare that lie in agreeing regions, and in and beside other ones. */
function countPoints(
  points: PlacedPoints | null,
  isOther: Uint8Array,
  means: Float64Array,
  { layer, grid }: LookedAt,
): PointCounts {
  const counts = { covered: 0, inAgreeing: 0, inOthers: 0, foundInOthers: 0 };
  if (points === null) return counts;
  const isBeside = beside(isOther, grid);
  for (let i = 0; i < points.x.length; i += 1) {
    if (points.covered[i] === 0) continue;
    const place = placeOfPoint(points, i, layer, grid);
    counts.covered += 1;
    counts.inAgreeing += Number(means[place]! > AGREES);
    if (isOther[place] === 0 && isBeside[place] === 0) continue;
    counts.inOthers += 1;
    counts.foundInOthers += Number(points.distance[i]! <= SAME_POINT);
  }
  return counts;
}

/** Looks at the regions of a layer that was compared. `points`: the original's on its map; null without any. */
export function regionsIn(looked: LookedAt, points: PlacedPoints | null): Regions {
  const own = agreements(looked);
  const means = meansAround(own, looked);
  const ascending = ascendingOf(means);
  const half = quantile(ascending, 0.5);
  const isOther = new Uint8Array(means.length);
  for (let place = 0; place < means.length; place += 1) isOther[place] = Number(means[place]! < OTHER * half);
  let [others, largest, depth] = [0, 0, 0];
  for (const group of connected(isOther, looked.grid)) {
    others += group.length;
    largest = Math.max(largest, group.length);
    depth = Math.max(
      depth,
      group.reduce((sum, place) => sum + USUAL * half - own[place]!, 0),
    );
  }
  return {
    means: ascending,
    others,
    largest,
    depth,
    ...boldness(isOther, means, looked),
    ...countPoints(points, isOther, means, looked),
  };
}

const NO_MEANS = new Float64Array(0);

/** Adds how regions agree to the signs. */
export function addRegions(signs: Signs, looked: LookedAt | null, points: PlacedPoints | null): void {
  const r = looked && regionsIn(looked, points);
  const means = r?.means ?? NO_MEANS;
  signs.share("least", quantile(means, 0), 1);
  signs.share("twentieth", quantile(means, 0.05), 1);
  signs.share("tenth", quantile(means, 0.1), 1);
  signs.share("quarter", quantile(means, 0.25), 1);
  signs.share("half", quantile(means, 0.5), 1);
  signs.share("twentieth-of-half", quantile(means, 0.05), quantile(means, 0.5));
  signs.count("others", r?.others);
  signs.share("others-of-all", r?.others, means.length);
  signs.count("largest", r?.largest);
  signs.count("depth", r?.depth);
  signs.count("bolder", r?.bolder);
  signs.count("plainer", r?.plainer);
  signs.share("points-in-agreeing", r?.inAgreeing, r?.covered);
  signs.share("points-in-others", r?.inOthers, r?.covered);
  signs.share("found-in-others", r?.foundInOthers, r?.inOthers);
}
