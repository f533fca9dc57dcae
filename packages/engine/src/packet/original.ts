import type { Features } from "../features/features.ts";

/**
 * What a registration packet says about one original, decoded. `whole`, `residual` and `kinds` are made by
 * `wholeSignature`, `residualSignature` and `ownKinds`; the packet stores their bytes unread.
 */
export interface StoredOriginal {
  /** 16 bytes; with the packet key they select the original's secret projections. */
  readonly packetId: Uint8Array;
  /** At most 600 points; positions in the 480 px raster. `response` is not read. */
  readonly features: Features;
  /**
   * The points that it is placed by: the same, then, of an original with few points, those of small rasters of it, as
   * it looks where it is shown in small. In the pixels of the same raster.
   */
  readonly placing: Features;
  /** One `wordTag` for each point of `placing`, of the nearest word of that point, stop-listed or not. */
  readonly wordTags: Uint16Array;
  readonly whole: Uint8Array;
  readonly residual: Uint8Array;
  /** Empty of originals from before it was kept. */
  readonly kinds: Uint8Array;
}

/**
 * Whether an original has so few points, as a sign or a drawing has, that those of small rasters are kept beside them.
 */
export function isSign({ features, placing }: Pick<StoredOriginal, "features" | "placing">): boolean {
  return placing.count > features.count;
}

/** Folds a 30-bit word to the 16 bits that a packet keeps of it. */
export function wordTag(word: number): number {
  return (Math.imul(word, 0x9e3779b1) >>> 16) & 0xffff;
}

/** The same with 22 bits, of which `wordTag` is the highest 16. */
export function rankingTag(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> 10;
}
