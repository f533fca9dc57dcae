import { WEAK } from "../../signature/block-kinds.ts";
import { UNSEEN } from "./block-grid.ts";
import { GOOD } from "./levels.ts";
import { type LookedAt, energyAt } from "./looked-at.ts";
import { around, connected, roomAround } from "./neighbours.ts";
import type { Signs } from "./sign-list.ts";

/**
 * What the original's empty ground says: in which blocks it shows nothing at all is told exactly. Where the query shows
 * something there, it was added; where the original shows something, and the query is flat for a block around,
 * something is missing.
 */
export interface EmptyGround {
  /** Places that the query covers; of these, where the original is empty, and where both are. */
  readonly told: number;
  readonly empty: number;
  readonly bothEmpty: number;
  /** Places with something added, with something missing, and the most beside each other. */
  readonly added: number;
  readonly largestAdded: number;
  readonly missing: number;
  readonly largestMissing: number;
  /** Blocks in which both show something; those that do not agree, and the most beside each other. */
  readonly both: number;
  readonly bad: number;
  readonly largestBad: number;
}

/** Energy below which a block of the query is flat, squared levels. */
const FLAT = 0.25;

function sumAndLargest(is: Uint8Array, { grid }: LookedAt): readonly [sum: number, largest: number] {
  const sizes = connected(is, grid).map(({ length }) => length);
  return [sizes.reduce((sum, size) => sum + size, 0), Math.max(0, ...sizes)];
}

/** Looks at the empty ground of a layer that was compared. */
export function emptyGroundIn(looked: LookedAt): EmptyGround {
  const { layer, kinds, grid, isAdded } = looked;
  const size = grid.at.length;
  const [isMissing, isBad] = [new Uint8Array(size), new Uint8Array(size)];
  const near = roomAround(1);
  // What is not seen has no energy: it keeps nothing around it from being flat.
  const isFlat = (place: number): boolean => energyAt(looked, place) < FLAT;
  const isFlatAround = (place: number): boolean => {
    if (!isFlat(place)) return false;
    const reached = around(place, grid, 1, near);
    for (let n = 0; n < reached; n += 1) if (!isFlat(near[n]!)) return false;
    return true;
  };
  let [told, empty, bothEmpty, both] = [0, 0, 0, 0];
  for (let place = 0; place < size; place += 1) {
    const k = grid.at[place]!;
    if (k === UNSEEN) continue;
    told += 1;
    if (layer.isEmpty[place] === 1) {
      empty += 1;
      bothEmpty += Number(isFlat(place));
      continue;
    }
    isMissing[place] = Number(isFlatAround(place));
    if (k < 0 || kinds[k] === WEAK) continue;
    both += 1;
    isBad[place] = Number(layer.blocks.inPlace[k]! <= GOOD);
  }
  const [added, largestAdded] = sumAndLargest(isAdded, looked);
  const [missing, largestMissing] = sumAndLargest(isMissing, looked);
  const [bad, largestBad] = sumAndLargest(isBad, looked);
  return { told, empty, bothEmpty, added, largestAdded, missing, largestMissing, both, bad, largestBad };
}

/** Adds what the empty ground says to the signs. */
export function addEmptyGround(signs: Signs, looked: LookedAt | null): void {
  const e = looked && emptyGroundIn(looked);
  signs.share("empty", e?.empty, e?.told);
  signs.share("both-empty", e?.bothEmpty, e?.empty);
  signs.count("added", e?.added);
  signs.count("largest-added", e?.largestAdded);
  signs.count("missing", e?.missing);
  signs.count("largest-missing", e?.largestMissing);
  signs.count("bad", e?.bad);
  signs.share("bad-of-both", e?.bad, e?.both);
  signs.count("largest-bad", e?.largestBad);
  signs.count("exchanged", e === null ? 0 : Math.min(e.added, e.missing + e.bad));
}
