import { WEAK } from "../../signature/block-kinds.ts";
import type { PlacedPoints } from "../compare/point-agreement.ts";
import { type BlockGrid, PLAIN, UNSEEN, placeOfPoint } from "./block-grid.ts";
import { CLEAR, GOOD, SAME_POINT } from "./levels.ts";
import { type LookedAt, energyAt } from "./looked-at.ts";
import { around, beside, connected, roomAround } from "./neighbours.ts";
import type { Signs } from "./sign-list.ts";

/**
 * What the ground says: blocks in which the query shows hardly anything. One alone says little, but where the pictures
 * are the same nearly all of them agree, however faint. So where a few beside each other do not, and look like the
 * ground around, the original shows something that the query lacks: nothing lies over it. Under something they do not
 * agree either, but then it is bolder than the ground, or flat.
 */
export interface Ground {
  /** Faint blocks, those that agree, and those that do so clearly. */
  readonly faint: number;
  readonly good: number;
  readonly clear: number;
  /** The same of faint blocks that lie beside nothing bold. */
  readonly apart: number;
  readonly goodApart: number;
  /** Of the blocks that do not agree: bolder than the ground around, flatter, and others that show something. */
  readonly bolder: number;
  readonly flatter: number;
  readonly others: number;
  /** Groups of two and more bold blocks beside each other, and the largest. */
  readonly added: number;
  readonly largestAdded: number;
  /**
   * Faint blocks that do not agree, look like the ground and lie beside nothing bold: all, those in groups of three and
   * more, the groups, and the largest.
   */
  readonly missing: number;
  readonly grouped: number;
  readonly groups: number;
  readonly largestMissing: number;
  /** Points of the original in and beside these groups: gone, and found again. */
  readonly gone: number;
  readonly found: number;
}

/** The ground of a block is what agrees this many steps around it; so many blocks must. */
const AROUND = 3;
const FEW_AROUND = 4;
/**
 * As much more energy than most of the ground has makes a block bold, which needs this much; as much less makes it
 * flat.
 */
const BOLD = 1.25;
const LEAST_BOLD = 2;
const FLAT = 0.5;
const MOST = 0.75;
const GROUP = 3;

const AGREES = 1;
const BOLDER = 2;
const FLATTER = 3;
const LIKE_GROUND = 4;
const OTHER = 5;
/** Drowned in noise or coding: says nothing but that it is flat. */
const UNTOLD = 6;
/** The original shows nothing there, and the query hardly anything. */
const EMPTY = 7;

/** What is known of each place of a grid. */
interface Places {
  readonly isFaint: Uint8Array;
  readonly agreement: Float64Array;
  readonly states: Uint8Array;
}

function placesOf(looked: LookedAt): Places {
  const { layer, kinds, grid } = looked;
  const count = grid.at.length;
  const isFaint = new Uint8Array(count);
  const [agreement, energy] = [new Float64Array(count), new Float64Array(count)];
  const states = new Uint8Array(count);
  for (let place = 0; place < count; place += 1) {
    const k = grid.at[place]!;
    if (k === UNSEEN) continue;
    agreement[place] = k === PLAIN ? layer.plain.inPlace[grid.plainAt[place]!]! : layer.blocks.inPlace[k]!;
    energy[place] = energyAt(looked, place);
    if (layer.isEmpty[place] === 1) {
      states[place] = energy[place]! > LEAST_BOLD ? BOLDER : EMPTY;
    } else if (energy[place]! < layer.spurious) {
      states[place] = UNTOLD;
    } else {
      isFaint[place] = Number(k === PLAIN || kinds[k] === WEAK);
      states[place] = agreement[place]! > GOOD ? AGREES : OTHER;
    }
  }
  tellOthers(states, isFaint, energy, grid);
  return { isFaint, agreement, states };
}

/** Tells the others, and what is untold, by the energy of the ground around them; they stay where that is little. */
function tellOthers(states: Uint8Array, isFaint: Uint8Array, energy: Float64Array, grid: BlockGrid): void {
  const near = roomAround(AROUND);
  for (let place = 0; place < states.length; place += 1) {
    const isUntold = states[place] === UNTOLD;
    if (states[place] !== OTHER && !isUntold) continue;
    const own = energy[place]!;
    let [ground, fainter, bolder] = [0, 0, 0];
    const reached = around(place, grid, AROUND, near);
    for (let n = 0; n < reached; n += 1) {
      const other = near[n]!;
      if (states[other] !== AGREES) continue;
      ground += 1;
      fainter += Number(BOLD * energy[other]! < own);
      bolder += Number(FLAT * energy[other]! > own);
    }
    if (ground < FEW_AROUND) continue;
    if (!isUntold && own > LEAST_BOLD && fainter > MOST * ground) states[place] = BOLDER;
    else if (bolder > MOST * ground) states[place] = FLATTER;
    else if (isFaint[place] === 1) states[place] = LIKE_GROUND;
  }
}

