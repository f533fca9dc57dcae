import type { Odds } from "./evidence.ts";
import { PART_TREES, SCENE_TREES } from "./model.ts";
import { sumOfLeaves } from "./trees.ts";
import { KINDS, WEAK } from "../compare/block-kinds.ts";
import type { Parts } from "../compare/parts.ts";
import type { PlacedPoints } from "../compare/point-agreement.ts";
import { resolvedFine } from "../compare/telling.ts";
import { PLAIN, UNSEEN, placeOfPoint } from "./block-grid.ts";
import { addExchanged } from "./exchanged.ts";
import { CLEAR, EXACT, GOOD, SAME, SAME_POINT } from "./levels.ts";
import { addGround } from "./ground.ts";
import { type LookedAt, lookAt } from "./looked-at.ts";
import { Signs, counted } from "./sign-list.ts";

const AGAINST = 0.2;

const NO_BLOCKS = new Uint8Array(0);

function addLayer(signs: Signs, looked: LookedAt | null, label: string): void {
  const layer = looked?.layer ?? null;
  const kinds = looked?.kinds ?? NO_BLOCKS;
  const used = kinds.reduce((count, kind) => count + Number(kind !== WEAK), 0);
  signs.add(`${label}.used`, counted(used));
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
    signs.share(`${label}.${name}`, count, used);
    signs.add(`${label}.${name}.good-count`, counted(good));
    signs.share(`${label}.${name}.good`, good, count);
    signs.share(`${label}.${name}.clear`, clear, count);
    signs.share(`${label}.${name}.exact-of-good`, exact, good);
    signs.share(`${label}.${name}.good-of-same`, good, same);
    signs.share(`${label}.${name}.against`, against, count);
  }
  const blocks = layer?.blocks;
  const isUsed = (k: number): boolean => kinds[k] !== WEAK;
  addPlaces(
    signs,
    looked,
    { x: blocks?.x ?? [], y: blocks?.y ?? [], counts: isUsed, agrees: (k) => blocks!.inPlace[k]! > GOOD },
    label,
  );
  addBoldest(signs, looked, label);
  addMotion(signs, looked, label);
}

/** A block is found this far from its place, in cells, when it moved. */
const MOVED = 0.6;
/** Moved blocks that lie beside each other go the same way when their shifts differ by less. */
const ALIKE = 0.5;

/**
 * How the blocks that look the same are shifted. In another photograph of the scene what is near moves against what is far, and things move: neighbours
 * go the same way. Under an overlay the shifts mean nothing, and point anywhere.
 */
function addMotion(signs: Signs, looked: LookedAt | null, label: string): void {
  let [same, moved, pairs, alike] = [0, 0, 0, 0];
  const sum = { x: 0, y: 0, length: 0 };
  if (looked !== null) {
    const { layer, kinds, grid } = looked;
    const { columns, at } = grid;
    const { best, shiftX, shiftY } = layer.blocks;
    const length = (k: number): number => Math.sqrt(shiftX[k]! * shiftX[k]! + shiftY[k]! * shiftY[k]!);
    const hasMoved = (k: number): boolean =>
      k >= 0 && kinds[k] !== WEAK && best[k]! > SAME && length(k) > MOVED;
    for (let place = 0; place < at.length; place += 1) {
      const k = at[place]!;
      if (k < 0 || kinds[k] === WEAK || best[k]! <= SAME) continue;
      same += 1;
      if (!hasMoved(k)) continue;
      moved += 1;
      const right = place % columns === columns - 1 ? UNSEEN : at[place + 1]!;
      const below = at[place + columns] ?? UNSEEN;
      for (const other of [right, below]) {
        if (!hasMoved(other)) continue;
        pairs += 1;
        const [dx, dy] = [shiftX[k]! - shiftX[other]!, shiftY[k]! - shiftY[other]!];
        alike += Number(dx * dx + dy * dy < ALIKE * ALIKE);
        sum.x += shiftX[k]! + shiftX[other]!;
        sum.y += shiftY[k]! + shiftY[other]!;
        sum.length += length(k) + length(other);
      }
    }
  }
  signs.share(`${label}.moved`, moved, same);
  signs.add(`${label}.moved.pairs`, counted(pairs));
  signs.share(`${label}.moved.alike`, alike, pairs);
  signs.share(`${label}.moved.one-way`, Math.sqrt(sum.x * sum.x + sum.y * sum.y), sum.length);
}

/** Which of some blocks have most detail, so many of them; of equals the first. `sorted`: their energies, ascending. */
function boldest(
  numbers: readonly number[],
  energy: ArrayLike<number>,
  sorted: Float64Array,
  count: number,
): readonly boolean[] {
  const least = sorted[sorted.length - count] ?? Number.POSITIVE_INFINITY;
  let equals = count - numbers.reduce((bolder, k) => bolder + Number(energy[k]! > least), 0);
  return numbers.map((k) => {
    if (energy[k] === least) equals -= 1;
    return energy[k]! > least || (energy[k] === least && equals >= 0);
  });
}

