import { GRAPHIC, NATURAL, RULE, WEAK } from "../../signature/block-kinds.ts";
import type { LookedAt } from "./looked-at.ts";
import { around, connected, roomAround } from "./neighbours.ts";
import { type Signs, quantile } from "./sign-list.ts";

/** Steps of a layer's grid at which points say that something else is there. */
interface PlacesApart {
  /**
   * Steps at which a point lies; of these, those apart, the most beside each other, and how many groups of such there
   * are.
   */
  readonly told: number;
  readonly apart: number;
  readonly largest: number;
  readonly groups: number;
  /** Those at which the query has more energy than where points around are the same, and those with no more. */
  readonly bolder: number;
  readonly plainer: number;
  /** Those at which it shows something photographed, something drawn, and next to nothing. */
  readonly natural: number;
  readonly drawn: number;
  readonly plain: number;
}

/** As much more energy than around makes a step bold: so many steps around, so many with a point at least. */
const BOLD = 1.25;
const AROUND = 3;
const FEW_AROUND = 3;

function energyAt({ layer, grid }: LookedAt, place: number): number {
  const [k, plain] = [grid.at[place]!, grid.plainAt[place]!];
  if (k >= 0) return layer.blocks.energy[k]!;
  return plain >= 0 ? layer.plain.energy[plain]! : 0;
}

/** Median energy of the steps around one at which points are the same; null of few. */
function usualAround(
  place: number,
  points: Uint8Array,
  isApart: Uint8Array,
  looked: LookedAt,
  near: Int32Array,
): number | null {
  const energies = new Float64Array(near.length);
  const reached = around(place, looked.grid, AROUND, near);
  let count = 0;
  for (let n = 0; n < reached; n += 1) {
    const other = near[n]!;
    if (points[other] === 0 || isApart[other] === 1) continue;
    energies[count] = energyAt(looked, other);
    count += 1;
  }
  return count < FEW_AROUND ? null : quantile(energies.subarray(0, count).toSorted(), 0.5);
}

/** Looks at the steps that are apart. `points`: how many lie at each step. */
function placesApart(points: Uint8Array, isApart: Uint8Array, looked: LookedAt): PlacesApart {
  const { kinds, grid } = looked;
  const near = roomAround(AROUND);
  const counts = { told: 0, bolder: 0, plainer: 0, natural: 0, drawn: 0, plain: 0 };
  for (let place = 0; place < isApart.length; place += 1) {
    counts.told += Number(points[place]! > 0);
    if (isApart[place] === 0) continue;
    const block = grid.at[place]!;
    const kind = block < 0 ? WEAK : kinds[block]!;
    counts.natural += Number(kind === NATURAL);
    counts.drawn += Number(kind === GRAPHIC || kind === RULE);
    counts.plain += Number(kind === WEAK);
    const usual = usualAround(place, points, isApart, looked, near);
    if (usual !== null) counts[energyAt(looked, place) > BOLD * usual ? "bolder" : "plainer"] += 1;
  }
  const sizes = connected(isApart, grid).map(({ length }) => length);
  return {
    ...counts,
    apart: sizes.reduce((sum, size) => sum + size, 0),
    largest: Math.max(0, ...sizes),
    groups: sizes.length,
  };
}

/**
 * Adds what the steps that are apart look like to the signs. `isApart`: of each step of the grid; null without a closer
 * look.
 */
export function addPlacesApart(
  signs: Signs,
  points: Uint8Array | null,
  isApart: Uint8Array | null,
  looked: LookedAt | null,
): void {
  const p =
    points !== null && isApart !== null && looked !== null ? placesApart(points, isApart, looked) : null;
  signs.share("places", p?.apart, p?.told);
  signs.count("places-count", p?.apart);
  signs.count("largest", p?.largest);
  signs.share("largest-of-all", p?.largest, p?.apart);
  signs.count("groups", p?.groups);
  signs.count("bolder", p?.bolder);
  signs.count("plainer", p?.plainer);
  signs.count("natural", p?.natural);
  signs.count("drawn", p?.drawn);
  signs.count("plain", p?.plain);
}
