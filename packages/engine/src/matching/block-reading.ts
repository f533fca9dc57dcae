import { type Window, covers } from "./aligned-window.ts";
import type { Plane } from "./plane.ts";
import {
  BITS_PER_BLOCK,
  BLOCK,
  NIBBLES_PER_BLOCK,
  type Projections,
  projectPatch,
  tableSize,
} from "./projections.ts";
import { type ResidualLayer, blockStart, cutPatch } from "./residual-signature.ts";

/** How each comparable block of the original looks in the aligned query. */
export interface BlockReading {
  readonly count: number;
  /** Agreement of the signature bits in place, -1..1, and at the best shift of up to two cells. */
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

/** Luma variance under which a block of the query says nothing. */
const MIN_VARIANCE = 16;

function variance(plane: Plane, left: number, top: number): number {
  let sum = 0;
  let squares = 0;
  for (let y = top; y < top + BLOCK; y += 1) {
    for (let x = left; x < left + BLOCK; x += 1) {
      const value = plane.data[y * plane.width + x]!;
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

/** The blocks that the query covers, a few cells around them included: those it has something to show in, and the plain ones. */
export function coveredBlocks(
  window: Window,
  layer: ResidualLayer,
  radius: number,
): { readonly shown: number[]; readonly plain: number[] } {
  const shown: number[] = [];
  const plain: number[] = [];
  for (let block = 0; block < layer.bits.length; block += 1) {
    const left = blockStart(block % layer.columns, layer.kind);
    const top = blockStart(Math.floor(block / layer.columns), layer.kind);
    const right = Math.min(layer.width, left + BLOCK + radius);
    const bottom = Math.min(layer.height, top + BLOCK + radius);
    if (!covers(window, Math.max(0, left - radius), Math.max(0, top - radius), right, bottom)) continue;
    const isShown = variance(window.luma, left - window.left, top - window.top) >= MIN_VARIANCE;
    (isShown ? shown : plain).push(block);
  }
  return { shown, plain };
}

/** Centre of a block, cells. */
export const blockX = (block: number, { columns, kind }: ResidualLayer): number =>
  blockStart(block % columns, kind) + (BLOCK - 1) / 2;
export const blockY = (block: number, { columns, kind }: ResidualLayer): number =>
  blockStart(Math.floor(block / columns), kind) + (BLOCK - 1) / 2;

/** Compares blocks of the original with the window at every shift of up to `radius` cells. */
export function readBlocks(
  window: Window,
  layer: ResidualLayer,
  projections: Projections,
  radius: number,
  blocks: readonly number[],
): BlockReading {
  const { band } = window;
  const reach = 2 * radius + 1;
  const shifts = reach * reach;
  const side = BLOCK + 2 * radius;
  const patch = new Float32Array(side * side);
  const nibbles = new Uint8Array(NIBBLES_PER_BLOCK);
  const table = new Float32Array(tableSize(radius));
  const products = new Float32Array(BITS_PER_BLOCK * shifts);
  const agreement = new Float64Array(shifts);
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
    cutPatch(band, left - window.left - radius, top - window.top - radius, side, patch);
    for (let y = radius; y < radius + BLOCK; y += 1)
      for (let x = radius; x < radius + BLOCK; x += 1)
        reading.energy[k]! += patch[y * side + x]! ** 2 / (BLOCK * BLOCK);
    projections.nibbles(block, nibbles);
    projectPatch(patch, radius, nibbles, table, products);
    let peak = 0;
    for (let shift = 0; shift < shifts; shift += 1) {
      let along = 0;
      let total = 1e-3;
      for (let bit = 0; bit < BITS_PER_BLOCK; bit += 1) {
        const product = products[bit * shifts + shift]!;
        along += (layer.bits[block]! >> bit) & 1 ? product : -product;
        total += Math.abs(product);
      }
      agreement[shift] = along / total;
      if (agreement[shift]! > agreement[peak]!) peak = shift;
    }
    const px = peak % reach;
    const py = Math.floor(peak / reach);
    const isInner = px > 0 && py > 0 && px < reach - 1 && py < reach - 1;
    reading.inPlace[k] = agreement[radius * reach + radius]!;
    reading.best[k] = agreement[peak]!;
    reading.shiftX[k] =
      px - radius + (isInner ? peakOffset(agreement[peak - 1]!, agreement[peak]!, agreement[peak + 1]!) : 0);
    reading.shiftY[k] =
      py -
      radius +
      (isInner ? peakOffset(agreement[peak - reach]!, agreement[peak]!, agreement[peak + reach]!) : 0);
    reading.x[k] = blockX(block, layer);
    reading.y[k] = blockY(block, layer);
  }
  return reading;
}
