import { WEAK, kindsOf } from "../../signature/block-kinds.ts";
import type { LayerParts } from "../compare/parts.ts";
import { leastEnergy } from "../compare/telling.ts";
import type { PlacedPoints } from "../compare/point-agreement.ts";
import { type BlockGrid, PLAIN, blockGrid, placeOfPoint } from "./block-grid.ts";

/** One layer that was compared, with what all its signs are made from. */
export interface LookedAt {
  readonly layer: LayerParts;
  /**
   * What each block of the query shows; those weak in which the original shows nothing: their bits are key stream, and
   * agree by chance.
   */
  readonly kinds: Uint8Array;
  readonly grid: BlockGrid;
  /** For each place of the grid 1 where the query shows something and the original nothing. */
  readonly isAdded: Uint8Array;
}

export function lookAt(layer: LayerParts): LookedAt {
  const kinds = kindsOf(layer.measures, layer.blocks.energy, leastEnergy(layer));
  const grid = blockGrid(layer);
  const isAdded = new Uint8Array(grid.at.length);
  for (let place = 0; place < isAdded.length; place += 1) {
    const k = grid.at[place]!;
    if (k < 0 || layer.isEmpty[place] !== 1) continue;
    isAdded[place] = Number(kinds[k] !== WEAK);
    kinds[k] = WEAK;
  }
  return { layer, kinds, grid, isAdded };
}

/** The energy of the query at a place of the grid; 0 where it is not seen. */
export function energyAt({ layer, grid }: LookedAt, place: number): number {
  const k = grid.at[place]!;
  if (k >= 0) return layer.blocks.energy[k]!;
  return k === PLAIN ? layer.plain.energy[grid.plainAt[place]!]! : 0;
}

/** What the block shows in which a point lies; weak where none was compared. */
export function kindAt({ layer, kinds, grid }: LookedAt, points: PlacedPoints, i: number): number {
  const block = grid.at[placeOfPoint(points, i, layer, grid)]!;
  return block < 0 ? WEAK : kinds[block]!;
}
