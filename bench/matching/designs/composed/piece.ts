import type { Random } from "@colophon/testing/pictures.ts";
import type { Box, Style } from "../drawing.ts";

/** Where a piece goes, and in what letters and colours. */
export interface Area extends Box {
  readonly style: Style;
  /** Draws what all members say. */
  readonly random: Random;
}

/** A part of a page: what all members say in an area, and what each says there. */
export interface Piece {
  readonly form: string;
  readonly says: (random: Random) => string;
}

export type MakePiece = (area: Area) => Piece;

export const nothing = (): string => "";

/** A piece that says the same in all members. */
export const fixed = (form: string): Piece => ({ form, says: nothing });

/** How many rows of about this height fit, from 1 to `most`. */
export function rowsIn({ height }: Box, row: number, most: number): number {
  return Math.max(1, Math.min(most, Math.floor(height / row)));
}
