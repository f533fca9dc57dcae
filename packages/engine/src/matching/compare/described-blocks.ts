import type { Features } from "../../features/features.ts";
import { rescaleAll } from "../../geometry/rescale.ts";
import { LIMITS } from "../limits.ts";
import type { Comparison } from "./compare-layer.ts";
import type { BlockReading } from "./read-blocks.ts";

const { pointReach } = LIMITS.compare;

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

function valuesOf(values: Float64Array, numbers: readonly number[]): Float64Array {
  const kept = new Float64Array(numbers.length);
  for (let at = 0; at < kept.length; at += 1) kept[at] = values[numbers[at]!]!;
  return kept;
}

/** The blocks of these numbers. */
function chosenBlocks(blocks: BlockReading, numbers: readonly number[]): BlockReading {
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

/**
 * Confines a comparison to the blocks in which the original has points. Where these are all the points it has, they
 * tell where it shows anything; what the query shows elsewhere lies on plain ground.
 */
export function describedBlocks(comparison: Comparison, original: Features): Comparison {
  const { blocks, layer } = comparison;
  const points: Positions = {
    x: rescaleAll(original.x, original.width, layer.width),
    y: rescaleAll(original.y, original.height, layer.height),
  };
  return { ...comparison, blocks: chosenBlocks(blocks, near(blocks, points, pointReach)) };
}
