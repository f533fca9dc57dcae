import { discard } from "../image/discard.ts";
import { BITS_STRIDE } from "../features/binarise.ts";
import { extractFeatures, type Extraction } from "./extract-features.ts";
import type { Features } from "../features/features.ts";
import type { Luma } from "../image/luma.ts";
import { rescale } from "../geometry/rescale.ts";
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
const SIGN_SIDES = Array.from({ length: 12 }, (_, k) => Math.round(CROPS.sides[0] * 2 ** (-k / 8)));
const SIGN_POINTS = 300;
/** Strongest points of the main raster, and of a small one, that get words; all are described, and compared once a candidate is found by these. */
const NAMED = { main: 1000, small: 150 } as const;
/** A crop's raster has at most this share of the main one's side. */
const MAX_CROP_SHARE = 0.8;

/** What is found in a query. */
export interface QueryPoints {
  /** The points of all rasters, the main one's first, in its pixels. */
  readonly features: Features;
  /** For each raster `NEAREST_WORDS` words a point, in the same order, of its strongest points. */
  readonly nearest: readonly Int32Array[];
  /** As `Query.probes`. */
  readonly probes: Int32Array;
}

/** All points of several rasters of one picture in the pixels of the first. */
function joined(rasters: readonly Features[]): Features {
  const { width, height } = rasters[0]!;
  const count = rasters.reduce((sum, features) => sum + features.count, 0);
  const column = (of: (features: Features) => Float32Array): Float32Array => {
    const values = new Float32Array(count);
    let at = 0;
    for (const features of rasters) {
      values.set(of(features), at);
      at += features.count;
    }
    return values;
  };
  const bits = new Uint32Array(count * BITS_STRIDE);
  let at = 0;
  for (const features of rasters) {
    bits.set(features.bits, at);
    at += features.bits.length;
  }
  return {
    width,
    height,
    count,
    x: column((features) => features.x.map((x) => rescale(x, features.width, width))),
    y: column((features) => features.y.map((y) => rescale(y, features.height, height))),
    size: column((features) => {
      const scale = Math.sqrt((width * height) / (features.width * features.height));
      return features.size.map((size) => size * scale);
    }),
    angle: column((features) => features.angle),
    response: column((features) => features.response),
    bits,
  };
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

/** The points of one raster, with `NEAREST_WORDS` words for each of the strongest. */
interface NamedPoints {
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

/**
 * How an original of so many points looks where it is shown in small: for each of some small rasters of its main one `NEAREST_WORDS` words a point,
 * strongest first.
 * @param known the same of a query's small rasters, which are enough for an original with many points
 */
export function wordsInSmall(
  raster: Luma,
  points: number,
  vocabulary: Vocabulary,
  known?: readonly Int32Array[],
): readonly Int32Array[] {
  const sides = points < SIGN_POINTS ? SIGN_SIDES : CROPS.sides;
  if (known !== undefined && sides === CROPS.sides) return known;
  return smallRasters(raster, sides, vocabulary).map(({ nearest }) => nearest);
}

/**
 * Adds the points of a query's small rasters to those of its main one, `raster`, and finds the nearest words of the strongest. The descriptors of the main
 * one are used up; everything derived from pixels on the way is zeroed.
 */
export function extractQuery(raster: Luma, main: Extraction, vocabulary: Vocabulary): QueryPoints {
  const found = [named(main, NAMED.main, vocabulary), ...smallRasters(raster, CROPS.sides, vocabulary)];
  return {
    features: joined(found.map(({ features }) => features)),
    nearest: found.map(({ nearest }) => nearest),
    probes: probesOf(found),
  };
}
