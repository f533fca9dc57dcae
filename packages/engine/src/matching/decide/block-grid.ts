import type { LayerParts } from "../compare/parts.ts";
import type { PlacedPoints } from "../compare/point-agreement.ts";
import { BLOCK } from "../../signature/projections.ts";
import { blockStart } from "../../signature/block-signature.ts";

/** Why there is no block at a step of a grid: the query does not cover it, or shows nothing there. */
export const UNSEEN = -1;
export const PLAIN = -2;

export interface BlockGrid {
  readonly columns: number;
  readonly rows: number;
  /** For each step of the layer's grid the block that is there, or why there is none. */
  readonly at: Int16Array;
  /** For each step the number of the plain block that is there; -1 without one. */
  readonly plainAt: Int16Array;
}

/** The step across or down, beyond the grid too, whose block's centre is nearest to a coordinate, cells. */
function stepAt(coordinate: number, kind: LayerParts["layer"]["kind"]): number {
  const first = blockStart(0, kind) + (BLOCK - 1) / 2;
  return Math.round((coordinate - first) / kind.step);
}

export function blockGrid(layer: LayerParts): BlockGrid {
  const { columns, bits, kind, height } = layer.layer;
  const rows = bits.length > 0 ? bits.length / columns : Math.floor((height - BLOCK - 4) / kind.step) + 1;
  const at = new Int16Array(columns * rows).fill(UNSEEN);
  const plainAt = new Int16Array(columns * rows).fill(-1);
  for (let k = 0; k < layer.plain.x.length; k += 1) {
    const place = stepAt(layer.plain.y[k]!, kind) * columns + stepAt(layer.plain.x[k]!, kind);
    at[place] = PLAIN;
    plainAt[place] = k;
  }
  for (let k = 0; k < layer.blocks.count; k += 1) {
    at[stepAt(layer.blocks.y[k]!, kind) * columns + stepAt(layer.blocks.x[k]!, kind)] = k;
  }
  return { columns, rows, at, plainAt };
}

/** The step of the grid that a point lies at, the nearest one for points at the rim. */
export function placeOfPoint(
  { x, y }: PlacedPoints,
  point: number,
  { layer: { kind } }: LayerParts,
  { columns, rows }: BlockGrid,
): number {
  const column = Math.min(columns - 1, Math.max(0, stepAt(x[point]!, kind)));
  const row = Math.min(rows - 1, Math.max(0, stepAt(y[point]!, kind)));
  return row * columns + column;
}
