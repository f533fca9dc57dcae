import type { Features } from "../../features/features.ts";
import { applyMap } from "../../geometry/planar-map.ts";
import { rescaleAll } from "../../geometry/rescale.ts";
import { LIMITS } from "../limits.ts";
import { leastEnergy } from "./telling.ts";
import type { BlockReading } from "./read-blocks.ts";
import type { Comparison } from "./compare-layer.ts";
import type { Query } from "../../packet/query.ts";

const { energy: MIN_ENERGY, pointReach, stillThere } = LIMITS.compare;

interface Positions {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/** The numbers of the places that have one of the others within `reach` of them, across and down. */
function near(places: Positions, others: Positions, reach: number): number[] {
  return Array.from(places.x, (_, k) => k).filter((k) => {
    for (let other = 0; other < others.x.length; other += 1) {
      if (
        Math.abs(others.x[other]! - places.x[k]!) <= reach &&
        Math.abs(others.y[other]! - places.y[k]!) <= reach
      ) {
        return true;
      }
    }
    return false;
  });
}

function chosen({ x, y }: Positions, numbers: readonly number[]): Positions {
  return { x: numbers.map((k) => x[k]!), y: numbers.map((k) => y[k]!) };
}

/** The query's points where the comparison puts them, cells. */
function broughtOver({ map }: Comparison, { features, luma }: Pick<Query, "features" | "luma">): Positions {
  const x = rescaleAll(features.x, features.width, luma.width);
  const y = rescaleAll(features.y, features.height, luma.height);
  const moved = Array.from(x, (at, k) => applyMap(map, at, y[k]!));
  return { x: moved.map((at) => at.x), y: moved.map((at) => at.y) };
}

function valuesOf(values: Float64Array, numbers: readonly number[]): Float64Array {
  const kept = new Float64Array(numbers.length);
  for (let at = 0; at < kept.length; at += 1) kept[at] = values[numbers[at]!]!;
  return kept;
}

/** The blocks of these numbers. */
export function chosenBlocks(blocks: BlockReading, numbers: readonly number[]): BlockReading {
  return {
    count: numbers.length,
    inPlace: valuesOf(blocks.inPlace, numbers),
    best: valuesOf(blocks.best, numbers),
    shiftX: valuesOf(blocks.shiftX, numbers),
    shiftY: valuesOf(blocks.shiftY, numbers),
    energy: valuesOf(blocks.energy, numbers),
    x: valuesOf(blocks.x, numbers),
    y: valuesOf(blocks.y, numbers),
  };
}

function extended(values: Float64Array, more: ArrayLike<number>): Float64Array {
  const column = new Float64Array(values.length + more.length);
  column.set(values);
  column.set(Array.from(more), values.length);
  return column;
}

/** The blocks and further ones at `emptied`; these, and whatever has too little energy to be compared, count as disagreeing. */
function withEmptied(blocks: BlockReading, emptied: Positions, least: number): BlockReading {
  const nothing = new Float64Array(emptied.x.length);
  const isFaint = blocks.energy.map((energy) => Number(energy < MIN_ENERGY));
  const agreement = (values: Float64Array): Float64Array =>
    extended(
      values.map((value, k) => (isFaint[k] ? 0 : value)),
      nothing,
    );
  return {
    count: blocks.count + emptied.x.length,
    inPlace: agreement(blocks.inPlace),
    best: agreement(blocks.best),
    shiftX: extended(blocks.shiftX, nothing),
    shiftY: extended(blocks.shiftY, nothing),
    energy: extended(blocks.energy, nothing).map((energy) => (energy < MIN_ENERGY ? least : energy)),
    x: extended(blocks.x, emptied.x),
    y: extended(blocks.y, emptied.y),
  };
}

/** A comparison confined to the blocks that the original's points describe. */
export interface ExpectedBlocks {
  readonly described: Comparison;
  /**
   * The same, and the blocks in which the original has a point and the query neither a point nor anything else. They count as
   * disagreeing: what the original shows there is gone.
   */
  readonly expected: Comparison;
}

/**
 * Confines a comparison to the blocks in which the original has points. Where these are all the points it has, they tell where it
 * shows anything; what the query shows elsewhere lies on plain ground.
 */
export function expectedBlocks(
  comparison: Comparison,
  original: Features,
  query: Pick<Query, "features" | "luma">,
): ExpectedBlocks {
  const { blocks, plain, layer } = comparison;
  const points: Positions = {
    x: rescaleAll(original.x, original.width, layer.width),
    y: rescaleAll(original.y, original.height, layer.height),
  };
  const still = new Set(
    near(points, broughtOver(comparison, query), stillThere * Math.max(layer.width, layer.height)),
  );
  const gone = chosen(
    points,
    Array.from(points.x, (_, k) => k).filter((k) => !still.has(k)),
  );
  const described = { ...comparison, blocks: chosenBlocks(blocks, near(blocks, points, pointReach)) };
  const emptied = chosen(plain, near(plain, gone, pointReach));
  return {
    described,
    expected: { ...comparison, blocks: withEmptied(described.blocks, emptied, leastEnergy(comparison)) },
  };
}
