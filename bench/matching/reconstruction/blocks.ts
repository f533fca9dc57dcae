import {
  BITS_PER_BLOCK,
  BLOCK,
  blockStart,
  fitPlane,
  type Luma,
  NIBBLES,
  NIBBLES_PER_BLOCK,
  type Plane,
  Projections,
  type ResidualLayer,
  splitBands,
} from "@colophon/engine/lab";
import { resized } from "./planes.ts";

const CELLS = BLOCK * BLOCK;
/** Rounds of finding a block that fits its bits, and of fitting the whole picture. */
const BLOCK_ROUNDS = 60;
const PICTURE_ROUNDS = 80;
/** How far from the sign change a product should lie, in products of the block's length. */
const SOFTNESS = 0.3;

/** The secret vectors of one layer, as the holder of the key knows them: per block 32 of 144 signs. */
export function openVectors(layer: ResidualLayer, packetKey: Uint8Array, packetId: Uint8Array): Int8Array {
  const projections = new Projections(packetKey, packetId, layer.number, layer.bits.length);
  const nibbles = new Uint8Array(NIBBLES_PER_BLOCK);
  const vectors = new Int8Array(layer.bits.length * 2 * BITS_PER_BLOCK * CELLS);
  for (let block = 0, at = 0; block < layer.bits.length; block += 1) {
    projections.nibbles(block, nibbles);
    for (let k = 0; k < 2 * BITS_PER_BLOCK * NIBBLES; k += 1) {
      for (let n = 0; n < 4; n += 1, at += 1) vectors[at] = (nibbles[k]! >> n) & 1 ? -1 : 1;
    }
  }
  return vectors;
}

/** How the cells of a block usually go together, from the maps of other pictures. */
export class BlockStatistics {
  readonly #sums = new Float64Array(CELLS * CELLS);
  #count = 0;

  add(luma: Luma, side: number): void {
    const { band } = splitBands(fitPlane(luma, side));
    const block = new Float64Array(CELLS);
    for (let top = 2; top + BLOCK < band.height; top += BLOCK) {
      for (let left = 2; left + BLOCK < band.width; left += BLOCK) {
        let energy = 1e-6;
        for (let k = 0; k < CELLS; k += 1) {
          block[k] = band.data[(top + Math.floor(k / BLOCK)) * band.width + left + (k % BLOCK)]!;
          energy += block[k]! ** 2;
        }
        for (let i = 0; i < CELLS; i += 1) {
          for (let j = 0; j < CELLS; j += 1) this.#sums[i * CELLS + j]! += (block[i]! * block[j]!) / energy;
        }
        this.#count += 1;
      }
    }
  }

  covariance(): Float64Array {
    return this.#sums.map((sum) => sum / this.#count);
  }
}

/** The block, of length 1 and unknown sign, that fits its bits best: the first eigenvector of their quadratic form. */
function likelyBlock(vectors: Int8Array, bits: number, covariance: Float64Array): Float64Array {
  let block = Float64Array.from({ length: CELLS }, (_, k) => Math.sin(k * k + 1));
  const form = new Float64Array(CELLS);
  let shift = 0;
  for (let round = 0; round < BLOCK_ROUNDS; round += 1) {
    form.fill(0);
    for (let bit = 0; bit < BITS_PER_BLOCK; bit += 1) {
      const [first, second] = [bit * CELLS, (bit + BITS_PER_BLOCK) * CELLS];
      const sign = (bits >> bit) & 1 ? 0.5 : -0.5;
      const one = sign * along(vectors, first, block, 0);
      const other = sign * along(vectors, second, block, 0);
      for (let k = 0; k < CELLS; k += 1) form[k]! += vectors[first + k]! * other + vectors[second + k]! * one;
    }
    const next = new Float64Array(CELLS);
    for (let i = 0; i < CELLS; i += 1) {
      let sum = 0;
      for (let j = 0; j < CELLS; j += 1) sum += covariance[i * CELLS + j]! * form[j]!;
      next[i] = sum;
    }
    if (round === 0) shift = 0.5 * length(next);
    for (let k = 0; k < CELLS; k += 1) next[k]! += shift * block[k]!;
    const size = length(next);
    block = next.map((value) => value / size);
  }
  return block;
}

function length(values: Float64Array): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 1e-12));
}

function along(vectors: Int8Array, at: number, block: Float64Array, from: number): number {
  let sum = 0;
  for (let k = 0; k < CELLS; k += 1) sum += vectors[at + k]! * block[from + k]!;
  return sum;
}

