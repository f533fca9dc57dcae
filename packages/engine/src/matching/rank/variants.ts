import type { Features } from "../../features/features.ts";

/** The four variants of a query: as it is, mirrored left to right, contrast-inverted, or both. */
export const VARIANTS = [0, 1, 2, 3] as const;
export type Variant = (typeof VARIANTS)[number];

const isMirrored = (variant: Variant): boolean => (variant & 1) !== 0;
export const isInverted = (variant: Variant): boolean => (variant & 2) !== 0;

/**
 * One byte of a descriptor holds the eight orientations of one cell; a mirror turns orientation o into (8 - o) mod 8.
 */
const MIRRORED_CELL = Uint8Array.from({ length: 256 }, (_, cell) => {
  let turned = 0;
  for (let o = 0; o < 8; o += 1) if ((cell >> o) & 1) turned |= 1 << ((8 - o) & 7);
  return turned;
});

function mirrorRow(row: number): number {
  return (
    (MIRRORED_CELL[row & 0xff]! |
      (MIRRORED_CELL[(row >>> 8) & 0xff]! << 8) |
      (MIRRORED_CELL[(row >>> 16) & 0xff]! << 16) |
      (MIRRORED_CELL[row >>> 24]! << 24)) >>>
    0
  );
}

function reverseCells(row: number): number {
  return ((row << 24) | ((row & 0xff00) << 8) | ((row >>> 8) & 0xff00) | (row >>> 24)) >>> 0;
}

/** The descriptor bits that the mirrored or inverted picture would have had. */
export function variantBits(bits: Uint32Array, count: number, variant: Variant): Uint32Array {
  if (variant === 0) return bits;
  const varied = new Uint32Array(4 * count);
  for (let i = 0; i < count; i += 1) {
    for (let y = 0; y < 4; y += 1) {
      // A mirror and an inversion each turn the rows of cells upside down, so both together leave them in place.
      let row = bits[4 * i + (variant === 3 ? y : 3 - y)]!;
      if (isMirrored(variant)) row = mirrorRow(row);
      if (isInverted(variant)) row = reverseCells(row);
      varied[4 * i + y] = row;
    }
  }
  return varied;
}

/** The features as the mirrored or inverted picture would have had them, in that picture's own coordinates. */
export function variantFeatures(features: Features, variant: Variant): Features {
  if (variant === 0) return features;
  const { count, width } = features;
  let { x, angle } = features;
  if (isMirrored(variant)) {
    x = x.map((value) => width - 1 - value);
    angle = angle.map((value) => Math.PI - value);
  }
  if (isInverted(variant)) angle = angle.map((value) => value + Math.PI);
  return { ...features, x, angle, bits: variantBits(features.bits, count, variant) };
}
