import { discard } from "../image/discard.ts";
import { BITS_STRIDE } from "../features/binarise.ts";
import { extractFeatures } from "./extract-features.ts";
import type { Features } from "../features/features.ts";
import type { Luma } from "../image/luma.ts";
import { rescale } from "../geometry/rescale.ts";
import { fittedSize, resizeLuma } from "../image/raster.ts";
import type { Vocabulary } from "../words/vocabulary.ts";

/** The raster that shows a whole original, also one pasted into a page, and how far small queries are enlarged to it. */
const MAIN = { side: 640, limit: 2000 } as const;
const MAX_ENLARGEMENT = 2;
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

/** Finds a query's points and their nearest words. Everything derived from pixels on the way is zeroed. */
export function extractQuery(luma: Luma, vocabulary: Vocabulary): QueryPoints {
  const longest = Math.max(luma.width, luma.height);
  const mainSide = Math.min(MAIN.side, MAX_ENLARGEMENT * longest);
  const crops = CROPS.sides.filter((side) => side <= MAX_CROP_SHARE * mainSide);
  const kinds = [
    { side: mainSide, limit: MAIN.limit },
    ...crops.map((side) => ({ side, limit: CROPS.limit })),
  ];
  const found = kinds.map(({ side, limit }) => {
    const { width, height } = fittedSize(luma.width, luma.height, side);
    using erasing = new DisposableStack();
    const raster = resizeLuma(luma, width, height);
    erasing.defer(() => discard(raster.data));
    const { features, descriptors } = extractFeatures(raster, { limit, thinBursts: false });
    erasing.defer(() => discard(descriptors));
    return { features, nearest: vocabulary.nearestWords(descriptors) };
  });
  return {
    features: joined(found.map(({ features }) => features)),
    nearest: found.map(({ nearest }) => nearest),
  };
}
