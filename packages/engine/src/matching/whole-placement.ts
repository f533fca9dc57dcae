import type { Luma } from "../features.ts";
import type { Alignment } from "./candidates.ts";
import { TURNS, clipTerms, cosineTerms, turnTerms, wholeAgreement } from "./whole-signature.ts";

/** Agreement of cosine signs from which the query may be the whole original, turned or not. */
const MIN_AGREEMENT = 0.75;
/** Points across and down that stand for the whole picture. */
const GRID = 3;

/** The query's clipped cosine terms in its eight turns. */
export class QueryTurns {
  readonly #turned: readonly Float64Array[];

  constructor(luma: Luma) {
    const terms = cosineTerms(luma);
    const clipped = clipTerms(terms);
    this.#turned = TURNS.map((turn) => turnTerms(clipped, turn));
    terms.fill(0);
    clipped.fill(0);
  }

  /** The turn in which the query looks most like the original as a whole, in any contrast; null when in none enough. */
  best(signature: Uint8Array): number | null {
    const agreements = this.#turned.map((terms) => Math.abs(wholeAgreement(terms, signature)));
    const greatest = Math.max(...agreements);
    return greatest >= MIN_AGREEMENT ? agreements.indexOf(greatest) : null;
  }

  /** Overwrites everything derived from pixels. */
  clear(): void {
    for (const terms of this.#turned) terms.fill(0);
  }
}

/** The alignment of a query that is the whole original in the given turn. */
export function wholeAlignment({ width, height }: Luma, turn: number): Alignment {
  const places = Array.from({ length: GRID * GRID }, (_, k) => ({
    x: ((k % GRID) + 0.5) / GRID,
    y: (Math.floor(k / GRID) + 0.5) / GRID,
  }));
  const turned = places.map(({ x, y }) => {
    const across = turn & 1 ? 1 - x : x;
    const down = turn & 2 ? 1 - y : y;
    return turn & 4 ? { x: down, y: across } : { x: across, y: down };
  });
  return (layer) => ({
    count: places.length,
    px: Float64Array.from(places, ({ x }) => x * width - 0.5),
    py: Float64Array.from(places, ({ y }) => y * height - 0.5),
    qx: Float64Array.from(turned, ({ x }) => x * layer.width - 0.5),
    qy: Float64Array.from(turned, ({ y }) => y * layer.height - 0.5),
  });
}
