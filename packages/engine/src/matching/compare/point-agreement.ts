import type { Features } from "../../features/features.ts";
import { hamming } from "../../features/hamming.ts";
import { type PlanarMap, applyMap, invertMap } from "../../geometry/planar-map.ts";
import { rescaleAll } from "../../geometry/rescale.ts";
import type { Query } from "../../packet/query.ts";
import type { ResidualLayer } from "../../signature/block-signature.ts";

/** The distance of a point that has none of the other picture near its place. */
export const NONE_NEAR = 255;

/**
 * Points of one picture where they lie on the original's map, cells, and how the other picture's points near there
 * agree.
 */
export interface PlacedPoints {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Whether the other picture covers the place. */
  readonly covered: Uint8Array;
  /** Fewest differing bits to a point of the other near the place; `NONE_NEAR` without one. */
  readonly distance: Uint8Array;
}

export interface PointAgreement {
  readonly original: PlacedPoints;
  readonly query: PlacedPoints;
}

/** A point counts as near its place within this share of the map's longer side. */
const REACH = 0.012;
/** Points of which one is this many times as large as predicted are not the same. */
const SIZE_FACTOR = 1.7;

function placedAt(x: Float64Array, y: Float64Array): PlacedPoints {
  return {
    x,
    y,
    covered: new Uint8Array(x.length),
    distance: new Uint8Array(x.length).fill(NONE_NEAR),
  };
}

/**
 * Points by the square of the map that they lie in: the first of each square, and after each point the next one; -1 is
 * none.
 */
class Squares {
  readonly #columns: number;
  readonly #side: number;
  readonly #first: Int32Array;
  readonly next: Int32Array;

  constructor({ x, y }: PlacedPoints, { width, height }: ResidualLayer, side: number) {
    // One more on every side, for points at the rim and for what lies around it.
    this.#columns = Math.ceil(width / side) + 3;
    this.#side = side;
    this.#first = new Int32Array(this.#columns * (Math.ceil(height / side) + 3)).fill(-1);
    this.next = new Int32Array(x.length);
    for (let k = 0; k < x.length; k += 1) {
      const square = this.of(x[k]!, y[k]!);
      this.next[k] = this.#first[square]!;
      this.#first[square] = k;
    }
  }

  /** The square of a place that lies on the map, or half a cell beyond its rim. */
  of(x: number, y: number): number {
    return (Math.floor(y / this.#side) + 1) * this.#columns + Math.floor(x / this.#side) + 1;
  }

  /** The first point in one of the nine squares about one. */
  firstNear(square: number, near: number): number {
    return this.#first[square + (Math.floor(near / 3) - 1) * this.#columns + (near % 3) - 1]!;
  }
}

/** How many times as large on the map as in the query. */
function enlargement(map: PlanarMap, x: number, y: number): number {
  const { x: x0, y: y0 } = applyMap(map, x - 4, y - 4);
  const { x: x1, y: y1 } = applyMap(map, x + 4, y + 4);
  return Math.hypot(x1 - x0, y1 - y0) / Math.hypot(8, 8);
}

/**
 * Looks for each point of the two pictures where the alignment puts it in the other. `bits`: the query's descriptors in
 * the variant in which it was placed. `map`: pixels of the query's luma to cells.
 */
export function pointAgreement(
  original: Features,
  { features, luma }: Pick<Query, "features" | "luma">,
  bits: Uint32Array,
  map: PlanarMap,
  layer: ResidualLayer,
): PointAgreement {
  const own = placedAt(
    rescaleAll(original.x, original.width, layer.width),
    rescaleAll(original.y, original.height, layer.height),
  );
  const asked = placedAt(
    rescaleAll(features.x, features.width, luma.width),
    rescaleAll(features.y, features.height, luma.height),
  );
  const middle = enlargement(map, luma.width / 2, luma.height / 2);
  const askedScale = (middle * luma.width) / features.width;
  const ownScale = layer.width / original.width;
  for (let j = 0; j < features.count; j += 1) {
    const { x, y } = applyMap(map, asked.x[j]!, asked.y[j]!);
    asked.x[j] = x;
    asked.y[j] = y;
    asked.covered[j] = Number(x >= 0 && y >= 0 && x < layer.width && y < layer.height);
  }
  const inverse = invertMap(map);
  if (inverse !== null) {
    for (let i = 0; i < original.count; i += 1) {
      const { x, y } = applyMap(inverse, own.x[i]!, own.y[i]!);
      own.covered[i] = Number(x >= 0 && y >= 0 && x < luma.width && y < luma.height);
    }
  }
  const reach = REACH * Math.max(layer.width, layer.height);
  const squares = new Squares(own, layer, reach);
  for (let j = 0; j < features.count; j += 1) {
    if (asked.covered[j] === 0) continue;
    const square = squares.of(asked.x[j]!, asked.y[j]!);
    for (let near = 0; near < 9; near += 1) {
      for (let i = squares.firstNear(square, near); i >= 0; i = squares.next[i]!) {
        const [dx, dy] = [own.x[i]! - asked.x[j]!, own.y[i]! - asked.y[j]!];
        if (dx * dx + dy * dy > reach * reach) continue;
        const ratio = (original.size[i]! * ownScale) / (features.size[j]! * askedScale);
        if (ratio > SIZE_FACTOR || ratio < 1 / SIZE_FACTOR) continue;
        const distance = hamming(original.bits, i, bits, j);
        if (distance < own.distance[i]!) own.distance[i] = distance;
        if (distance < asked.distance[j]!) asked.distance[j] = distance;
      }
    }
  }
  return { original: own, query: asked };
}
