import { WEAK } from "../../signature/block-kinds.ts";
import type { PlacedPoints, PointAgreement } from "../compare/point-agreement.ts";
import { type BlockGrid, PLAIN, placeOfPoint } from "./block-grid.ts";
import type { LookedAt } from "./looked-at.ts";
import { CLEAR, GOOD, SAME_POINT } from "./levels.ts";
import { beside, connected } from "./neighbours.ts";
import { type Signs, quantile } from "./sign-list.ts";
import { BOLD, UsualEnergy } from "./usual-energy.ts";

/**
 * What two fillings of one form exchange: in some places the query shows what the original does not, and in others it
 * lacks what the original shows, where it looks like the ground around. What is laid over a picture only adds. Counts,
 * not shares: on a map or a board little is exchanged, and it is all that tells two pictures apart.
 */
export interface Exchanged {
  /** Blocks that are asked, and those that do not agree. */
  readonly used: number;
  readonly bad: number;
  /**
   * Of the latter those with more detail than agreeing blocks around them have, and those with no more, plain places
   * where points of the original are gone among them.
   */
  readonly bolder: number;
  readonly plainer: number;
  /**
   * Blocks and plain places that do not agree and lie beside each other, three at least, and the most that do; of the
   * bolder alone, and of the plainer.
   */
  readonly connected: number;
  readonly largest: number;
  readonly largestBolder: number;
  readonly largestPlainer: number;
  /**
   * Of the blocks that agree, those beside one that does not, and how many of them do so clearly; the same of the
   * others.
   */
  readonly beside: number;
  readonly clearBeside: number;
  readonly apart: number;
  readonly clearApart: number;
  /**
   * Points of the original that are gone where the query is bolder, and where it is plainer; those found again where
   * blocks do not agree.
   */
  readonly goneUnderBolder: number;
  readonly goneFromPlainer: number;
  readonly foundInBad: number;
  /**
   * Of the stronger half of the original's points, and of the fainter: how many are covered, and how many of these are
   * gone.
   */
  readonly strong: number;
  readonly strongGone: number;
  readonly faint: number;
  readonly faintGone: number;
  /** Points of the query without a counterpart: a block that does not agree, and one that does. */
  readonly newInBad: number;
  readonly newInGood: number;
}

/** Steps each way that are around a block. */
const AROUND = 2;
/** Fewest blocks that are connected. */
const CONNECTED = 3;

const AGREES = 1;
const BOLDER = 2;
const PLAINER = 3;

/** Of the places in one of some states, those that lie beside each other, three at least, and the most that do. */
interface Groups {
  readonly connected: number;
  readonly largest: number;
}

const ONLY_BOLDER = 1 << BOLDER;
const ONLY_PLAINER = 1 << PLAINER;
const BAD = ONLY_BOLDER | ONLY_PLAINER;

/** Which places are in one of some states. @param mask a bit for each state that counts */
function inStates(states: Uint8Array, mask: number): Uint8Array {
  const counts = new Uint8Array(states.length);
  for (let place = 0; place < states.length; place += 1) counts[place] = (mask >> states[place]!) & 1;
  return counts;
}

/** Gathers the places that are in one of some states. */
function groups(states: Uint8Array, grid: BlockGrid, mask: number): Groups {
  let [sum, largest] = [0, 0];
  for (const { length } of connected(inStates(states, mask), grid)) {
    if (length >= CONNECTED) sum += length;
    largest = Math.max(largest, length);
  }
  return { connected: sum, largest };
}

/** Points by the place of the grid that they lie at. */
interface PointsByPlace {
  /** The original's, found again or gone, and the query's that have no counterpart. */
  readonly found: Uint16Array;
  readonly gone: Uint16Array;
  readonly fresh: Uint16Array;
}

function pointsByPlace({ original, query }: PointAgreement, { layer, grid }: LookedAt): PointsByPlace {
  const column = (): Uint16Array => new Uint16Array(grid.at.length);
  const points = { found: column(), gone: column(), fresh: column() };
  for (let i = 0; i < original.x.length; i += 1) {
    if (original.covered[i] === 0) continue;
    const place = placeOfPoint(original, i, layer, grid);
    points[original.distance[i]! > SAME_POINT ? "gone" : "found"][place]! += 1;
  }
  for (let j = 0; j < query.x.length; j += 1) {
    if (query.covered[j] === 0 || query.distance[j]! <= SAME_POINT) continue;
    points.fresh[placeOfPoint(query, j, layer, grid)]! += 1;
  }
  return points;
}

type Strength = Pick<Exchanged, "strong" | "strongGone" | "faint" | "faintGone">;

/** How the stronger and the fainter half of the original's points fare. */
function byStrength({ covered, distance }: PlacedPoints): Strength {
  const half = covered.length >> 1;
  const counts = { strong: 0, strongGone: 0, faint: 0, faintGone: 0 };
  for (let i = 0; i < covered.length; i += 1) {
    if (covered[i] === 0) continue;
    counts[i < half ? "strong" : "faint"] += 1;
    counts[i < half ? "strongGone" : "faintGone"] += Number(distance[i]! > SAME_POINT);
  }
  return counts;
}

const isAsked = (kinds: Uint8Array, k: number): boolean => k >= 0 && kinds[k] !== WEAK;

/**
 * What each place of the grid is: 0 where nothing tells. What does not agree is held against what agrees around it, or
 * against all that agrees where that is little.
 */
