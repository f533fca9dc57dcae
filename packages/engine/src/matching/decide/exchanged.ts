import { WEAK, kindsOf } from "../compare/block-kinds.ts";
import type { LayerParts } from "../compare/parts.ts";
import type { PlacedPoints, PointAgreement } from "../compare/point-agreement.ts";
import { type BlockGrid, PLAIN, blockGrid, placeOfPoint } from "./block-grid.ts";
import { CLEAR, GOOD, SAME_POINT } from "./levels.ts";
import { type Signs, counted } from "./sign-list.ts";

/**
 * What two fillings of one form exchange: in some places the query shows what the original does not, and in others it lacks what the original shows, where
 * it looks like the ground around. What is laid over a picture only adds. Counts, not shares: on a map or a board little is exchanged, and it is all that
 * tells two pictures apart.
 */
export interface Exchanged {
  /** Blocks that are asked, and those that do not agree. */
  readonly used: number;
  readonly bad: number;
  /** Of the latter those with more detail than agreeing blocks around them have, and those with no more, plain places where points of the original are gone among them. */
  readonly bolder: number;
  readonly plainer: number;
  /** Blocks and plain places that do not agree and lie beside each other, three at least, and the most that do; of the bolder alone, and of the plainer. */
  readonly connected: number;
  readonly largest: number;
  readonly largestBolder: number;
  readonly largestPlainer: number;
  /** Of the blocks that agree, those beside one that does not, and how many of them do so clearly; the same of the others. */
  readonly beside: number;
  readonly clearBeside: number;
  readonly apart: number;
  readonly clearApart: number;
  /** Points of the original that are gone where the query is bolder, and where it is plainer; those found again where blocks do not agree. */
  readonly goneUnderBolder: number;
  readonly goneFromPlainer: number;
  readonly foundInBad: number;
  /** Of the stronger half of the original's points, and of the fainter: how many are covered, and how many of these are gone. */
  readonly strong: number;
  readonly strongGone: number;
  readonly faint: number;
  readonly faintGone: number;
  /** Points of the query without a counterpart: a block that does not agree, and one that does. */
  readonly newInBad: number;
  readonly newInGood: number;
}

/** As much more energy than agreeing blocks around have makes a block bold. */
const BOLD = 1.25;
/** Blocks around: this many steps each way; so many must agree to tell what the ground is like. */
const AROUND = 2;
const FEW_AROUND = 3;
const CONNECTED = 3;

const AGREES = 1;
const BOLDER = 2;
const PLAINER = 3;

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The places around one, itself left out. */
function around(place: number, columns: number, rows: number, reach: number): number[] {
  const [column, row] = [place % columns, Math.floor(place / columns)];
  const places: number[] = [];
  for (let y = Math.max(0, row - reach); y <= Math.min(rows - 1, row + reach); y += 1) {
    for (let x = Math.max(0, column - reach); x <= Math.min(columns - 1, column + reach); x += 1) {
      if (x !== column || y !== row) places.push(y * columns + x);
    }
  }
  return places;
}

/** Sizes of the groups of places that lie beside each other and are one of these. */
function groups(states: Uint8Array, columns: number, isOne: (state: number) => boolean): number[] {
  const rows = states.length / columns;
  const seen = new Uint8Array(states.length);
  const sizes: number[] = [];
  for (let start = 0; start < states.length; start += 1) {
    if (seen[start] === 1 || !isOne(states[start]!)) continue;
    seen[start] = 1;
    const open = [start];
    let size = 0;
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      size += 1;
      for (const next of around(place, columns, rows, 1)) {
        if (seen[next] === 1 || !isOne(states[next]!)) continue;
        seen[next] = 1;
        open.push(next);
      }
    }
    sizes.push(size);
  }
  return sizes;
}

const isBad = (state: number): boolean => state === BOLDER || state === PLAINER;

/** Points by the place of the grid that they lie at. */
interface PointsByPlace {
  /** The original's, found again or gone, and the query's that have no counterpart. */
  readonly found: Uint16Array;
  readonly gone: Uint16Array;
  readonly fresh: Uint16Array;
}