/** How the quarter of the blocks with most detail fares: what is drawn over a picture is bolder than the picture. */
function addBoldest(signs: Signs, looked: LookedAt | null, label: string): void {
  const kinds = looked?.kinds ?? NO_BLOCKS;
  const numbers = Array.from(kinds.keys()).filter((k) => kinds[k] !== WEAK);
  const energy = looked?.layer.blocks.energy ?? new Float64Array(0);
  const sorted = Float64Array.from(numbers, (k) => energy[k]!).toSorted();
  const addGood = (name: string, share: number, isAsked: boolean): void => {
    const isBold = boldest(numbers, energy, sorted, Math.ceil(numbers.length * share));
    const asked = numbers.filter((_, at) => isBold[at] === isAsked);
    const good = asked.filter((k) => looked!.layer.blocks.inPlace[k]! > GOOD);
    signs.share(`${label}.${name}.good`, good.length, asked.length);
  };
  addGood("boldest", 1 / 4, true);
  addGood("faintest", 1 / 2, false);
}

/** Places across and down into which the original is divided. */
const PLACES = 6;
/** Fewest blocks or points by which a place is judged. */
const FEW_IN_PLACE = 4;
const HARDLY = 0.25;

/** Things at places of the original, and which of them agree. */
interface Judged {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  readonly counts: (k: number) => boolean;
  readonly agrees: (k: number) => boolean;
}

/** How the agreement is spread over the original: two fillings of one form differ in a few places, however much agrees in the others. */
function addPlaces(signs: Signs, looked: LookedAt | null, judged: Judged, label: string): void {
  const total = new Float64Array(PLACES * PLACES);
  const agreeing = new Float64Array(PLACES * PLACES);
  const inside = (place: number): number => Math.min(PLACES - 1, Math.max(0, Math.floor(place)));
  for (let k = 0; k < judged.x.length; k += 1) {
    if (looked === null || !judged.counts(k)) continue;
    const { width, height } = looked.layer.layer;
    const column = inside((judged.x[k]! * PLACES) / width);
    const row = inside((judged.y[k]! * PLACES) / height);
    total[row * PLACES + column]! += 1;
    if (judged.agrees(k)) agreeing[row * PLACES + column]! += 1;
  }
  const shares = Array.from(total, (count, k) => (count < FEW_IN_PLACE ? -1 : agreeing[k]! / count))
    .filter((share) => share >= 0)
    .toSorted((a, b) => a - b);
  const at = (quantile: number): number => shares[Math.floor(quantile * shares.length)] ?? 0;
  signs.add(`${label}.places`, shares.length);
  signs.share(`${label}.places.least`, at(0), 1);
  signs.share(`${label}.places.tenth`, at(0.1), 1);
  signs.share(`${label}.places.quarter`, at(0.25), 1);
  signs.share(`${label}.places.half`, at(0.5), 1);
  signs.share(`${label}.places.hardly`, shares.filter((share) => share < HARDLY).length, shares.length);
}

/** How points fare: agreeing, or in which kind of block, good or bad, those lie that do not. */
function addPoints(signs: Signs, points: PlacedPoints | null, looked: LookedAt | null, label: string): void {
  const total = points?.x.length ?? 0;
  let [covered, agreeing, inGood, plain] = [0, 0, 0, 0];
  const lost = { good: [0, 0, 0, 0, 0], bad: [0, 0, 0, 0, 0] };
  const found = { good: [0, 0, 0, 0, 0], bad: [0, 0, 0, 0, 0] };
  if (points !== null && looked !== null) {
    const { layer, kinds, grid } = looked;
    for (let k = 0; k < total; k += 1) {
      if (points.covered[k] === 0) continue;
      covered += 1;
      const isSame = points.distance[k]! <= SAME_POINT;
      agreeing += Number(isSame);
      const block = grid.at[placeOfPoint(points, k, layer, grid)]!;
      if (block === PLAIN) plain += Number(!isSame);
      if (block < 0) continue;
      const isGood = layer.blocks.inPlace[block]! > GOOD;
      inGood += Number(isGood);
      (isSame ? found : lost)[isGood ? "good" : "bad"][kinds[block]!]! += 1;
    }
  }
  addPlaces(
    signs,
    looked,
    {
      x: points?.x ?? [],
      y: points?.y ?? [],
      counts: (k) => points!.covered[k] === 1,
      agrees: (k) => points!.distance[k]! <= SAME_POINT,
    },
    label,
  );
  signs.add(`${label}.total`, counted(total));
  signs.share(`${label}.covered`, covered, total);
  signs.share(`${label}.agreeing`, agreeing, covered);
  signs.add(`${label}.agreeing-count`, counted(agreeing));
  signs.share(`${label}.agreeing-of-all`, agreeing, total);
  signs.share(`${label}.in-good`, inGood, covered);
  signs.share(`${label}.in-good-of-all`, inGood, total);
  signs.share(`${label}.plain`, plain, covered);
  for (const [kind, name] of KINDS.entries()) {
    const all = found.good[kind]! + found.bad[kind]! + lost.good[kind]! + lost.bad[kind]!;
    signs.share(`${label}.${name}`, all, covered);
    signs.share(`${label}.${name}.agreeing`, found.good[kind]! + found.bad[kind]!, all);
    signs.share(`${label}.${name}.contradicted`, lost.bad[kind]!, all);
    signs.share(`${label}.${name}.contradicted-of-all`, lost.bad[kind]!, covered);
    signs.share(`${label}.${name}.good-of-all`, found.good[kind]! + lost.good[kind]!, covered);
  }
}