function statesOf(looked: LookedAt, gone: Uint16Array): Uint8Array {
  const { layer, kinds, grid } = looked;
  const { blocks, isEmpty } = layer;
  const { at } = grid;
  const states = new Uint8Array(at.length);
  const energies = new Float64Array(at.length);
  let count = 0;
  for (let place = 0; place < at.length; place += 1) {
    const k = at[place]!;
    if (isAsked(kinds, k) && blocks.inPlace[k]! > GOOD) {
      states[place] = AGREES;
      energies[count] = blocks.energy[k]!;
      count += 1;
    }
  }
  const ground = quantile(energies.subarray(0, count).toSorted(), 0.5);
  const energy = new UsualEnergy(looked, AROUND);
  const agrees = (place: number): boolean => states[place] === AGREES;
  for (let place = 0; place < at.length; place += 1) {
    const k = at[place]!;
    if (agrees(place)) continue;
    if (isAsked(kinds, k)) {
      const usual = energy.around(place, agrees) ?? ground;
      states[place] = blocks.energy[k]! > BOLD * usual ? BOLDER : PLAINER;
    } else if (k === PLAIN && isEmpty[place] !== 1 && gone[place]! > 0) {
      states[place] = PLAINER;
    }
  }
  return states;
}

type Neighbours = Pick<Exchanged, "beside" | "clearBeside" | "apart" | "clearApart">;

/** How clearly blocks agree that lie beside such as do not, and others. */
function neighbours(states: Uint8Array, { layer: { blocks }, grid }: LookedAt): Neighbours {
  const isBeside = beside(inStates(states, BAD), grid);
  const counts = { beside: 0, clearBeside: 0, apart: 0, clearApart: 0 };
  for (let place = 0; place < states.length; place += 1) {
    if (states[place] !== AGREES) continue;
    const isClear = Number(blocks.inPlace[grid.at[place]!]! > CLEAR);
    counts[isBeside[place] === 1 ? "beside" : "apart"] += 1;
    counts[isBeside[place] === 1 ? "clearBeside" : "clearApart"] += isClear;
  }
  return counts;
}

/** Looks for what is exchanged on the finest layer that was compared; null without one. */
export function exchangedIn(looked: LookedAt | null, points: PointAgreement | null): Exchanged | null {
  if (looked === null || points === null) return null;
  const { found, gone, fresh } = pointsByPlace(points, looked);
  const states = statesOf(looked, gone);
  const [count, goneIn, foundIn, freshIn] = [
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ];
  for (let place = 0; place < states.length; place += 1) {
    const state = states[place]!;
    count[state]! += 1;
    goneIn[state]! += gone[place]!;
    foundIn[state]! += found[place]!;
    freshIn[state]! += fresh[place]!;
  }
  const bad = count[BOLDER]! + count[PLAINER]!;
  return {
    used: count[AGREES]! + bad,
    bad,
    bolder: count[BOLDER]!,
    plainer: count[PLAINER]!,
    ...groups(states, looked.grid, BAD),
    largestBolder: groups(states, looked.grid, ONLY_BOLDER).largest,
    largestPlainer: groups(states, looked.grid, ONLY_PLAINER).largest,
    ...neighbours(states, looked),
    goneUnderBolder: goneIn[BOLDER]!,
    goneFromPlainer: goneIn[PLAINER]!,
    foundInBad: foundIn[BOLDER]! + foundIn[PLAINER]!,
    ...byStrength(points.original),
    newInBad: freshIn[BOLDER]! + freshIn[PLAINER]!,
    newInGood: freshIn[AGREES]!,
  };
}

/** Adds what is exchanged to the signs. */
export function addExchanged(signs: Signs, looked: LookedAt | null, points: PointAgreement | null): void {
  const e = exchangedIn(looked, points);
  signs.count("bad", e?.bad);
  signs.share("bad-of-used", e?.bad, e?.used);
  signs.count("connected", e?.connected);
  signs.share("connected-of-bad", e?.connected, e?.bad);
  signs.count("largest", e?.largest);
  signs.count("bolder", e?.bolder);
  signs.count("plainer", e?.plainer);
  signs.share("plainer-of-bad", e?.plainer, e?.bad);
  signs.count("both", e === null ? 0 : Math.min(e.bolder, e.plainer));
  signs.count("largest-bolder", e?.largestBolder);
  signs.count("largest-plainer", e?.largestPlainer);
  signs.count("both-connected", e === null ? 0 : Math.min(e.largestBolder, e.largestPlainer));
  signs.share("clear-beside", e?.clearBeside, e?.beside);
  signs.share("clear-apart", e?.clearApart, e?.apart);
  signs.count("gone-under-bolder", e?.goneUnderBolder);
  signs.count("gone-from-plainer", e?.goneFromPlainer);
  signs.share(
    "found-in-bad",
    e?.foundInBad,
    e === null ? 0 : e.foundInBad + e.goneUnderBolder + e.goneFromPlainer,
  );
  signs.share("strong-gone", e?.strongGone, e?.strong);
  signs.share("faint-gone", e?.faintGone, e?.faint);
  signs.share("strong-of-gone", e?.strongGone, e === null ? 0 : e.strongGone + e.faintGone);
  // A block on average: eight points at most.
  signs.share("new-in-bad", e?.newInBad, 8 * (e?.bad ?? 0));
  signs.share("new-in-good", e?.newInGood, e === null ? 0 : 8 * (e.used - e.bad));
}
