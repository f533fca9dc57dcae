import type { DescribedAgain } from "../compare/describe-again.ts";
import type { PlacedPoints } from "../compare/point-agreement.ts";
import { Fared } from "./fared.ts";
import { DESCRIBED_ELSE, DESCRIBED_SAME, SAME_POINT } from "./levels.ts";
import type { LookedAt } from "./looked-at.ts";
import type { Signs } from "./sign-list.ts";

/** `drawnOdds` up to which a point looks photographed, and from which it looks drawn: seven tenths of such are. */
const PHOTOGRAPHED = 101;
const DRAWN = 155;

/** Points that look one way, or all: how they fare, and the sums of their odds. */
class Tally extends Fared {
  odds = 0;
  found = 0;
  uncovered = 0;
  oddsOfSame = 0;
  oddsOfOther = 0;

  readonly #again: DescribedAgain;
  readonly #points: PlacedPoints;
  readonly #looked: LookedAt;

  constructor(again: DescribedAgain, points: PlacedPoints, looked: LookedAt) {
    super();
    this.#again = again;
    this.#points = points;
    this.#looked = looked;
  }

  add(i: number): void {
    const { covered, distance, drawn } = this.#again;
    if (covered[i] === 0) {
      this.uncovered += 1;
      return;
    }
    this.count(distance[i]!, this.#points, i, this.#looked);
    this.odds += drawn[i]!;
    this.found += Number(this.#points.distance[i]! <= SAME_POINT);
    if (distance[i]! <= DESCRIBED_SAME) this.oddsOfSame += drawn[i]!;
    if (distance[i]! > DESCRIBED_ELSE) this.oddsOfOther += drawn[i]!;
  }
}

const mean = (sum: number, count: number): number => (count === 0 ? 0 : Math.floor(sum / count));

/**
 * Adds how those of an original's points fare that look drawn by themselves, and those that look photographed:
 * lettering that is missing in a bare picture, and a photograph that is missing in a template, are told apart by it,
 * also where nothing is known of the original's blocks.
 */
export function addOwnLooks(
  signs: Signs,
  again: DescribedAgain | null,
  points: PlacedPoints | null,
  looked: LookedAt | null,
): void {
  const tally = (looks: (drawn: number) => boolean): Tally | null => {
    if (again === null || points === null || looked === null) return null;
    const tallied = new Tally(again, points, looked);
    for (let i = 0; i < again.drawn.length; i += 1) if (looks(again.drawn[i]!)) tallied.add(i);
    return tallied;
  };
  const all = tally(() => true);
  const [allSame, allOther] = [all?.same ?? 0, all?.other ?? 0];
  signs.add("odds", mean(all?.odds ?? 0, all?.total ?? 0));
  signs.add("odds-of-same", mean(all?.oddsOfSame ?? 0, allSame));
  signs.add("odds-of-other", mean(all?.oddsOfOther ?? 0, allOther));
  const sorts = {
    photographed: tally((drawn) => drawn <= PHOTOGRAPHED),
    drawn: tally((drawn) => drawn >= DRAWN),
  };
  for (const [name, of] of Object.entries(sorts)) {
    const [total, same, other] = [of?.total ?? 0, of?.same ?? 0, of?.other ?? 0];
    signs.share(name, total, all?.total);
    signs.share(`${name}.uncovered`, of?.uncovered, all?.uncovered);
    signs.share(`${name}.found`, of?.found, total);
    signs.share(`${name}.same`, same, total);
    signs.share(`${name}.same-of-same`, same, allSame);
    signs.count(`${name}.same-count`, same);
    signs.share(`${name}.other`, other, total);
    signs.share(`${name}.other-of-other`, other, allOther);
    signs.count(`${name}.other-count`, other);
    signs.share(`${name}.photographed-there`, of?.photographedThere, total);
    signs.share(`${name}.photographed-there-of-other`, of?.photographedThere, allOther);
    signs.share(`${name}.drawn-there`, of?.drawnThere, total);
    signs.share(`${name}.plain-there`, of?.plainThere, total);
  }
}
