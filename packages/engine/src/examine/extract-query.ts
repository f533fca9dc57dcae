import { discard } from "../image/discard.ts";
import { extractFeatures, type Extraction } from "./extract-features.ts";
import type { Features } from "../features/features.ts";
import { joinFeatures } from "../features/join-features.ts";
import type { Luma } from "../image/luma.ts";
import { fittedSize, shrinkLuma } from "../image/raster.ts";
import { DESCRIPTOR_LENGTH } from "../features/sift/descriptor.ts";
import { PROBES_PER_POINT } from "../packet/query.ts";
import { NEAREST_WORDS } from "../words/nearest-words.ts";
import type { Vocabulary } from "../words/vocabulary.ts";

/**
 * The rasters in which an original's own raster shows its crops of 20, 10 and 5 % of the area. Most points of an original
 * are as fine as its raster allows; a crop sampled more finely lacks them, or has them described otherwise.
 */
const CROPS = { sides: [214, 151, 107], limit: 300 } as const;
/**
 * Sides of the rasters that show how an original with fewer points than `SIGN_POINTS` looks in small, an eighth of an octave apart: there a point's word
 * hangs on how the raster happens to sample it.
 */
const SIGN_SIDES = Array.from({ length: 13 }, (_, k) => Math.round(CROPS.sides[0] * 2 ** (-k / 8)));
/** Of every so many of these rasters, half an octave apart, the points are kept, too. */
const PLACING_STEP = 4;
const SIGN_POINTS = 300;
/** First points of the main raster in the order in which they ask, and strongest of a small one, that get words; all are described, and compared once a candidate is found by these. */
const NAMED = { main: 1000, small: 150 } as const;
/** A crop's raster has at most this share of the main one's side. */
const MAX_CROP_SHARE = 0.8;

/** What is found in a query. */
export interface QueryPoints {
  /** The points of all rasters, the main one's first, in its pixels. */
  readonly features: Features;
  /** For each raster `NEAREST_WORDS` words a point, in the same order, of its first points. */
  readonly nearest: readonly Int32Array[];
  /** As `Query.probes`. */
  readonly probes: Int32Array;
}

/** The points of one of the small rasters. */
function cropPoints(main: Luma, side: number): Extraction {
  const { width, height } = fittedSize(main.width, main.height, side);
  const raster = shrinkLuma(main, width, height);
  try {
    return extractFeatures(raster, { limit: CROPS.limit, thinBursts: false });
  } finally {
    discard(raster.data);
  }
}

/** The points of one raster, with `NEAREST_WORDS` words for each of the first. */
export interface NamedPoints {
  readonly features: Features;
  readonly nearest: Int32Array;
}

function named({ features, descriptors }: Extraction, most: number, vocabulary: Vocabulary): NamedPoints {
  const nearest = vocabulary.nearestWords(descriptors.subarray(0, most * DESCRIPTOR_LENGTH));
  discard(descriptors);
  return { features, nearest };
}

function smallRasters(raster: Luma, sides: readonly number[], vocabulary: Vocabulary): NamedPoints[] {
  const longest = Math.max(raster.width, raster.height);
  return sides
    .filter((side) => side <= MAX_CROP_SHARE * longest)
    .map((side) => named(cropPoints(raster, side), NAMED.small, vocabulary));
}

/** The first `PROBES_PER_POINT` of the words of each point, raster by raster; -1 for points without words. */
function probesOf(rasters: readonly NamedPoints[]): Int32Array {
  const count = rasters.reduce((sum, { features }) => sum + features.count, 0);
  const probes = new Int32Array(count * PROBES_PER_POINT).fill(-1);
  let from = 0;
  for (const { features, nearest } of rasters) {
    for (let at = 0, to = from; at < nearest.length; at += NEAREST_WORDS, to += PROBES_PER_POINT) {
      probes.set(nearest.subarray(at, at + PROBES_PER_POINT), to);
    }
    from += features.count * PROBES_PER_POINT;
  }
  return probes;
}

/** How an original looks where it is shown in small. */
export interface InSmall {
  /** For each of some small rasters of its main one `NEAREST_WORDS` words a point, strongest first. */
  readonly words: readonly Int32Array[];
  /** Of an original with few points those by which it is placed in small, raster by raster. */
  readonly placing: readonly NamedPoints[];
}

/**
 * How an original of so many points looks in small.
 * @param known the words of a query's small rasters, which are enough for an original with many points
 */
export function inSmall(
  raster: Luma,
  points: number,
  vocabulary: Vocabulary,
  known?: readonly Int32Array[],
): InSmall {
  const isSign = points < SIGN_POINTS;
  if (known !== undefined && !isSign) return { words: known, placing: [] };
  const small = smallRasters(raster, isSign ? SIGN_SIDES : CROPS.sides, vocabulary);
  return {
    words: small.map(({ nearest }) => nearest),
    placing: isSign ? small.filter((_, k) => k % PLACING_STEP === 0) : [],
  };
}

/**
 * Adds the points of a query's small rasters to those of its main one, `raster`, and finds the nearest words of the first of each. The descriptors of the main
 * one are used up; everything derived from pixels on the way is zeroed.
 */
export function extractQuery(raster: Luma, main: Extraction, vocabulary: Vocabulary): QueryPoints {
  const found = [named(main, NAMED.main, vocabulary), ...smallRasters(raster, CROPS.sides, vocabulary)];
  return {
    features: joinFeatures(found.map(({ features }) => features)),
    nearest: found.map(({ nearest }) => nearest),
    probes: probesOf(found),
  };
}
