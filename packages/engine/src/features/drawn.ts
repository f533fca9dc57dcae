import type { Features } from "./features.ts";
import { BITS_STRIDE } from "./binarise.ts";
import { HIDDEN_WEIGHTS, OUTPUT_WEIGHTS } from "./drawn-model.ts";
import { DESCRIPTOR_LENGTH } from "./sift/descriptor.ts";

/** What each hidden unit is asked: the bits as 1 or -1, the point's size in octaves, and 1. */
export const DRAWN_INPUTS: number = DESCRIPTOR_LENGTH + 2;
const UNITS = OUTPUT_WEIGHTS.length - 1;
/** The raster that sizes are of: pixels of its longer side. */
const RASTER = 480;
/** What stands for 1 in a weight, of either layer. */
export const WEIGHT_ONE = 4096;
/** Odds are given in 1/32, beside this. */
const ODDS_ONE = 32;
const EVEN = 128;

/** A point's size as the network is asked for it. */
const octaveOf = ({ width, height, size }: Features, i: number): number =>
  Math.round(Math.log2((RASTER * size[i]!) / Math.max(width, height)));

/** What the network is asked of a point, written into so many whole numbers. */
export function drawnInputs(features: Features, i: number, into: Int8Array): void {
  for (let bit = 0; bit < DESCRIPTOR_LENGTH; bit += 1) {
    into[bit] = isSet(features, i, bit) ? 1 : -1;
  }
  into[DESCRIPTOR_LENGTH] = octaveOf(features, i);
  into[DESCRIPTOR_LENGTH + 1] = 1;
}

const isSet = ({ bits }: Features, i: number, bit: number): boolean =>
  ((bits[BITS_STRIDE * i + (bit >> 5)]! >> (bit & 31)) & 1) === 1;

/** What each unit sums up of a point without a bit set and of size 1; every bit that is set adds its weight twice. */
const OF_NO_BITS: Int32Array = Int32Array.from({ length: UNITS }, (_, unit) => {
  const weight = (input: number): number => HIDDEN_WEIGHTS[UNITS * input + unit]!;
  let sum = weight(DESCRIPTOR_LENGTH + 1);
  for (let bit = 0; bit < DESCRIPTOR_LENGTH; bit += 1) sum -= weight(bit);
  return sum;
});

/**
 * How much each point looks drawn (lettering, a drawing, a rule) rather than photographed, by its bits and its size
 * alone: the logarithm of the odds in 1/32, beside 128; 0 to 255. A network of one hidden layer of rectified units, its
 * weights and sums whole numbers and so equal on every machine; `tools/train-drawn.ts` learns it.
 */
export function drawnOdds(features: Features): Uint8Array {
  const odds = new Uint8Array(features.count);
  const sums = new Int32Array(UNITS);
  const addWeights = (input: number, times: number): void => {
    const at = UNITS * input;
    for (let unit = 0; unit < UNITS; unit += 1) sums[unit]! += times * HIDDEN_WEIGHTS[at + unit]!;
  };
  for (let i = 0; i < features.count; i += 1) {
    sums.set(OF_NO_BITS);
    addWeights(DESCRIPTOR_LENGTH, octaveOf(features, i));
    for (let bit = 0; bit < DESCRIPTOR_LENGTH; bit += 1) if (isSet(features, i, bit)) addWeights(bit, 2);
    let sum = WEIGHT_ONE * OUTPUT_WEIGHTS[UNITS]!;
    for (let unit = 0; unit < UNITS; unit += 1) sum += OUTPUT_WEIGHTS[unit]! * Math.max(0, sums[unit]!);
    odds[i] = Math.max(0, Math.min(255, EVEN + Math.floor((ODDS_ONE * sum) / WEIGHT_ONE ** 2)));
  }
  return odds;
}
