import { discard } from "../image/discard.ts";
import { extractFeatures, type Extraction } from "./extract-features.ts";
import { findSigns } from "./signs/find-signs.ts";
import type { Features } from "../features/features.ts";
import { joinFeatures } from "../features/join-features.ts";
import type { Luma } from "../image/luma.ts";
import { type Box, cutLuma, fittedSize, shrinkLuma } from "../image/raster.ts";
import { DESCRIPTOR_LENGTH } from "../features/sift/descriptor.ts";
import { PROBES_PER_POINT } from "../packet/query.ts";
import { NEAREST_WORDS } from "../words/nearest-words.ts";
import type { Vocabulary } from "../words/vocabulary.ts";
import type { AskingWords } from "./select-words.ts";

/**
 * The rasters in which an original's own raster shows its crops of 20, 10 and 5 % of the area. Most points of an
 * original are as fine as its raster allows; a crop sampled more finely lacks them, or has them described otherwise.
 */
const CROPS = { sides: [214, 151, 107], limit: 300 } as const;
/**
 * Sides of the rasters that show how an original with fewer points than `SIGN_POINTS` looks in small, an eighth of an
 * octave apart: there a point's word hangs on how the raster happens to sample it.
 */
const SIGN_SIDES = Array.from({ length: 13 }, (_, k) => Math.round(CROPS.sides[0] * 2 ** (-k / 8)));
/** Of every so many of these rasters, half an octave apart, the points are kept, too. */
const PLACING_STEP = 4;
const SIGN_POINTS = 300;
/**
 * What is looked at closely: a sign in a small part of a picture, by itself and as finely as there are pixels. Among a
 * photograph's points its own are few, and too small to be described as they are where it is registered. Its raster's
 * longest side, and points of it and of each small one.
 */
const SIGNS = { side: 480, limit: 300, limitInSmall: 25 } as const;
/**
 * First points of the main raster in the order in which they ask, and strongest of another one, that get words; all are
 * described, and compared once a candidate is found by these.
 */
const NAMED = { main: 1000, other: 150 } as const;
/** A crop's raster has at most this share of the main one's side. */
const MAX_CROP_SHARE = 0.8;

/** What is found in a query. */
export interface QueryPoints {
  /** The points of all rasters, the main one's first, in its pixels. */
  readonly features: Features;
  /** For each raster `NEAREST_WORDS` words a point, in the same order, of its first points. */
  readonly nearest: AskingWords;
  /** As `Query.probes`. */
  readonly probes: Int32Array;
}

/** The points of one of the small rasters. */
function cropPoints(main: Luma, side: number, limit: number): Extraction {
  const { width, height } = fittedSize(main.width, main.height, side);
  const raster = shrinkLuma(main, width, height);
  try {
    return extractFeatures(raster, { limit, thinBursts: false });
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

function smallRasters(
  raster: Luma,
  sides: readonly number[],
  vocabulary: Vocabulary,
  limit: number = CROPS.limit,
): NamedPoints[] {
  const longest = Math.max(raster.width, raster.height);
  return sides
    .filter((side) => side <= MAX_CROP_SHARE * longest)
    .map((side) => named(cropPoints(raster, side, limit), NAMED.other, vocabulary));
}

/**
 * Points of a part of a picture, in whatever raster they were found, placed in the whole picture at the size of that
 * raster.
 */
function placedIn(luma: Luma, box: Box, { features, nearest }: NamedPoints): NamedPoints {
  const [across, down] = [features.width / box.width, features.height / box.height];
  return {
    nearest,
    features: {
      ...features,
      width: luma.width * across,
      height: luma.height * down,
      x: features.x.map((x) => x + box.x * across),
      y: features.y.map((y) => y + box.y * down),
    },
  };
}

/** A sign's points in its own raster, and in small ones, as a query has them that is the sign alone. */
interface SignPoints {
  readonly own: NamedPoints;
  readonly small: readonly NamedPoints[];
}

function signPoints(luma: Luma, box: Box, vocabulary: Vocabulary): SignPoints {
  const longest = Math.min(SIGNS.side, Math.max(box.width, box.height));
  const { width, height } = fittedSize(box.width, box.height, longest);
  const cut = cutLuma(luma, box);
  const raster = shrinkLuma(cut, width, height);
  discard(cut.data);
  try {
    const found = extractFeatures(raster, { limit: SIGNS.limit, thinBursts: false });
    const small = smallRasters(raster, CROPS.sides, vocabulary, SIGNS.limitInSmall);
    return {
      own: placedIn(luma, box, named(found, NAMED.other, vocabulary)),
      small: small.map((points) => placedIn(luma, box, points)),
    };
  } finally {
    discard(raster.data);
  }
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
 * Adds the points of a query's small rasters, and of the signs in it, to those of its main one, `raster`, and finds the
 * nearest words of the first of each. The descriptors of the main one are used up; everything derived from pixels on
 * the way is zeroed, and `luma`, the whole picture, only read.
 */
export function extractQuery(
  luma: Luma,
  raster: Luma,
  mainPoints: Extraction,
  vocabulary: Vocabulary,
): QueryPoints {
  const main = named(mainPoints, NAMED.main, vocabulary);
  const small = smallRasters(raster, CROPS.sides, vocabulary);
  const signs = findSigns(luma).map((box) => signPoints(luma, box, vocabulary));
  const all = [main, ...small, ...signs.flatMap((sign) => [sign.own, ...sign.small])];
  return {
    features: joinFeatures(all.map(({ features }) => features)),
    nearest: {
      main: main.nearest,
      small: small.map(({ nearest }) => nearest),
      signs: signs.map(({ own }) => own.nearest),
      signsInSmall: signs.flatMap((sign) => sign.small.map(({ nearest }) => nearest)),
    },
    probes: probesOf(all),
  };
}
