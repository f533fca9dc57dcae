import { kindsOf } from "../compare/block-kinds.ts";
import type { LayerParts } from "../compare/parts.ts";
import { leastEnergy } from "../compare/telling.ts";
import { type BlockGrid, blockGrid } from "./block-grid.ts";

/** One layer that was compared, with what all its signs are made from. */
export interface LookedAt {
  readonly layer: LayerParts;
  /** What each block of the query shows. */
  readonly kinds: Uint8Array;
  readonly grid: BlockGrid;
}

export function lookAt(layer: LayerParts): LookedAt {
  return {
    layer,
    kinds: kindsOf(layer.measures, layer.blocks.energy, leastEnergy(layer)),
    grid: blockGrid(layer),
  };
}
