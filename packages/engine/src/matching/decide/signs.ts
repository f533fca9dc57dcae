import { KINDS, WEAK } from "../../signature/block-kinds.ts";
import type { Parts } from "../compare/parts.ts";
import type { PlacedPoints } from "../compare/point-agreement.ts";
import type { BlockReading } from "../compare/read-blocks.ts";
import { resolvedFine } from "../compare/telling.ts";
import { PLAIN, UNSEEN, placeOfPoint } from "./block-grid.ts";
import { addExchanged } from "./exchanged.ts";
import { CLEAR, EXACT, GOOD, SAME, SAME_POINT } from "./levels.ts";
import { addGround } from "./ground.ts";
import { type LookedAt, lookAt } from "./looked-at.ts";
import { addRegions } from "./regions.ts";
import { addDescribedAgain } from "./described-again.ts";
import { addOwnKinds } from "./own-kinds.ts";
import { addEmptyGround } from "./empty-ground.ts";
import { Places } from "./places.ts";
import { Signs } from "./sign-list.ts";
import { addTones } from "./tones-told.ts";

const AGAINST = 0.2;

const DESCRIBED_AGAIN = "again";

const NO_BLOCKS = new Uint8Array(0);

function addLayer(signs: Signs, looked: LookedAt | null): void {
  const layer = looked?.layer ?? null;
  const kinds = looked?.kinds ?? NO_BLOCKS;
  const places = new Places();
  let used = 0;
  if (looked !== null) {
    const { x, y, inPlace } = looked.layer.blocks;
    for (let k = 0; k < kinds.length; k += 1) {
      if (kinds[k] === WEAK) continue;
      used += 1;
      places.count(looked, x[k]!, y[k]!, inPlace[k]! > GOOD);
    }
  }
  signs.count("used", used);
  for (const [kind, name] of KINDS.entries()) {
    let [count, good, clear, exact, same, against] = [0, 0, 0, 0, 0, 0];
    if (layer !== null) {
      for (let k = 0; k < kinds.length; k += 1) {
        if (kinds[k] !== kind) continue;
        const inPlace = layer.blocks.inPlace[k]!;
        count += 1;
        good += Number(inPlace > GOOD);
        clear += Number(inPlace > CLEAR);
        exact += Number(inPlace > EXACT);
        same += Number(layer.blocks.best[k]! > SAME);
        against += Number(inPlace < AGAINST);
      }
    }
    signs.share(name, count, used);
    signs.count(`${name}.good-count`, good);
    signs.share(`${name}.good`, good, count);
    signs.share(`${name}.clear`, clear, count);
    signs.share(`${name}.exact-of-good`, exact, good);
    signs.share(`${name}.good-of-same`, good, same);
    signs.share(`${name}.against`, against, count);
  }
  places.addTo(signs);
  addBoldest(signs, looked);
  addMotion(signs, looked);
}

/** A block is found this far from its place, in cells, when it moved. */
const MOVED = 0.6;
/** Moved blocks that lie beside each other go the same way when their shifts differ by less. */
const ALIKE = 0.5;

function shiftOf({ shiftX, shiftY }: BlockReading, k: number): number {
  return Math.sqrt(shiftX[k]! * shiftX[k]! + shiftY[k]! * shiftY[k]!);
}

/** Whether there is a block `k` that looks the same, elsewhere. */
function hasMoved({ layer: { blocks }, kinds }: LookedAt, k: number): boolean {
  return k >= 0 && kinds[k] !== WEAK && blocks.best[k]! > SAME && shiftOf(blocks, k) > MOVED;
}

/**
 * How the blocks that look the same are shifted. In another photograph of the scene what is near moves against what is
 * far, and things move: neighbours go the same way. Under an overlay the shifts mean nothing, and point anywhere.
 */
