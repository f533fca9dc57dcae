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

export function blockGrid(layer: LayerParts): BlockGrid {
  const { columns, bits, kind, height } = layer.layer;
  const rows = bits.length > 0 ? bits.length / columns : Math.floor((height - BLOCK - 4) / kind.step) + 1;
  const at = new Int16Array(columns * rows).fill(UNSEEN);
  const plainAt = new Int16Array(columns * rows).fill(-1);
  const numberAt = (x: number, y: number): number => {
    const first = blockStart(0, kind) + (BLOCK - 1) / 2;
    return Math.round((y - first) / kind.step) * columns + Math.round((x - first) / kind.step);
  };
  for (let k = 0; k < layer.plain.x.length; k += 1) {
    const place = numberAt(layer.plain.x[k]!, layer.plain.y[k]!);
    at[place] = PLAIN;
    plainAt[place] = k;
  }
  for (let k = 0; k < layer.blocks.count; k += 1) at[numberAt(layer.blocks.x[k]!, layer.blocks.y[k]!)] = k;
  return { columns, rows, at, plainAt };
}

/** The step of the grid that a point lies at, the nearest one for points at the rim. */
export function placeOfPoint(
  { x, y }: PlacedPoints,
  point: number,
  { layer: { kind } }: LayerParts,
  { columns, rows }: BlockGrid,
): number {
  const first = blockStart(0, kind) + (BLOCK - 1) / 2;
  const column = Math.min(columns - 1, Math.max(0, Math.round((x[point]! - first) / kind.step)));
  const row = Math.min(rows - 1, Math.max(0, Math.round((y[point]! - first) / kind.step)));
  return row * columns + column;
}
