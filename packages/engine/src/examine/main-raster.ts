import type { Luma } from "../image/luma.ts";
import { fittedSize, resizeLuma } from "../image/raster.ts";
import { MAX_PACKET_POINTS } from "../packet/registration-packet.ts";
import { type Extraction, extractionOf, selectPoints } from "./extract-features.ts";
import { type DescribedPoint, RasterPoints } from "./raster-points.ts";

/** Longest side of the raster in which a picture's points are found, whether it is filed or asked with, pixels. */
export const MAIN_SIDE = 480;
/** Pictures smaller than this are enlarged to twice their size; others below `MAIN_SIDE` keep theirs. */
const SMALL = 240;
/** Most points that a query has in this raster. */
const ASKED_POINTS = 2000;
/**
 * The strongest of them, which come first: what a crop shows of an original is among these, and a mark that was laid on
 * a picture.
 */
const FIRST_ASKED = 500;

/** Longest side of a picture's main raster, pixels. */
export function mainSide({ width, height }: Luma): number {
  const longest = Math.max(width, height);
  return Math.min(MAIN_SIDE, longest < SMALL ? 2 * longest : longest);
}

/** A picture at the size in which its points are found. The caller zeroes it. */
export function mainRaster(luma: Luma): Luma {
  const { width, height } = fittedSize(luma.width, luma.height, mainSide(luma));
  return resizeLuma(luma, width, height);
}

/**
 * Points to file: repeated ones thinned, and faint ones among them, so that a crop of a picture's calm parts finds
 * some, too.
 */
function pointsToFile(raster: RasterPoints): DescribedPoint[] {
  return selectPoints(raster, { limit: MAX_PACKET_POINTS, thinBursts: true, faint: true });
}

/**
 * Points in the order in which they ask: the strongest, then the others, so that any beginning of these is spread over
 * all of them. On a page of lettering the letters are the strongest, and a small picture on it has its share only so.
 */
function inAskingOrder(points: readonly DescribedPoint[]): DescribedPoint[] {
  const others = points.slice(FIRST_ASKED).map((point, k) => ({ point, at: Math.imul(k, 0x9e3779b1) >>> 0 }));
  const spread = others.toSorted((a, b) => a.at - b.at).map(({ point }) => point);
  return [...points.slice(0, FIRST_ASKED), ...spread];
}

/** The points of a picture's main raster that are filed at its registration. The caller zeroes the descriptors. */
export function filedPoints(raster: Luma): Extraction {
  using points = new RasterPoints(raster);
  return extractionOf(points, pointsToFile(points));
}

/** Points to file of a picture that is asked with as well. */
export interface FiledPoints extends Extraction {
  /** Where each is among those that the query has; -1 of one that it has not. */
  readonly amongAsked: Int32Array;
}

/**
 * The points of a picture's main raster that a query has, in the order in which they ask, and, for a registration,
 * those to file, out of one scale space. The caller zeroes the descriptors.
 */
export function mainPoints(
  raster: Luma,
  isFiled: boolean,
): { readonly asked: Extraction; readonly filed: FiledPoints | null } {
  using points = new RasterPoints(raster);
  // Those to file first: what is found for them has all that a query wants.
  const filed = isFiled ? pointsToFile(points) : null;
  const asked = inAskingOrder(selectPoints(points, { limit: ASKED_POINTS, thinBursts: false }));
  const places = new Map(filed && asked.map((point, at) => [point, at]));
  return {
    filed: filed && {
      ...extractionOf(points, filed),
      amongAsked: Int32Array.from(filed, (point) => places.get(point) ?? -1),
    },
    asked: extractionOf(points, asked),
  };
}