function addMotion(signs: Signs, looked: LookedAt | null): void {
  let [same, moved, pairs, alike] = [0, 0, 0, 0];
  const sum = { x: 0, y: 0, length: 0 };
  if (looked !== null) {
    const { layer, kinds, grid } = looked;
    const { columns, at } = grid;
    const { best, shiftX, shiftY } = layer.blocks;
    for (let place = 0; place < at.length; place += 1) {
      const k = at[place]!;
      if (k < 0 || kinds[k] === WEAK || best[k]! <= SAME) continue;
      same += 1;
      if (!hasMoved(looked, k)) continue;
      moved += 1;
      const right = place % columns === columns - 1 ? UNSEEN : at[place + 1]!;
      const below = at[place + columns] ?? UNSEEN;
      for (const other of [right, below]) {
        if (!hasMoved(looked, other)) continue;
        pairs += 1;
        const [dx, dy] = [shiftX[k]! - shiftX[other]!, shiftY[k]! - shiftY[other]!];
        alike += Number(dx * dx + dy * dy < ALIKE * ALIKE);
        sum.x += shiftX[k]! + shiftX[other]!;
        sum.y += shiftY[k]! + shiftY[other]!;
        sum.length += shiftOf(layer.blocks, k) + shiftOf(layer.blocks, other);
      }
    }
  }
  signs.share("moved", moved, same);
  signs.count("moved.pairs", pairs);
  signs.share("moved.alike", alike, pairs);
  signs.share("moved.one-way", Math.sqrt(sum.x * sum.x + sum.y * sum.y), sum.length);
}

/**
 * How many of the `count` blocks with most detail agree, of equals the first. `energies`: of all that are asked,
 * ascending.
 */
function goodOfBoldest({ layer, kinds }: LookedAt, energies: Float64Array, count: number): number {
  const { energy, inPlace } = layer.blocks;
  const least = energies[energies.length - count]!;
  let equals = count;
  for (let at = energies.length - 1; energies[at]! > least; at -= 1) equals -= 1;
  let good = 0;
  for (let k = 0; k < kinds.length; k += 1) {
    if (kinds[k] === WEAK || energy[k]! < least) continue;
    if (energy[k] === least) equals -= 1;
    good += Number((energy[k]! > least || equals >= 0) && inPlace[k]! > GOOD);
  }
  return good;
}

/** How the quarter of the blocks with most detail fares: what is drawn over a picture is bolder than the picture. */
function addBoldest(signs: Signs, looked: LookedAt | null): void {
  let [bold, goodOfBold, faint, goodOfFaint] = [0, 0, 0, 0];
  if (looked !== null) {
    const { layer, kinds } = looked;
    const energies = new Float64Array(kinds.length);
    let [used, good] = [0, 0];
    for (let k = 0; k < kinds.length; k += 1) {
      if (kinds[k] === WEAK) continue;
      energies[used] = layer.blocks.energy[k]!;
      used += 1;
      good += Number(layer.blocks.inPlace[k]! > GOOD);
    }
    const ascending = energies.subarray(0, used).toSorted();
    bold = Math.ceil(used / 4);
    goodOfBold = goodOfBoldest(looked, ascending, bold);
    faint = Math.floor(used / 2);
    goodOfFaint = good - goodOfBoldest(looked, ascending, used - faint);
  }
  signs.share("boldest.good", goodOfBold, bold);
  signs.share("faintest.good", goodOfFaint, faint);
}

/** How points fare: agreeing, or in which kind of block, good or bad, those lie that do not. */
function addPoints(signs: Signs, points: PlacedPoints | null, looked: LookedAt | null): void {
  const total = points?.x.length ?? 0;
  let [covered, agreeing, inGood, plain] = [0, 0, 0, 0];
  const lost = { good: [0, 0, 0, 0, 0], bad: [0, 0, 0, 0, 0] };
  const found = { good: [0, 0, 0, 0, 0], bad: [0, 0, 0, 0, 0] };
  const places = new Places();
  if (points !== null && looked !== null) {
    const { layer, kinds, grid } = looked;
    for (let k = 0; k < total; k += 1) {
      if (points.covered[k] === 0) continue;
      covered += 1;
      const isSame = points.distance[k]! <= SAME_POINT;
      agreeing += Number(isSame);
      places.count(looked, points.x[k]!, points.y[k]!, isSame);
      const block = grid.at[placeOfPoint(points, k, layer, grid)]!;
      if (block === PLAIN) plain += Number(!isSame);
      if (block < 0) continue;
      const isGood = layer.blocks.inPlace[block]! > GOOD;
      inGood += Number(isGood);
      (isSame ? found : lost)[isGood ? "good" : "bad"][kinds[block]!]! += 1;
    }
  }
  places.addTo(signs);
  signs.count("total", total);
  signs.share("covered", covered, total);
  signs.share("agreeing", agreeing, covered);
  signs.count("agreeing-count", agreeing);
  signs.share("agreeing-of-all", agreeing, total);
  signs.share("in-good", inGood, covered);
  signs.share("in-good-of-all", inGood, total);
  signs.share("plain", plain, covered);
  for (const [kind, name] of KINDS.entries()) {
    const all = found.good[kind]! + found.bad[kind]! + lost.good[kind]! + lost.bad[kind]!;
    signs.share(name, all, covered);
    signs.share(`${name}.agreeing`, found.good[kind]! + found.bad[kind]!, all);
    signs.share(`${name}.contradicted`, lost.bad[kind], all);
    signs.share(`${name}.contradicted-of-all`, lost.bad[kind], covered);
    signs.share(`${name}.good-of-all`, found.good[kind]! + lost.good[kind]!, covered);
  }
}

