import { type PlanarMap, invertMap } from "../../geometry/planar-map.ts";
import {
  type HalfPlane,
  type Polygon,
  UNIT_SQUARE,
  clip,
  distanceToSegment,
} from "../../geometry/polygon.ts";
import { bentTimes } from "../place/lens.ts";

/**
 * Where an original shows in a query. Both pictures are unit squares, (0, 0) the upper left and (1, 1) the lower right
 * corner by their edges, upright: places in pixels follow from whatever sizes the pictures have.
 */
export interface Place {
  /** From the original to the query; its last row is positive over what shows. */
  readonly map: PlanarMap;
  /** The lens through which the query shows the original: `map` leads to the straightened query; null without one. */
  readonly lens: Lens | null;
  /** Light and dark are exchanged. */
  readonly isInverted: boolean;
  /** Query and original are the same picture from edge to edge. */
  readonly isWhole: boolean;
}

/** Strength of a radial distortion (see `place/lens.ts`), and the query's width for its height. */
export interface Lens {
  readonly strength: number;
  readonly aspect: number;
}

/** Width and height, pixels or cells. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

type Homogeneous = readonly [x: number, y: number, w: number];

const along = (from: Homogeneous, to: Homogeneous, share: number): Homogeneous => [
  from[0] + share * (to[0] - from[0]),
  from[1] + share * (to[1] - from[1]),
  from[2] + share * (to[2] - from[2]),
];

/** The sides of the square from -`margin` to 1 + `margin`. What lies behind the horizon is outside of it. */
const squareSides = (margin: number): readonly HalfPlane<Homogeneous>[] => [
  ([x, , w]) => x + margin * w,
  ([, y, w]) => y + margin * w,
  ([x, , w]) => (1 + margin) * w - x,
  ([, y, w]) => (1 + margin) * w - y,
];
const WITHIN = squareSides(0);
/** A lens moves what lies beyond the edges of the straight picture, this far at most, into the bent one. */
const NEAR = squareSides(1);

function mapped(map: PlanarMap, [x, y]: readonly [number, number]): Homogeneous {
  const row = (r: number): number => map[r]! * x + map[r + 1]! * y + map[r + 2]!;
  return [row(0), row(3), row(6)];
}

const cornerOf = ([x, y, w]: Homogeneous): readonly [number, number] => [x / w, y / w];

/** Where a place of the straightened query lies in the query itself. */
function bent([x, y]: readonly [number, number], { strength, aspect }: Lens): Homogeneous {
  const [dx, dy] = [x - 0.5, y - 0.5];
  const times = bentTimes(strength, (4 * (dx * dx * aspect * aspect + dy * dy)) / (aspect * aspect + 1));
  return [0.5 + dx * times, 0.5 + dy * times, 1];
}

/** Where a place of the query itself lies in the straightened one. */
function straightened(
  [x, y]: readonly [number, number],
  { strength, aspect }: Lens,
): readonly [number, number] {
  const [dx, dy] = [x - 0.5, y - 0.5];
  const divisor = 1 + (strength * 4 * (dx * dx * aspect * aspect + dy * dy)) / (aspect * aspect + 1);
  return [0.5 + dx / divisor, 0.5 + dy / divisor];
}

/**
 * Where a convex part of the original shows in the query: its corners in their order, clipped to the query. Through a
 * lens its sides are straight lines between them all the same.
 */
export function shownAt({ map, lens }: Pick<Place, "map" | "lens">, part: Polygon): Polygon {
  const corners = part.map((corner) => mapped(map, corner));
  if (lens === null) return clip(corners, WITHIN, along).map(cornerOf);
  const bentCorners = clip(corners, NEAR, along).map((corner) => bent(cornerOf(corner), lens));
  return clip(bentCorners, WITHIN, along).map(cornerOf);
}

/**
 * What two pictures have of each other: the same corners in both, from the one nearest to the original's upper left,
 * clockwise in the original.
 */
export interface Overlap {
  /** In the query: the original's corners, clipped to the query. */
  readonly region: Polygon;
  /** In the original. */
  readonly part: Polygon;
}

/**
 * A corner that lies this near to the line between its neighbours, in shares of both pictures, is where an edge grazed
 * the other picture's.
 */
const SLIVER = 0.005;
/** A convex polygon of four corners has no more when it is cut along four lines. */
const MOST_CORNERS = 8;

interface SharedCorner {
  readonly region: readonly [number, number];
  readonly part: readonly [number, number];
}

/** The corners without those that clipping made where the edges of the two pictures all but coincide. */
function withoutSlivers(corners: readonly SharedCorner[]): readonly SharedCorner[] {
  if (corners.length <= 3) return corners;
  const heights = corners.map((corner, k) => {
    const [before, after] = [corners.at(k - 1)!, corners[(k + 1) % corners.length]!];
    return Math.max(
      distanceToSegment(corner.region, before.region, after.region),
      distanceToSegment(corner.part, before.part, after.part),
    );
  });
  const least = Math.min(...heights);
  if (least > SLIVER && corners.length <= MOST_CORNERS) return corners;
  return withoutSlivers(corners.toSpliced(heights.indexOf(least), 1));
}

/** Where the original shows in the query, and which part of it shows. Both are empty where nothing does. */
export function overlapOf(place: Pick<Place, "map" | "lens">): Overlap {
  const { map, lens } = place;
  const back = invertMap(map);
  if (back === null) return { region: [], part: [] };
  const straight = (corner: readonly [number, number]): readonly [number, number] =>
    lens === null ? corner : straightened(corner, lens);
  const corners = withoutSlivers(
    shownAt(place, UNIT_SQUARE).map((corner) => ({
      region: corner,
      part: cornerOf(mapped(back, straight(corner))),
    })),
  );
  const distances = corners.map(({ part: [x, y] }) => x * x + y * y);
  const first = distances.indexOf(Math.min(...distances));
  const ordered = [...corners.slice(first), ...corners.slice(0, first)];
  return { region: ordered.map(({ region }) => region), part: ordered.map(({ part }) => part) };
}

/** How an original lies in a query. */
export interface Posture {
  /** Shown mirrored left to right. */
  readonly isMirrored: boolean;
  /** How far it is then turned clockwise, degrees: above -180, at most 180. */
  readonly turned: number;
  /** Pixels of the query for one of the original: the square root of how areas grow. */
  readonly scale: number;
}

/**
 * How an original of the given size lies in a query of the given size, at a place of the original (of its unit square).
 */
export function postureAt(
  { map }: Pick<Place, "map">,
  original: Size,
  query: Size,
  [x, y]: readonly [number, number],
): Posture {
  const [u, v, w] = mapped(map, [x, y]);
  // The derivatives of the map in pixels: across and down the original.
  const slope = (row: number, column: number, value: number): number =>
    (map[row + column]! - (value / w) * map[6 + column]!) / w;
  const a = slope(0, 0, u) * (query.width / original.width);
  const b = slope(0, 1, u) * (query.width / original.height);
  const c = slope(3, 0, v) * (query.height / original.width);
  const d = slope(3, 1, v) * (query.height / original.height);
  const determinant = a * d - b * c;
  const isMirrored = determinant < 0;
  // The turn of the similarity nearest to the four, a mirrored one's after its first column is turned back.
  const turned = isMirrored ? Math.atan2(-c - b, d - a) : Math.atan2(c - b, a + d);
  const degrees = (turned * 180) / Math.PI;
  return { isMirrored, turned: degrees <= -180 ? 180 : degrees, scale: Math.sqrt(Math.abs(determinant)) };
}
