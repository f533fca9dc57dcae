import { expNegative, turnOf } from "./arithmetic.ts";
import type { Extremum } from "./extrema.ts";
import { onLattice, STEP } from "./lattice.ts";
import type { Octave } from "./pyramid.ts";

/** Values of a descriptor: 4 x 4 cells of 8 directions, order [y][x][direction]. */
export const DESCRIPTOR_LENGTH = 128;

const CELLS = 4;
const DIRECTIONS = 8;
/** Side of a cell, in units of the point's scale. */
const CELL_SIZE = 3;
/** No value may hold more than this part of the whole length. */
const CLIP = 0.2;

const ROW = (CELLS + 2) * (DIRECTIONS + 2);
const CELL = DIRECTIONS + 2;

/**
 * The square that a descriptor covers: half its side in samples, its turn, and cosine and sine of the turn per cell.
 */
export interface Frame {
  readonly radius: number;
  readonly turn: number;
  readonly cos: number;
  readonly sin: number;
}

export function frameOf({ width, height }: Octave, { scale }: Extremum, angle: number): Frame {
  const cell = CELL_SIZE * scale;
  const reach = Math.round(cell * Math.SQRT2 * (CELLS + 1) * 0.5);
  const radius = Math.min(reach, Math.floor(Math.sqrt(width * width + height * height)));
  // The angle of a point counts the other way round from its descriptor's turn, as in OpenCV.
  const turn = 2 * Math.PI - angle;
  return { radius, turn, cos: Math.cos(turn) / cell, sin: Math.sin(turn) / cell };
}

/** Gradient histograms around a point, with a margin of one cell and wrapped directions that `foldMargins` takes in. */
function gatherGradients(octave: Octave, point: Extremum, angle: number, histogram: Float64Array): void {
  const layer = octave.layers[point.layer]!;
  const { width, height } = octave;
  const [column, row] = [Math.round(point.column), Math.round(point.row)];
  const { radius, turn, cos, sin } = frameOf(octave, point, angle);
  histogram.fill(0);
  const [top, bottom] = [Math.max(1, row - radius), Math.min(height - 2, row + radius)];
  const [left, right] = [Math.max(1, column - radius), Math.min(width - 2, column + radius)];
  for (let y = onLattice(top, row); y <= bottom; y += STEP) {
    for (let x = onLattice(left, column); x <= right; x += STEP) {
      const u = (x - column) * cos - (y - row) * sin;
      const v = (x - column) * sin + (y - row) * cos;
      const cellX = u + CELLS / 2 - 0.5;
      const cellY = v + CELLS / 2 - 0.5;
      if (cellX <= -1 || cellX >= CELLS || cellY <= -1 || cellY >= CELLS) continue;
      const at = y * width + x;
      const gx = layer[at + 1]! - layer[at - 1]!;
      const gy = layer[at - width]! - layer[at + width]!;
      const weight = expNegative((u * u + v * v) * (-2 / (CELLS * CELLS))) * Math.sqrt(gx * gx + gy * gy);
      const direction = (turnOf(gy, gx) - turn) * (DIRECTIONS / (2 * Math.PI));
      spread(histogram, cellX, cellY, direction, weight);
    }
  }
}

/** Shares a weight among the eight bins around a place (trilinear). */
function spread(
  histogram: Float64Array,
  cellX: number,
  cellY: number,
  direction: number,
  weight: number,
): void {
  const [x0, y0, d0] = [Math.floor(cellX), Math.floor(cellY), Math.floor(direction)];
  const [fx, fy, fd] = [cellX - x0, cellY - y0, direction - d0];
  const wrapped = d0 & (DIRECTIONS - 1);
  const at = (y0 + 1) * ROW + (x0 + 1) * CELL + wrapped;
  const below = weight * fy;
  const above = weight - below;
  const belowRight = below * fx;
  const belowLeft = below - belowRight;
  const aboveRight = above * fx;
  const aboveLeft = above - aboveRight;
  histogram[at]! += aboveLeft - aboveLeft * fd;
  histogram[at + 1]! += aboveLeft * fd;
  histogram[at + CELL]! += aboveRight - aboveRight * fd;
  histogram[at + CELL + 1]! += aboveRight * fd;
  histogram[at + ROW]! += belowLeft - belowLeft * fd;
  histogram[at + ROW + 1]! += belowLeft * fd;
  histogram[at + ROW + CELL]! += belowRight - belowRight * fd;
  histogram[at + ROW + CELL + 1]! += belowRight * fd;
}

/**
 * Writes the RootSIFT descriptor of a point at one orientation: the clipped gradient histogram, divided by its sum,
 * square-rooted (unit Euclidean length).
 *
 * @param into `DESCRIPTOR_LENGTH` numbers
 */
export function describe(octave: Octave, point: Extremum, angle: number, into: Float32Array): void {
  const scratch = new Float64Array((CELLS + 2) * ROW);
  gatherGradients(octave, point, angle, scratch);
  let squares = 0;
  for (let y = 0, to = 0; y < CELLS; y += 1) {
    for (let x = 0; x < CELLS; x += 1) {
      const at = (y + 1) * ROW + (x + 1) * CELL;
      scratch[at]! += scratch[at + DIRECTIONS]!;
      for (let d = 0; d < DIRECTIONS; d += 1, to += 1) {
        const value = scratch[at + d]!;
        into[to] = value;
        squares += value * value;
      }
    }
  }
  const most = CLIP * Math.sqrt(squares);
  let sum = 0;
  for (let i = 0; i < DESCRIPTOR_LENGTH; i += 1) {
    const value = Math.min(into[i]!, most);
    into[i] = value;
    sum += value;
  }
  for (let i = 0; i < DESCRIPTOR_LENGTH; i += 1) into[i] = Math.sqrt(into[i]! / Math.max(sum, 1e-12));
}
