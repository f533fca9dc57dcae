import { type PlanarMap, invertMap } from "../geometry/planar-map.ts";
import type { Luma } from "../image/luma.ts";
import { BLOCK } from "./projections.ts";

/**
 * How a picture's own pixels look in each block, at their full resolution: whole numbers, so that what is made of them
 * is the same on every machine. Shares are in 1/255.
 */
export interface BlockMeasures {
  /** Luma levels between the darkest and the lightest fiftieth. */
  readonly contrast: Uint8Array;
  /**
   * Levels that the darkest third, and the lightest third, of the pixels spans, a fiftieth at the end left out: small
   * where they lie on one flat ground.
   */
  readonly low: Uint8Array;
  readonly high: Uint8Array;
  /** Share of the pixels within four levels of the commonest level, and of the commonest one further from it. */
  readonly first: Uint8Array;
  readonly second: Uint8Array;
  /**
   * Share of all steps to the pixel to the right and to the one below that go across, or down, whichever is more: 128
   * to 255. Rules and bars go one way.
   */
  readonly oneWay: Uint8Array;
}

/** The measures in the order of the vector kernels. */
export const MEASURES: readonly (keyof BlockMeasures)[] = [
  "contrast",
  "low",
  "high",
  "first",
  "second",
  "oneWay",
];

/** Pixels looked at in a block, across and down. */
const SAMPLES = 16;
const TOTAL = SAMPLES * SAMPLES;
/** A fiftieth of them. */
const TRIMMED = Math.ceil(TOTAL / 50);
const NEAR_LEVEL = 4;

const inByte = (share: number, of: number): number => (of === 0 ? 0 : Math.floor((255 * share) / of));

/** The level below which `count` of the histogram's entries lie. */
function quantile(histogram: Uint16Array, count: number): number {
  let seen = 0;
  for (let level = 0; level < 256; level += 1) {
    seen += histogram[level]!;
    if (seen > count) return level;
  }
  return 255;
}

/**
 * The greatest number of entries in a window of levels, and its middle; levels near `apart` are left out. `upTo[k]`:
 * entries below level k.
 */
function commonest(
  upTo: Uint16Array,
  apart: number | null,
): { readonly count: number; readonly level: number } {
  let best = { count: 0, level: -1 };
  for (let level = 0; level < 256; level += 1) {
    if (apart !== null && Math.abs(level - apart) <= 2 * NEAR_LEVEL) continue;
    const count = upTo[Math.min(256, level + NEAR_LEVEL + 1)]! - upTo[Math.max(0, level - NEAR_LEVEL)]!;
    if (count > best.count) best = { count, level };
  }
  return best;
}

/**
 * Measures the blocks whose centres, in cells of a layer, are given: what the vector kernels are checked against.
 * `map`: pixels of the luma to cells.
 */
export function measureBlocks(
  { x: centreX, y: centreY }: { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> },
  map: PlanarMap,
  { width, height, data }: Luma,
): BlockMeasures {
  const column = (): Uint8Array => new Uint8Array(centreX.length);
  const measures = {
    contrast: column(),
    low: column(),
    high: column(),
    first: column(),
    second: column(),
    oneWay: column(),
  };
  const inverse = invertMap(map);
  if (inverse === null) return measures;
  const histogram = new Uint16Array(256);
  const upTo = new Uint16Array(257);
  for (let block = 0; block < centreX.length; block += 1) {
    histogram.fill(0);
    let [across, down] = [0, 0];
    for (let k = 0; k < TOTAL; k += 1) {
      const u = centreX[block]! + (((k % SAMPLES) + 0.5) / SAMPLES - 0.5) * BLOCK;
      const v = centreY[block]! + ((Math.floor(k / SAMPLES) + 0.5) / SAMPLES - 0.5) * BLOCK;
      const w = inverse[6]! * u + inverse[7]! * v + inverse[8]!;
      const px = Math.round((inverse[0]! * u + inverse[1]! * v + inverse[2]!) / w);
      const py = Math.round((inverse[3]! * u + inverse[4]! * v + inverse[5]!) / w);
      const at = Math.min(height - 2, Math.max(0, py)) * width + Math.min(width - 2, Math.max(0, px));
      const value = data[at]!;
      histogram[value]! += 1;
      across += Math.abs(data[at + 1]! - value);
      down += Math.abs(data[at + width]! - value);
    }
    const darkest = quantile(histogram, TRIMMED);
    const lightest = quantile(histogram, TOTAL - 1 - TRIMMED);
    const contrast = lightest - darkest;
    for (let level = 0; level < 256; level += 1) upTo[level + 1] = upTo[level]! + histogram[level]!;
    const first = commonest(upTo, null);
    measures.contrast[block] = contrast;
    measures.low[block] = quantile(histogram, Math.floor(TOTAL / 3)) - darkest;
    measures.high[block] = lightest - quantile(histogram, TOTAL - 1 - Math.floor(TOTAL / 3));
    measures.first[block] = inByte(first.count, TOTAL);
    measures.second[block] = inByte(commonest(upTo, first.level).count, TOTAL);
    measures.oneWay[block] = inByte(Math.max(across, down), across + down);
  }
  return measures;
}
