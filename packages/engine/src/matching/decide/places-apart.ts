import { GRAPHIC, NATURAL, RULE, WEAK } from "../../signature/block-kinds.ts";
import { type LookedAt, energyAt } from "./looked-at.ts";
import { connected } from "./neighbours.ts";
import type { Signs } from "./sign-list.ts";
import { BOLD, UsualEnergy } from "./usual-energy.ts";

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

/** Steps each way that are around one. */
const AROUND = 3;

/** Looks at the steps that are apart. `points`: how many lie at each step. */
function placesApart(points: Uint8Array, isApart: Uint8Array, looked: LookedAt): PlacesApart {
  const { kinds, grid } = looked;
  const energy = new UsualEnergy(looked, AROUND);
  const isSame = (place: number): boolean => points[place]! > 0 && isApart[place] === 0;
  const counts = { told: 0, bolder: 0, plainer: 0, natural: 0, drawn: 0, plain: 0 };
  for (let place = 0; place < isApart.length; place += 1) {
    counts.told += Number(points[place]! > 0);
    if (isApart[place] === 0) continue;
    const block = grid.at[place]!;
    const kind = block < 0 ? WEAK : kinds[block]!;
    counts.natural += Number(kind === NATURAL);
    counts.drawn += Number(kind === GRAPHIC || kind === RULE);
    counts.plain += Number(kind === WEAK);
    const usual = energy.around(place, isSame);
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
