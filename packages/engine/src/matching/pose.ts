import type { Features } from "../features.ts";

/** The four readings of a query: as it is, mirrored left to right, contrast-inverted, or both. */
export const POSES = [0, 1, 2, 3] as const;
export type Pose = (typeof POSES)[number];

const isMirrored = (pose: Pose): boolean => (pose & 1) !== 0;
const isInverted = (pose: Pose): boolean => (pose & 2) !== 0;

/** One byte of a descriptor holds the eight orientations of one cell; a mirror turns orientation o into (8 - o) mod 8. */
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
export function poseBits(bits: Uint32Array, count: number, pose: Pose): Uint32Array {
  if (pose === 0) return bits;
  const posed = new Uint32Array(4 * count);
  for (let i = 0; i < count; i += 1) {
    for (let y = 0; y < 4; y += 1) {
      // A mirror and an inversion each turn the rows of cells upside down, so both together leave them in place.
      let row = bits[4 * i + (pose === 3 ? y : 3 - y)]!;
      if (isMirrored(pose)) row = mirrorRow(row);
      if (isInverted(pose)) row = reverseCells(row);
      posed[4 * i + y] = row;
    }
  }
  return posed;
}

/** The features as the mirrored or inverted picture would have had them, in that picture's own coordinates. */
export function poseFeatures(features: Features, pose: Pose): Features {
  if (pose === 0) return features;
  const { count, width } = features;
  let { x, angle } = features;
  if (isMirrored(pose)) {
    x = x.map((value) => width - 1 - value);
    angle = angle.map((value) => Math.PI - value);
  }
  if (isInverted(pose)) angle = angle.map((value) => value + Math.PI);
  return { ...features, x, angle, bits: poseBits(features.bits, count, pose) };
}
