import { KINDS, WEAK } from "../../signature/block-kinds.ts";
import type { DescribedAgain } from "../compare/describe-again.ts";
import type { PlacedPoints } from "../compare/point-agreement.ts";
import { PLAIN, placeOfPoint } from "./block-grid.ts";
import { DESCRIBED_ELSE, DESCRIBED_SAME, GOOD, SAME_POINT } from "./levels.ts";
import { DetailThere, addDetail } from "./detail-there.ts";
import type { LookedAt } from "./looked-at.ts";
import type { FoundAgain } from "./evidence.ts";
import { addOwnLooks } from "./own-looks.ts";
import { Places } from "./places.ts";
import { addPlacesApart } from "./places-apart.ts";
import { type Signs, quantile } from "./sign-list.ts";

/** Differing bits, of 128, up to which a point looks nearly as it did. */
const NEARLY_EXACT = 12;
/** As many bits more than half of all points differ by are not what was done to the whole picture. */
const BEYOND_USUAL = [6, 10, 15] as const;

/** Points of one sort, and how many of them are the same, and something else. */
class Tally {
  total = 0;
  same = 0;
  other = 0;

  count(distance: number): void {
    this.total += 1;
    this.same += Number(distance <= DESCRIBED_SAME);
    this.other += Number(distance > DESCRIBED_ELSE);
  }
}

/**
 * Where a point lies: in a block that agrees or does not, or where the query is plain; and whether the query has a
 * point of its own there.
 */
const SORTS = ["in-good", "in-bad", "in-plain", "lost", "found"] as const;

/** What an original's points, described in the query, say all together. */
class Summary {
  /** Differing bits of those that the query covers, ascending. */
  readonly ascending: Float64Array;
  readonly places = new Places();
  readonly sorts = Object.fromEntries(SORTS.map((sort) => [sort, new Tally()])) as Record<
    (typeof SORTS)[number],
    Tally
  >;
  readonly kinds: readonly Tally[] = KINDS.map(() => new Tally());
  readonly all = new Tally();
  /**
   * At each step of the layer's grid how many points lie, how many of them are something else, and the most bits that
   * one differs by.
   */
  readonly here: Uint8Array;
  readonly otherHere: Uint8Array;
  readonly mostHere: Uint8Array;

  constructor({ covered, distance }: DescribedAgain, points: PlacedPoints, looked: LookedAt) {
    const steps = looked.grid.at.length;
    this.here = new Uint8Array(steps);
    this.otherHere = new Uint8Array(steps);
    this.mostHere = new Uint8Array(steps);
    const told: number[] = [];
    for (let i = 0; i < covered.length; i += 1) {
      if (covered[i] === 0) continue;
      told.push(distance[i]!);
      this.#count(distance[i]!, points, i, looked);
    }
    this.ascending = Float64Array.from(told).toSorted();
  }

  #count(distance: number, points: PlacedPoints, i: number, looked: LookedAt): void {
    const { layer, kinds, grid } = looked;
    const { sorts } = this;
    this.all.count(distance);
    this.places.count(looked, points.x[i]!, points.y[i]!, distance <= DESCRIBED_SAME);
    sorts[points.distance[i]! <= SAME_POINT ? "found" : "lost"].count(distance);
    const place = placeOfPoint(points, i, layer, grid);
    this.here[place] = Math.min(255, this.here[place]! + 1);
    this.otherHere[place] = Math.min(255, this.otherHere[place]! + Number(distance > DESCRIBED_ELSE));
    this.mostHere[place] = Math.max(this.mostHere[place]!, distance);
    const block = grid.at[place]!;
    if (block === PLAIN || (block >= 0 && kinds[block] === WEAK)) sorts["in-plain"].count(distance);
    if (block < 0) return;
    sorts[layer.blocks.inPlace[block]! > GOOD ? "in-good" : "in-bad"].count(distance);
    if (kinds[block] !== WEAK) this.kinds[kinds[block]!]!.count(distance);
  }

  /** How many differ by no more bits. */
  upTo(bits: number): number {
    return this.ascending.findLastIndex((distance) => distance <= bits) + 1;
  }
}

/** How many of an original's points are the same in the query, of those that it covers. */
export function foundAgain(again: DescribedAgain | null): FoundAgain | null {
  if (again === null) return null;
  let [covered, same] = [0, 0];
  for (let i = 0; i < again.covered.length; i += 1) {
    covered += again.covered[i]!;
    same += Number(again.distance[i]! <= DESCRIBED_SAME);
  }
  return { covered, same };
}

const NOBODY = new Float64Array(0);

/** Adds how the original's points look where the alignment puts them in the query. */
export function addDescribedAgain(
  signs: Signs,
  again: DescribedAgain | null,
  points: PlacedPoints | null,
  looked: LookedAt | null,
): void {
  const s = again !== null && points !== null && looked !== null ? new Summary(again, points, looked) : null;
  const ascending = s?.ascending ?? NOBODY;
  const all = s?.all.total ?? 0;
  const other = s?.all.other ?? 0;
  signs.count("covered", all);
  for (const [name, at] of [
    ["half", 0.5],
    ["quarter", 0.75],
    ["tenth", 0.9],
    ["fiftieth", 0.98],
    ["hundredth", 0.99],
  ] as const) {
    signs.add(name, Math.min(255, 2 * quantile(ascending, at)));
  }
  signs.share("nearly-exact", s?.upTo(NEARLY_EXACT), all);
  signs.share("same", s?.all.same, all);
  (s?.places ?? new Places()).addTo(signs);
  for (const sort of SORTS) {
    const of = s?.sorts[sort] ?? new Tally();
    signs.share(`${sort}.same`, of.same, of.total);
    signs.share(`${sort}.other`, of.other, of.total);
    signs.share(`${sort}.other-of-all`, of.other, all);
    signs.count(`${sort}.other-count`, of.other);
  }
  for (const [kind, name] of KINDS.entries()) {
    const of = s?.kinds[kind] ?? new Tally();
    signs.share(`${name}.same`, of.same, of.total);
    signs.share(`${name}.other`, of.other, of.total);
    signs.share(`${name}.other-of-other`, of.other, other);
    signs.share(`${name}.other-of-all`, of.other, all);
  }
  const addApart = (name: string, isApart: Uint8Array | null): void =>
    addPlacesApart(signs.under(name), s && s.here, isApart, looked);
  const usual = quantile(ascending, 0.5);
  const there = s && new DetailThere(again!, usual);
  addDetail(signs.under("other"), there && there.beyond(DESCRIBED_ELSE));
  addApart("other", s && s.here.map((count, place) => Number(2 * s.otherHere[place]! > count)));
  for (const more of BEYOND_USUAL) {
    const beyond = s === null ? 0 : all - s.upTo(usual + more);
    signs.share(`beyond-${more}`, beyond, all);
    signs.count(`beyond-${more}.count`, beyond);
    addDetail(signs.under(`beyond-${more}`), there && there.beyond(usual + more));
    addApart(`beyond-${more}`, s && s.mostHere.map((most) => Number(most > usual + more)));
  }
  addOwnLooks(signs.under("own"), again, points, looked);
}