function pointsByPlace(
  { original, query }: PointAgreement,
  layer: LayerParts,
  grid: BlockGrid,
): PointsByPlace {
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

/** What each place of the grid is: 0 where nothing tells. */
function statesOf(
  { blocks, measures }: LayerParts,
  { columns, rows, at }: BlockGrid,
  gone: Uint16Array,
): Uint8Array {
  const kinds = kindsOf(measures, blocks.energy);
  const isAsked = (k: number): boolean => k >= 0 && kinds[k] !== WEAK;
  const states = Uint8Array.from(at, (k) => (isAsked(k) && blocks.inPlace[k]! > GOOD ? AGREES : 0));
  const ground = medianOf(
    Array.from(at).flatMap((k, place) => (states[place] === AGREES ? [blocks.energy[k]!] : [])),
  );
  for (const [place, k] of at.entries()) {
    if (states[place] === AGREES) continue;
    if (!isAsked(k)) {
      if (k === PLAIN && gone[place]! > 0) states[place] = PLAINER;
      continue;
    }
    const near = around(place, columns, rows, AROUND).filter((next) => states[next] === AGREES);
    const usual = near.length < FEW_AROUND ? ground : medianOf(near.map((next) => blocks.energy[at[next]!]!));
    states[place] = blocks.energy[k]! > BOLD * usual ? BOLDER : PLAINER;
  }
  return states;
}

type Neighbours = Pick<Exchanged, "beside" | "clearBeside" | "apart" | "clearApart">;

/** How clearly blocks agree that lie beside such as do not, and others. */
function neighbours(
  states: Uint8Array,
  { columns, rows, at }: BlockGrid,
  { blocks }: LayerParts,
): Neighbours {
  const isBeside = new Uint8Array(at.length);
  for (const [place, state] of states.entries()) {
    if (isBad(state)) for (const next of around(place, columns, rows, 1)) isBeside[next] = 1;
  }
  const counts = { beside: 0, clearBeside: 0, apart: 0, clearApart: 0 };
  for (const [place, k] of at.entries()) {
    if (states[place] !== AGREES) continue;
    counts[isBeside[place] === 1 ? "beside" : "apart"] += 1;
    counts[isBeside[place] === 1 ? "clearBeside" : "clearApart"] += Number(blocks.inPlace[k]! > CLEAR);
  }
  return counts;
}

/** Looks for what is exchanged on the finest layer that was compared; null without one. */
export function exchangedIn(layer: LayerParts | null, points: PointAgreement | null): Exchanged | null {
  if (layer === null || points === null) return null;
  const grid = blockGrid(layer);
  const { found, gone, fresh } = pointsByPlace(points, layer, grid);
  const states = statesOf(layer, grid, gone);
  const count = (one: number): number => states.reduce((total, state) => total + Number(state === one), 0);
  const sum = (values: Uint16Array, isOne: (state: number) => boolean): number =>
    values.reduce((total, value, place) => total + (isOne(states[place]!) ? value : 0), 0);
  const sizes = (isOne: (state: number) => boolean): number[] => [0, ...groups(states, grid.columns, isOne)];
  const [bolder, plainer] = [count(BOLDER), count(PLAINER)];
  const together = sizes(isBad);
  return {
    used: count(AGREES) + bolder + plainer,
    bad: bolder + plainer,
    bolder,
    plainer,
    connected: together.filter((size) => size >= CONNECTED).reduce((a, b) => a + b, 0),
    largest: Math.max(...together),
    largestBolder: Math.max(...sizes((state) => state === BOLDER)),
    largestPlainer: Math.max(...sizes((state) => state === PLAINER)),
    ...neighbours(states, grid, layer),
    goneUnderBolder: sum(gone, (state) => state === BOLDER),
    goneFromPlainer: sum(gone, (state) => state === PLAINER),
    foundInBad: sum(found, isBad),
    ...byStrength(points.original),
    newInBad: sum(fresh, isBad),
    newInGood: sum(fresh, (state) => state === AGREES),
  };
}

/** Adds what is exchanged to the signs. */
export function addExchanged(signs: Signs, layer: LayerParts | null, points: PointAgreement | null): void {
  const e = exchangedIn(layer, points);
  const count = (name: string, value: number | undefined): void =>
    signs.add(`exchanged.${name}`, counted(value ?? 0));
  const share = (name: string, part: number | undefined, whole: number | undefined): void =>
    signs.share(`exchanged.${name}`, part ?? 0, whole ?? 0);
  count("bad", e?.bad);
  share("bad-of-used", e?.bad, e?.used);
  count("connected", e?.connected);
  share("connected-of-bad", e?.connected, e?.bad);
  count("largest", e?.largest);
  count("bolder", e?.bolder);
  count("plainer", e?.plainer);
  share("plainer-of-bad", e?.plainer, e?.bad);
  count("both", e === null ? 0 : Math.min(e.bolder, e.plainer));
  count("largest-bolder", e?.largestBolder);
  count("largest-plainer", e?.largestPlainer);
  count("both-connected", e === null ? 0 : Math.min(e.largestBolder, e.largestPlainer));
  share("clear-beside", e?.clearBeside, e?.beside);
  share("clear-apart", e?.clearApart, e?.apart);
  count("gone-under-bolder", e?.goneUnderBolder);
  count("gone-from-plainer", e?.goneFromPlainer);
  share("found-in-bad", e?.foundInBad, e === null ? 0 : e.foundInBad + e.goneUnderBolder + e.goneFromPlainer);
  share("strong-gone", e?.strongGone, e?.strong);
  share("faint-gone", e?.faintGone, e?.faint);
  share("strong-of-gone", e?.strongGone, e === null ? 0 : e.strongGone + e.faintGone);
  // A block on average: eight points at most.
  share("new-in-bad", e?.newInBad, 8 * (e?.bad ?? 0));
  share("new-in-good", e?.newInGood, e === null ? 0 : 8 * (e.used - e.bad));
}
