import type { Features } from "../../features/features.ts";
import { type PlanarMap, invertMap, multiplyMaps } from "../../geometry/planar-map.ts";
import { type Polygon, UNIT_SQUARE, areaOf } from "../../geometry/polygon.ts";
import { textLikenessOf } from "../../signature/whole-signature.ts";
import type { StoredOriginal } from "../../packet/original.ts";
import type { Comparison } from "../compare/compare-layer.ts";
import type { Comparisons } from "../compare/compare-candidate.ts";
import { AGREES } from "../compare/telling.ts";
import { LIMITS } from "../limits.ts";
import { contentOf } from "./content.ts";
import { type Lens, type Place, type Size, type Overlap, overlapOf, shownAt } from "./place.ts";

/** Least agreement of the compared blocks on the average where a query shows the original all over. */
const ALL_OVER = 0.4;
/** Least share of either picture that shows in the other where they are the same from edge to edge. */
const EDGE_TO_EDGE = 0.85;
/**
 * How far the map of a whole picture may be from the whole on the whole, in shares of the pictures: less than anybody
 * crops.
 */
const EXACT = 0.005;
/** Originals more printed than this are lettering, codes, badges or drawings on a ground of their own. */
const PRINTED = 0.5;

/** From the unit square to the pixels of a picture, their centres at integers. */
const toPixels = ({ width, height }: Size): PlanarMap =>
  Float64Array.of(width, 0, -0.5, 0, height, -0.5, 0, 0, 1);
const toUnits = ({ width, height }: Size): PlanarMap =>
  Float64Array.of(1 / width, 0, 0.5 / width, 0, 1 / height, 0.5 / height, 0, 0, 1);

function agreeingBlocks({ blocks }: Comparison): number[] {
  return Array.from(blocks.inPlace.keys()).filter((k) => blocks.inPlace[k]! > AGREES);
}

/** The layer on which more blocks agree: its alignment is the surer one. */
function surerLayer({ coarse, fine }: Comparisons): Comparison | null {
  if (coarse === null || fine === null) return coarse ?? fine;
  return agreeingBlocks(fine).length >= agreeingBlocks(coarse).length ? fine : coarse;
}

/** A comparison's map turned round, between unit squares, positive where blocks agree. */
function placeMap(comparison: Comparison, query: Size): PlanarMap {
  const { map, layer, blocks } = comparison;
  const back = invertMap(map);
  if (back === null) throw new Error("A query was compared under a map that cannot be turned round.");
  const place = multiplyMaps(toUnits(query), multiplyMaps(back, toPixels(layer)));
  const agreeing = agreeingBlocks(comparison);
  const mean = (values: Float64Array): number =>
    agreeing.reduce((sum, k) => sum + values[k]! + 0.5, 0) / agreeing.length;
  const facing =
    place[6]! * (mean(blocks.x) / layer.width) + place[7]! * (mean(blocks.y) / layer.height) + place[8]!;
  return facing < 0 ? place.map((value) => -value) : place;
}

/**
 * Whether what the query shows within the original is the original: strange blocks agree by chance, nothing on the
 * average.
 */
function agreesAllOver({ blocks }: Comparison): boolean {
  const compared = Array.from(blocks.energy.keys()).filter((k) => blocks.energy[k]! >= LIMITS.compare.energy);
  return compared.reduce((sum, k) => sum + blocks.inPlace[k]!, 0) >= ALL_OVER * compared.length;
}

/** What is known of a match beside its comparisons. */
export interface Circumstances {
  readonly query: Size;
  readonly lens: Lens | null;
  readonly isInverted: boolean;
  /** Found as the whole picture, not by points. */
  readonly isFoundAsWhole: boolean;
  /** Whether the two pictures look alike as wholes. */
  readonly isAlike: () => boolean;
}

/** A match with its place. */
export interface Located {
  readonly place: Place;
  /** The raster that the original keeps of its picture: its proportions, not its size. */
  readonly raster: Size;
  /** What the query shows of the original: convex polygons, in the query's unit square. */
  readonly shown: readonly Polygon[];
}

/**
 * Where a matched original lies in the query, and what the query shows of it: all of the original's region when the
 * query agrees with it all over. Of printed matter, and of what is only a part of its own picture, the content alone:
 * an empty ground is nobody's.
 */
export function locate(
  comparisons: Comparisons,
  original: Pick<StoredOriginal, "features" | "whole">,
  about: Circumstances,
): Located {
  const surer = surerLayer(comparisons);
  if (surer === null) throw new Error("A match was compared on no layer.");
  const { query, lens, isInverted, isFoundAsWhole, isAlike } = about;
  const edges = { map: placeMap(surer, query), lens };
  const overlap = overlapOf(edges);
  const allOver = agreesAllOver(surer);
  const isWhole = isFoundAsWhole || (allOver && isEdgeToEdge(overlap) && isAlike());
  const map = isWhole ? wholeOnWhole(edges.map, isFoundAsWhole ? 0.5 : EXACT) : edges.map;
  const place = { map, lens, isInverted, isWhole };
  const raster = { width: original.features.width, height: original.features.height };
  if (isWhole) return { place, raster, shown: [UNIT_SQUARE] };
  const isOwnGround = textLikenessOf(original.whole) > PRINTED || !allOver;
  return { place, raster, shown: isOwnGround ? contentAt(edges, original.features) : [overlap.region] };
}

/** The whole on the whole, turned or mirrored, where the map is as near to that as `tolerance`; else the map itself. */
function wholeOnWhole(map: PlanarMap, tolerance: number): PlanarMap {
  const scaled = map.map((value) => value / map[8]!);
  const exact = scaled.map((value) => Math.round(value) + 0);
  const isNear = scaled.every((value, k) => Math.abs(value - exact[k]!) <= tolerance);
  const area = exact[0]! * exact[4]! - exact[1]! * exact[3]!;
  return isNear && Math.abs(area) === 1 && exact[6] === 0 && exact[7] === 0 ? exact : map;
}

function isEdgeToEdge({ region, part }: Overlap): boolean {
  return Math.min(areaOf(region), areaOf(part)) >= EDGE_TO_EDGE;
}

function contentAt(edges: Pick<Place, "map" | "lens">, features: Features): readonly Polygon[] {
  return contentOf(features)
    .map((part) => shownAt(edges, part))
    .filter((part) => areaOf(part) > 0);
}
