import { type Matched, type Place, type Size, UNIT_SQUARE } from "@colophon/engine";
import type { LiveOriginal } from "../store/originals/originals.ts";
import type { Checked, MatchedOriginal, NotYet, Pixels, Relation } from "./port.ts";

/** An original that the engine found in a picture, and where. */
export type Located = Matched["matches"][number];

/** The place of an original in a picture that it is. */
const WHOLE: Place = {
  map: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
  lens: null,
  isInverted: false,
  isWhole: true,
};

/** How an original of the same pixels relates to an image. */
export function relationTo({ imageHash }: Pixels, original: LiveOriginal): Relation {
  return original.imageHash.equals(imageHash) ? "identical" : "samePixels";
}

/** An original of the same bytes or pixels. */
export function whole({ imageNo, originalImageHash }: LiveOriginal, relation: Relation): MatchedOriginal {
  return { imageNo, originalImageHash, relation, size: null, place: WHOLE, shown: [UNIT_SQUARE] };
}

/** An original that the picture derives from. */
export function derivedFrom(original: LiveOriginal, { raster, place, shown }: Located): MatchedOriginal {
  const { imageNo, originalImageHash } = original;
  const size = sizeOf(original) ?? raster;
  return { imageNo, originalImageHash, relation: "derived", size, place, shown };
}

function rankOf({ relation }: MatchedOriginal): number {
  return relation === "identical" ? 0 : 1;
}

/** Each original once, as it stands first; those of the same bytes before all. */
export function merged(...lists: readonly (readonly MatchedOriginal[])[]): readonly MatchedOriginal[] {
  const byNumber = new Map<number, MatchedOriginal>();
  for (const match of lists.flat()) if (!byNumber.has(match.imageNo)) byNumber.set(match.imageNo, match);
  return [...byNumber.values()].toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** What a picture was found to show. */
export function checked(matches: readonly MatchedOriginal[], size: Size | null): Checked {
  return { outcome: "checked", matches, size };
}

/** The size in pixels, of originals that have one on record. */
export function sizeOf({ width, height }: Pick<LiveOriginal, "width" | "height">): Size | null {
  return width === null || height === null ? null : { width, height };
}

/** Nothing can be said of the picture now. */
export function notYet(retryAfterSeconds: number): NotYet {
  return { outcome: "notYet", retryAfterSeconds };
}