type Within = Pick<Ground, "gone" | "found">;

/** How the points of the original fare that lie in and beside some groups of places. */
function pointsWithin(
  points: PlacedPoints | null,
  groups: readonly (readonly number[])[],
  { layer, grid }: LookedAt,
): Within {
  const counts = { gone: 0, found: 0 };
  if (points === null || groups.length === 0) return counts;
  const isWithin = new Uint8Array(grid.at.length);
  for (const group of groups) for (const place of group) isWithin[place] = 1;
  const isBeside = beside(isWithin, grid);
  for (let i = 0; i < points.x.length; i += 1) {
    if (points.covered[i] === 0) continue;
    const place = placeOfPoint(points, i, layer, grid);
    if (isWithin[place] === 0 && isBeside[place] === 0) continue;
    counts[points.distance[i]! > SAME_POINT ? "gone" : "found"] += 1;
  }
  return counts;
}

const largest = (groups: readonly (readonly number[])[]): number =>
  groups.reduce((most, { length }) => Math.max(most, length), 0);

/** Looks at the ground of a layer that was compared. `points`: the original's on its map; null without any. */
export function groundIn(looked: LookedAt, points: PlacedPoints | null): Ground {
  const { grid } = looked;
  const { isFaint, agreement, states } = placesOf(looked);
  const isBolder = new Uint8Array(states.length);
  for (let place = 0; place < states.length; place += 1) isBolder[place] = Number(states[place] === BOLDER);
  const isBeside = beside(isBolder, grid);
  const isMissing = new Uint8Array(states.length);
  const counts = [0, 0, 0, 0, 0, 0, 0, 0];
  let [faint, good, clear, apart, goodApart] = [0, 0, 0, 0, 0];
  for (let place = 0; place < states.length; place += 1) {
    const isApart = Number(isBeside[place] === 0);
    counts[states[place]!]! += 1;
    isMissing[place] = Number(states[place] === LIKE_GROUND) * isApart;
    if (isFaint[place] === 0) continue;
    const agrees = Number(states[place] === AGREES);
    faint += 1;
    good += agrees;
    clear += Number(agreement[place]! > CLEAR);
    apart += isApart;
    goodApart += agrees * isApart;
  }
  const missing = connected(isMissing, grid);
  const grouped = missing.filter(({ length }) => length >= GROUP);
  const added = connected(isBolder, grid).filter(({ length }) => length > 1);
  return {
    faint,
    good,
    clear,
    apart,
    goodApart,
    bolder: counts[BOLDER]!,
    flatter: counts[FLATTER]!,
    others: counts[OTHER]!,
    added: added.length,
    largestAdded: largest(added),
    missing: missing.flat().length,
    grouped: grouped.flat().length,
    groups: grouped.length,
    largestMissing: largest(missing),
    ...pointsWithin(points, grouped, looked),
  };
}

/** Adds what the ground says to the signs. */
export function addGround(signs: Signs, looked: LookedAt | null, points: PlacedPoints | null): void {
  const g = looked && groundIn(looked, points);
  signs.count("faint", g?.faint);
  signs.share("good", g?.good, g?.faint);
  signs.share("clear", g?.clear, g?.faint);
  signs.share("good-apart", g?.goodApart, g?.apart);
  signs.count("bad-apart", g === null ? 0 : g.apart - g.goodApart);
  signs.count("bolder", g?.bolder);
  signs.count("flatter", g?.flatter);
  signs.count("others", g?.others);
  signs.count("added", g?.added);
  signs.count("largest-added", g?.largestAdded);
  signs.count("missing", g?.missing);
  signs.count("grouped", g?.grouped);
  signs.count("groups", g?.groups);
  signs.count("largest-missing", g?.largestMissing);
  signs.share("missing-of-bad", g?.missing, g === null ? 0 : g.missing + g.bolder + g.flatter + g.others);
  signs.count("exchanged", g === null ? 0 : Math.min(g.grouped, g.bolder));
  signs.count("gone", g?.gone);
  signs.share("gone-of-points", g?.gone, g === null ? 0 : g.gone + g.found);
}