/**
 * A first map from the bits alone: each block by itself, its sign, which the bits do not tell, as its neighbours
 * overlap with it. `signs`: a map of the layer's size to take them from instead, for what better knowledge of the signs
 * would give.
 */
export function mapFromBits(
  layer: ResidualLayer,
  vectors: Int8Array,
  covariance: Float64Array,
  signs: Plane | null,
): Plane {
  const { width, height, columns, kind, bits } = layer;
  const sums = new Float64Array(width * height);
  const stride = 2 * BITS_PER_BLOCK * CELLS;
  for (const [number, value] of bits.entries()) {
    const own = vectors.subarray(number * stride, (number + 1) * stride);
    const block = likelyBlock(own, value, covariance);
    const left = blockStart(number % columns, kind);
    const top = blockStart(Math.floor(number / columns), kind);
    const cell = (k: number): number => (top + Math.floor(k / BLOCK)) * width + left + (k % BLOCK);
    let overlap = 0;
    for (let k = 0; k < CELLS; k += 1) overlap += block[k]! * (signs?.data ?? sums)[cell(k)]!;
    const sign = overlap < 0 ? -1 : 1;
    for (let k = 0; k < CELLS; k += 1) sums[cell(k)]! += sign * block[k]!;
  }
  return { width, height, data: Float32Array.from(sums) };
}

/** What one layer asks of a picture. */
export interface LayerDemand {
  readonly layer: ResidualLayer;
  readonly vectors: Int8Array;
}

/** Adds the direction in which a map of the layer's size would fit the stored bits better. */
function addPull({ layer, vectors }: LayerDemand, band: Plane, direction: Float32Array): void {
  const { columns, kind, bits, width } = layer;
  const stride = 2 * BITS_PER_BLOCK * CELLS;
  const block = new Float64Array(CELLS);
  const change = new Float64Array(CELLS);
  for (const [number, value] of bits.entries()) {
    const corner =
      blockStart(Math.floor(number / columns), kind) * width + blockStart(number % columns, kind);
    const cell = (k: number): number => corner + Math.floor(k / BLOCK) * width + (k % BLOCK);
    let energy = 1e-2;
    for (let k = 0; k < CELLS; k += 1) {
      block[k] = band.data[cell(k)]!;
      energy += block[k]! ** 2;
    }
    change.fill(0);
    for (let bit = 0; bit < BITS_PER_BLOCK; bit += 1) {
      const first = number * stride + bit * CELLS;
      const second = first + BITS_PER_BLOCK * CELLS;
      const sign = (value >> bit) & 1 ? 1 : -1;
      const one = along(vectors, first, block, 0);
      const other = along(vectors, second, block, 0);
      const fit = (sign * one * other) / energy;
      const pull = sign / (1 + Math.exp(fit / SOFTNESS)) / Math.sqrt(energy);
      for (let k = 0; k < CELLS; k += 1) {
        change[k]! += (pull * (vectors[first + k]! * other + vectors[second + k]! * one)) / Math.sqrt(energy);
      }
    }
    for (let k = 0; k < CELLS; k += 1) direction[cell(k)]! += change[k]!;
  }
}

/** Changes a picture until its maps fit the stored bits, staying near where it began. */
export function fitBits(start: Plane, demands: readonly LayerDemand[], loyalty: number): Plane {
  const { width, height } = start;
  const data = start.data.slice();
  const picture: Plane = { width, height, data };
  const momentum = new Float32Array(data.length);
  let scale = 0;
  for (let round = 0; round < PICTURE_ROUNDS; round += 1) {
    const step = new Float32Array(data.length);
    for (const demand of demands) {
      const { layer } = demand;
      const map = resized(picture, layer.width, layer.height);
      const { band } = splitBands(map);
      const direction = new Float32Array(band.data.length);
      addPull(demand, band, direction);
      const back = splitBands({ width: layer.width, height: layer.height, data: direction }).band;
      const large = resized(back, width, height);
      for (let k = 0; k < step.length; k += 1) step[k]! += large.data[k]!;
    }
    scale = Math.max(scale, rootMeanSquare(step));
    const energy = rootMeanSquare(start.data);
    const pace = 0.06 * (1 - round / PICTURE_ROUNDS);
    for (let k = 0; k < data.length; k += 1) {
      momentum[k] = 0.8 * momentum[k]! + (0.2 * step[k]!) / scale;
      data[k]! += pace * (energy * momentum[k]! + loyalty * (start.data[k]! - data[k]!));
    }
  }
  return picture;
}

function rootMeanSquare(values: Float32Array): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 1e-12) / values.length);
}
