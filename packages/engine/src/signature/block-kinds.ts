import type { BlockMeasures } from "./block-measures.ts";

/**
 * What a block of a picture shows: something photographed; something photographed under lettering or a line; something
 * drawn, or lettering on a ground; a rule or a bar, which forms and grids are full of; and nothing to speak of.
 */
export const KINDS = ["natural", "mixed", "graphic", "rule"] as const;
export const NATURAL = 0;
export const MIXED = 1;
export const GRAPHIC = 2;
export const RULE = 3;
export const WEAK = 4;

/** Contrast below which a block shows nothing, luma levels. */
const LEAST_CONTRAST = 16;
/**
 * A third of the pixels on a ground that is flat to so many levels, and more where coding rings beside strong edges.
 */
const FLAT = 4;
const FLAT_OF_CONTRAST = 1 / 12;
/** The same of a ground that shines through, and the share of pixels on two levels: 1/255. */
const FLAT_OF_MIXED = 1 / 6;
const ON_TWO_LEVELS = 170;
/** Share of all steps that go one way, 1/255. */
const ONE_WAY = 235;

function kindOf({ contrast, low, high, oneWay, first, second }: BlockMeasures, k: number): number {
  const most = contrast[k]!;
  if (most < LEAST_CONTRAST) return WEAK;
  const ground = Math.min(low[k]!, high[k]!);
  if (ground <= FLAT + most * FLAT_OF_CONTRAST) return oneWay[k]! >= ONE_WAY ? RULE : GRAPHIC;
  const isOnTwo = first[k]! + second[k]! > ON_TWO_LEVELS;
  return ground <= most * FLAT_OF_MIXED || isOnTwo ? MIXED : NATURAL;
}

/** The kind of each block by its own pixels alone. */
export function kindsByLooks(measures: BlockMeasures): Uint8Array {
  return Uint8Array.from(measures.contrast, (_, k) => kindOf(measures, k));
}

/** The kind of each block, by number. `energy`: of the compared band; `least`: from which it is asked. */
export function kindsOf(measures: BlockMeasures, energy: ArrayLike<number>, least: number): Uint8Array {
  const kinds = new Uint8Array(energy.length);
  for (let k = 0; k < kinds.length; k += 1) {
    kinds[k] = energy[k]! < least ? WEAK : kindOf(measures, k);
  }
  return kinds;
}
