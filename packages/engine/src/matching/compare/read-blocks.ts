import { LIMITS } from "../limits.ts";
import { bandOf, covers, insideOf, lumaOf, type Window } from "./window.ts";
import { BLOCK, type Projections } from "../../signature/projections.ts";
import { BlockProjector } from "../../signature/vector-project-block.ts";
import { type ResidualLayer, blockStart, blockX, blockY } from "../../signature/block-signature.ts";
import { valuesAt } from "../../wasm/plane-at.ts";

/** How each comparable block of the original looks in the aligned query. */
export interface BlockReading {
  readonly count: number;
  /**
   * Agreement of the signature bits in place, -1..1, and at the best shift of up to two cells, if shifts were tried.
   */
  readonly inPlace: Float64Array;
  readonly best: Float64Array;
  /** The best shift, cells, to a fraction of a cell. */
  readonly shiftX: Float64Array;
  readonly shiftY: Float64Array;
  /** Mean square of the query's band-pass map over the block: how much there is to compare. */
  readonly energy: Float64Array;
  /** Block centres, cells. */
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Of the block of a map, `stride` values a row, at (left, top). */
function variance(values: Float32Array, stride: number, left: number, top: number): number {
  let sum = 0;
  let squares = 0;
  for (let y = top; y < top + BLOCK; y += 1) {
    for (let x = left; x < left + BLOCK; x += 1) {
      const value = values[y * stride + x]!;
      sum += value;
      squares += value * value;
    }
  }
  const n = BLOCK * BLOCK;
  return squares / n - (sum / n) ** 2;
}

/** Offset of the top of the parabola through three equidistant values, the middle one the greatest. */
function peakOffset(before: number, at: number, after: number): number {
  const bend = before - 2 * at + after;
  return Math.abs(bend) > 1e-9 ? (0.5 * (before - after)) / bend : 0;
}

/** Those of some blocks that the query covers with so many cells around them. */
export function coveredOf(
  blocks: Iterable<number>,
  window: Window,
  layer: ResidualLayer,
  radius: number,
): number[] {
  const inside = insideOf(window);
  const covered: number[] = [];
  for (const block of blocks) {
    const left = blockStart(block % layer.columns, layer.kind);
    const top = blockStart(Math.floor(block / layer.columns), layer.kind);
    const right = Math.min(layer.width, left + BLOCK + radius);
    const bottom = Math.min(layer.height, top + BLOCK + radius);
    const isCovered = covers(
      window,
      inside,
      Math.max(0, left - radius),
      Math.max(0, top - radius),
      right,
      bottom,
    );
    if (isCovered) covered.push(block);
  }
  return covered;
}

/** Blocks that the query covers, by their numbers. */
export interface CoveredBlocks {
  /** Those it has something to show in. */
  readonly shown: readonly number[];
  readonly plain: readonly number[];
}

/** The blocks that the query covers, `radius` cells around them included. */
export function coveredBlocks(window: Window, layer: ResidualLayer, radius: number): CoveredBlocks {
  const shown: number[] = [];
  const plain: number[] = [];
  const values = valuesAt(lumaOf(window));
  for (const block of coveredOf(layer.bits.keys(), window, layer, radius)) {
    const left = blockStart(block % layer.columns, layer.kind) - window.left;
    const top = blockStart(Math.floor(block / layer.columns), layer.kind) - window.top;
    (variance(values, window.width, left, top) >= LIMITS.compare.variance ? shown : plain).push(block);
  }
  return { shown, plain };
}

/**
 * Of the shifts of up to `radius` cells writes the best, the first of equal ones, as the `k`-th: to a fraction of a
 * cell unless it lies on the rim.
 */
function writePeak(
  { best, shiftX, shiftY }: BlockReading,
  k: number,
  agreement: Float64Array,
  radius: number,
): void {
  const reach = 2 * radius + 1;
  let peak = 0;
  for (let shift = 1; shift < agreement.length; shift += 1) {
    if (agreement[shift]! > agreement[peak]!) peak = shift;
  }
  const x = peak % reach;
  const y = Math.floor(peak / reach);
  const at = agreement[peak]!;
  best[k] = at;
  const isInner = x > 0 && y > 0 && x < reach - 1 && y < reach - 1;
  const across = isInner ? peakOffset(agreement[peak - 1]!, at, agreement[peak + 1]!) : 0;
  const down = isInner ? peakOffset(agreement[peak - reach]!, at, agreement[peak + reach]!) : 0;
  shiftX[k] = x - radius + across;
  shiftY[k] = y - radius + down;
}

/**
 * Compares blocks of the original with the window at every shift of up to `radius` cells; with none, in their places
 * alone.
 */
export function readBlocks(
  window: Window,
  layer: ResidualLayer,
  projections: Projections,
  radius: number,
  blocks: readonly number[],
): BlockReading {
  using projector = new BlockProjector(bandOf(window), projections, radius);
  const { agreement } = projector;
  const column = (): Float64Array => new Float64Array(blocks.length);
  const reading = {
    count: blocks.length,
    inPlace: column(),
    best: column(),
    shiftX: column(),
    shiftY: column(),
    energy: column(),
    x: column(),
    y: column(),
  };
  for (let k = 0; k < blocks.length; k += 1) {
    const block = blocks[k]!;
    const left = blockStart(block % layer.columns, layer.kind);
    const top = blockStart(Math.floor(block / layer.columns), layer.kind);
    projector.project(block, left - window.left, top - window.top);
    projector.agree(layer.bits[block]!);
    writePeak(reading, k, agreement, radius);
    reading.energy[k] = projector.energy;
    reading.inPlace[k] = agreement[(agreement.length - 1) / 2]!;
    reading.x[k] = blockX(block, layer);
    reading.y[k] = blockY(block, layer);
  }
  return reading;
}
