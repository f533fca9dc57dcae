import { KINDS, WEAK } from "../../signature/block-kinds.ts";
import type { DescribedAgain } from "../compare/describe-again.ts";
import type { Parts } from "../compare/parts.ts";
import type { PlacedPoints } from "../compare/point-agreement.ts";
import { PLAIN, UNSEEN, placeOfPoint } from "./block-grid.ts";
import { Fared } from "./fared.ts";
import { GOOD } from "./levels.ts";
import type { LookedAt } from "./looked-at.ts";
import type { Signs } from "./sign-list.ts";

/** What a block shows, of either picture: its kind, or nothing to speak of. */
const NAMES = [...KINDS, "weak"] as const;

/**
 * Blocks of which the original shows one kind, and how they fare in the query: by what that shows there, whether they
 * agree.
 */
class Blocks {
  total = 0;
  covered = 0;
  plain = 0;
  readonly good = NAMES.map(() => 0);
  readonly bad = NAMES.map(() => 0);
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** What the two pictures show at the same places. */
class Summary {
  readonly blocks = NAMES.map(() => new Blocks());
  /** The points in such blocks. */
  readonly points = NAMES.map(() => new Fared());
  readonly #kinds: Uint8Array;
  readonly #looked: LookedAt;

  constructor(kinds: Uint8Array, looked: LookedAt) {
    this.#kinds = kinds;
    this.#looked = looked;
    for (let place = 0; place < kinds.length; place += 1) this.#countBlock(place);
  }

  /**
   * Where neither shows anything nothing agrees or differs; where the query alone is plain, what the original shows is
   * missing.
   */
  #countBlock(place: number): void {
    const { layer, kinds, grid } = this.#looked;
    const own = this.#kinds[place]!;
    const blocks = this.blocks[own]!;
    blocks.total += 1;
    const k = grid.at[place]!;
    if (k === UNSEEN) return;
    blocks.covered += 1;
    blocks.plain += Number(k === PLAIN);
    const asked = k === PLAIN ? WEAK : kinds[k]!;
    if (asked === WEAK && own === WEAK) return;
    const isGood = k >= 0 && layer.blocks.inPlace[k]! > GOOD;
    blocks[isGood ? "good" : "bad"][asked]! += 1;
  }

  countPoints({ covered, distance }: DescribedAgain, points: PlacedPoints): void {
    const { layer, grid } = this.#looked;
    for (let i = 0; i < covered.length; i += 1) {
      if (covered[i] === 0) continue;
      const own = this.#kinds[placeOfPoint(points, i, layer, grid)]!;
      this.points[own]!.count(distance[i]!, points, i, this.#looked);
    }
  }
}

/**
 * Adds what the query shows where the original shows one thing or another by itself: a photograph under lettering, and
 * lettering where there is none in the query, are told from a photograph exchanged for another. Zero of originals that
 * do not say it.
 */
export function addOwnKinds(
  signs: Signs,
  { ownKinds, describedAgain }: Pick<Parts, "ownKinds" | "describedAgain">,
  points: PlacedPoints | null,
  looked: LookedAt | null,
): void {
  const s = ownKinds === null || looked === null ? null : new Summary(ownKinds, looked);
  if (s !== null && describedAgain !== null && points !== null) s.countPoints(describedAgain, points);
  const blocks = s?.blocks ?? NAMES.map(() => new Blocks());
  const good = sum(blocks.map((of) => sum(of.good)));
  const bad = sum(blocks.map((of) => sum(of.bad)));
  const total = sum(blocks.map((of) => of.total));
  signs.count("blocks", good + bad);
  signs.share("in-good", good, good + bad);
  for (const [kind, name] of NAMES.entries()) {
    const of = blocks[kind]!;
    signs.share(name, of.total, total);
    signs.share(`${name}.covered`, of.covered, of.total);
    signs.share(`${name}.plain`, of.plain, of.covered);
    signs.share(`${name}.in-good`, sum(of.good), of.covered);
    for (const [asked, there] of NAMES.entries()) {
      signs.share(`${name}.in-good.${there}`, of.good[asked], good);
      signs.share(`${name}.in-bad.${there}`, of.bad[asked], bad);
    }
  }
  addPointsOf(signs, s?.points ?? NAMES.map(() => new Fared()));
}

function addPointsOf(signs: Signs, points: readonly Fared[]): void {
  const total = sum(points.map((of) => of.total));
  const other = sum(points.map((of) => of.other));
  for (const [kind, there] of NAMES.entries()) {
    const of = points[kind]!;
    const name = `${there}.points`;
    signs.share(name, of.total, total);
    signs.share(`${name}.same`, of.same, of.total);
    signs.count(`${name}.same-count`, of.same);
    signs.share(`${name}.other`, of.other, of.total);
    signs.count(`${name}.other-count`, of.other);
    signs.share(`${name}.other-of-other`, of.other, other);
    signs.share(`${name}.other-of-all`, of.other, total);
    signs.share(`${name}.photographed-there`, of.photographedThere, of.total);
    signs.share(`${name}.photographed-there-of-other`, of.photographedThere, other);
    signs.share(`${name}.drawn-there`, of.drawnThere, of.total);
    signs.share(`${name}.drawn-there-of-other`, of.drawnThere, other);
    signs.share(`${name}.plain-there`, of.plainThere, of.total);
  }
}