/** The signs of a first look, then those of a closer one, which are 0 without it. */
function signsWithNames(parts: Parts, textLikeness: number, inliers: number): Signs {
  const signs = new Signs();
  const again = signs.under(DESCRIBED_AGAIN);
  const { points } = parts;
  const coarse = parts.coarse && lookAt(parts.coarse);
  const resolved = resolvedFine(parts);
  const fine = resolved && lookAt(resolved);
  const finest = fine ?? coarse;
  signs.add("textLikeness", Math.round(255 * textLikeness));
  signs.count("inliers", inliers);
  signs.share("within.query", finest?.layer.within.query, 1);
  signs.share("within.original", finest?.layer.within.original, 1);
  addLayer(signs.under("coarse"), coarse);
  addLayer(signs.under("fine"), fine);
  addPoints(signs.under("original"), points && points.original, finest);
  addPoints(signs.under("query"), points && points.query, finest);
  addExchanged(signs.under("exchanged"), finest, points);
  addGround(signs.under("ground"), finest, points && points.original);
  addGround(signs.under("coarse.ground"), coarse, null);
  addRegions(signs.under("regions"), finest, points && points.original);
  addRegions(signs.under("coarse.regions"), coarse, null);
  addEmptyGround(signs.under("empty-ground"), finest);
  addDescribedAgain(again, parts.describedAgain, points && points.original, finest);
  addOwnKinds(again.under("shows"), parts, points && points.original, finest);
  addTones(again.under("tones"), parts.tones);
  return signs;
}

const NOTHING: Parts = {
  coarse: null,
  fine: null,
  points: null,
  describedAgain: null,
  ownKinds: null,
  tones: null,
};

/** The names of `signsOf`, in order. */
export const SIGN_NAMES: readonly string[] = signsWithNames(NOTHING, 0, 0).names;

/** How many of them a first look gives. */
export const FIRST_SIGNS: number = SIGN_NAMES.findIndex((name) => name.startsWith(`${DESCRIBED_AGAIN}.`));

/**
 * What speaks for the original under something, and what for something shared, each a whole number from 0 to 255.
 * Nothing of it depends on how large, noisy or coarsely coded the query is in itself.
 */
export function signsOf(parts: Parts, textLikeness: number, inliers: number): Uint8Array {
  return Uint8Array.from(signsWithNames(parts, textLikeness, inliers).values);
}

const SHOWN = SIGN_NAMES.indexOf("original.in-good-of-all");

/** Share of all points of the original that lie in blocks which agree: of what it shows, what the query shows too. */
export const shownOf = (signs: Uint8Array): number => signs[SHOWN]! / 255;

const ORIGINAL_WITHIN = SIGN_NAMES.indexOf("within.original");
const QUERY_WITHIN = SIGN_NAMES.indexOf("within.query");

/**
 * Of 255: how much of the original must lie within the query, and how much of the query at most within the original.
 */
const INSET = [230, 85] as const;

/**
 * Whether the original lies within a query of which it is a third at most, as a mark or a picture on a page does.
 * Pictures of one design are as large as each other: what they share is told by the *shared part*, what is shown in
 * small is not.
 */
export function isInset(signs: Uint8Array): boolean {
  const [original, query] = INSET;
  return signs[ORIGINAL_WITHIN]! >= original && signs[QUERY_WITHIN]! <= query;
}
