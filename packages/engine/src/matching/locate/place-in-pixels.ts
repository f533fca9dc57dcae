import { type Polygon, UNIT_SQUARE, centroidOf } from "../../geometry/polygon.ts";
import { type Place, type Posture, type Size, overlapOf, postureAt } from "./place.ts";

/** A place for a caller: corners in the pixels of the two pictures, from edge `[0, 0]` to edge `[width, height]`. */
export interface PlaceInPixels extends Posture {
  /** Where the original shows in the query, three to eight corners; null where nothing of it does. */
  readonly region: Polygon | null;
  /** Which part of the original shows, the same corners. */
  readonly part: Polygon | null;
  readonly isInverted: boolean;
}

/** Decimals of a corner and of an angle, and digits of a scale: beyond what a place is known to. */
const DECIMALS = 2;
const DIGITS = 6;

const rounded = (value: number): number => Number(value.toFixed(DECIMALS)) + 0;

/** A place between pictures of these sizes; posture and scale are those at the middle of the part that shows. */
export function placeInPixels(place: Place, original: Size, query: Size): PlaceInPixels {
  const { region, part } = overlapOf(place);
  const shows = part.length >= 3;
  const { isMirrored, turned, scale } = postureAt(
    place,
    original,
    query,
    centroidOf(shows ? part : UNIT_SQUARE),
  );
  const degrees = rounded(turned);
  return {
    region: shows ? inPixels(region, query) : null,
    part: shows ? inPixels(part, original) : null,
    isMirrored,
    isInverted: place.isInverted,
    turned: degrees === -180 ? 180 : degrees,
    scale: Number(scale.toPrecision(DIGITS)),
  };
}

function inPixels(polygon: Polygon, { width, height }: Size): Polygon {
  return polygon.map(([x, y]) => [rounded(width * clamped(x)), rounded(height * clamped(y))]);
}

function clamped(share: number): number {
  return Math.min(1, Math.max(0, share));
}
