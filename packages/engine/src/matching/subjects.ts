import type { Features, Luma } from "../features.ts";

/** Nearest words kept for each query point, nearest first. */
export const PROBES_PER_POINT = 4;

/** Longest side, in pixels, of the luma raster from which signatures are made and on which a query is compared. */
export const COMPARISON_SIDE = 1600;

/**
 * What a registration packet says about one original, decoded. `whole` and `residual` are made by
 * `wholeSignature` and `residualSignature`; the packet stores their bytes unread.
 */
export interface StoredOriginal {
  /** 16 bytes; with the packet key they select the original's secret projections. */
  readonly packetId: Uint8Array;
  /** At most 600 points; positions in the 480 px raster. `response` is not read. */
  readonly features: Features;
  /** One `wordTag` a point, of the nearest word of that point, stop-listed or not. */
  readonly wordTags: Uint16Array;
  readonly whole: Uint8Array;
  readonly residual: Uint8Array;
}

/** What the examination of a query leaves for matching. */
export interface Query {
  /** At most 3,900 points, those of each raster strongest first; positions in the 640 px raster. */
  readonly features: Features;
  /** `count x PROBES_PER_POINT` words, nearest first, stop-listed or not; -1 where there is none. */
  readonly probes: Int32Array;
  /** The oriented picture, area-shrunk to at most `COMPARISON_SIDE`, never enlarged. */
  readonly luma: Luma;
  /** `jpegCoarseness` of the posted bytes. */
  readonly coarseness: number;
}

/** Folds a 30-bit word to the 16 bits that a packet keeps of it. */
export function wordTag(word: number): number {
  return (Math.imul(word, 0x9e3779b1) >>> 16) & 0xffff;
}