function signsWithNames(parts: Parts, textLikeness: number, inliers: number): Signs {
  const signs = new Signs();
  const { points } = parts;
  const coarse = parts.coarse && lookAt(parts.coarse);
  const resolved = resolvedFine(parts);
  const fine = resolved && lookAt(resolved);
  const finest = fine ?? coarse;
  signs.add("textLikeness", Math.round(255 * textLikeness));
  signs.add("inliers", counted(inliers));
  signs.share("within.query", finest?.layer.within.query ?? 0, 1);
  signs.share("within.original", finest?.layer.within.original ?? 0, 1);
  addLayer(signs, coarse, "coarse");
  addLayer(signs, fine, "fine");
  addPoints(signs, points && points.original, finest, "original");
  addPoints(signs, points && points.query, finest, "query");
  addExchanged(signs, finest, points);
  addGround(signs, finest, points && points.original, "ground");
  addGround(signs, coarse, null, "coarse.ground");
  return signs;
}

const NOTHING: Parts = { coarse: null, fine: null, points: null };

/** The names of `signsOf`, in order. */
export const SIGN_NAMES: readonly string[] = signsWithNames(NOTHING, 0, 0).names;

/**
 * What speaks for the original under something, and what for something shared, each a whole number from 0 to 255. Nothing of it depends on how large,
 * noisy or coarsely coded the query is in itself.
 */
export function signsOf(parts: Parts, textLikeness: number, inliers: number): Uint8Array {
  return Uint8Array.from(signsWithNames(parts, textLikeness, inliers).values);
}

/** What the trees make of signs. */
export function oddsOf(signs: Uint8Array): Odds {
  return { part: sumOfLeaves(PART_TREES, signs), scene: sumOfLeaves(SCENE_TREES, signs) };
}

const SHOWN = SIGN_NAMES.indexOf("original.in-good-of-all");
const FOUND_AGAIN = SIGN_NAMES.indexOf("original.agreeing-of-all");
const PLACES_TOLD = SIGN_NAMES.indexOf("original.places");
const LEAST_PLACE = SIGN_NAMES.indexOf("original.places.least");

/** Share of all points of the original that lie in blocks which agree: of what it shows, what the query shows too. */
export const shownOf = (signs: Uint8Array): number => signs[SHOWN]! / 255;

const ORIGINAL_WITHIN = SIGN_NAMES.indexOf("within.original");
const QUERY_WITHIN = SIGN_NAMES.indexOf("within.query");

/** Of 255: how much of the original must lie within the query, and how much of the query at most within the original. */
const INSET = [230, 85] as const;

/**
 * Whether the original lies within a query of which it is a third at most, as a mark or a picture on a page does. Pictures of one
 * design are as large as each other: what they share is told by the *shared part*, what is shown in small is not.
 */
export function isInset(signs: Uint8Array): boolean {
  const [original, query] = INSET;
  return signs[ORIGINAL_WITHIN]! >= original && signs[QUERY_WITHIN]! <= query;
}

/** Of 255: shares of the original's points that lie in agreeing blocks, that are found again, and that are in the worst of its places. */
const ALL_THERE = [245, 190, 150] as const;
/** The same of what is gathered in so few places, as a sign or a drawing on empty ground is: its ground may show anything. */
const GATHERED = 7;
const ALL_THERE_GATHERED = [230, 150, 100] as const;

/** Whether nothing of what the original shows is missing, anywhere: nearly all its points lie in agreeing blocks, and most are found again everywhere. */
export function isAllThere(signs: Uint8Array): boolean {
  const places = signs[PLACES_TOLD]!;
  const [shown, again, least] = places > 0 && places <= GATHERED ? ALL_THERE_GATHERED : ALL_THERE;
  return signs[SHOWN]! >= shown && signs[FOUND_AGAIN]! >= again && signs[LEAST_PLACE]! >= least;
}
