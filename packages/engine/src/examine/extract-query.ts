import { discard } from "../image/discard.ts";
import { BITS_STRIDE } from "../features/binarise.ts";
import { extractFeatures, type Extraction } from "./extract-features.ts";
import type { Features } from "../features/features.ts";
import type { Luma } from "../image/luma.ts";
import { rescale } from "../geometry/rescale.ts";
import { fittedSize, shrinkLuma } from "../image/raster.ts";
import type { Vocabulary } from "../words/vocabulary.ts";

/**
 * The rasters in which an original's own raster shows its crops of 20, 10 and 5 % of the area. Most points of an original
 * are as fine as its raster allows; a crop sampled more finely lacks them, or has them described otherwise.
 */
const CROPS = { sides: [214, 151, 107], limit: 300 } as const;
/** A crop's raster has at most this share of the main one's side. */
const MAX_CROP_SHARE = 0.8;

/** What is found in a query. */
export interface QueryPoints {
  /** The points of all rasters, the main one's first, in its pixels. */
  readonly features: Features;
  /** For each raster `NEAREST_WORDS` words a point, in the same order. */
  readonly nearest: readonly Int32Array[];
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

/**
 * Adds the points of a query's small rasters to those of its main one, `raster`, and finds the nearest words of all. The descriptors of the main
 * one are used up; everything derived from pixels on the way is zeroed.
 */
export function extractQuery(raster: Luma, main: Extraction, vocabulary: Vocabulary): QueryPoints {
  const longest = Math.max(raster.width, raster.height);
  const sides = CROPS.sides.filter((side) => side <= MAX_CROP_SHARE * longest);
  const named = ({ features, descriptors }: Extraction): { features: Features; nearest: Int32Array } => {
    const nearest = vocabulary.nearestWords(descriptors);
    discard(descriptors);
    return { features, nearest };
  };
  const found = [named(main), ...sides.map((side) => named(cropPoints(raster, side)))];
  return {
    features: joined(found.map(({ features }) => features)),
    nearest: found.map(({ nearest }) => nearest),
  };
}
