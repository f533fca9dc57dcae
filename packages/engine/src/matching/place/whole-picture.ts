import { LIMITS } from "../limits.ts";
import type { Variant } from "../rank/variants.ts";
import { TURNS, clipTerms, signAt, sizeOfTerms, turnTerms } from "../../signature/whole-signature.ts";

/** How the query is turned against the whole original: one of `TURNS`, and whether light and dark are exchanged. */
export interface WholeTurn {
  readonly turn: number;
  readonly isInverted: boolean;
}

const COUNT: number = TURNS.length;

/** The query's clipped cosine terms in its eight turns. */
export class QueryTurns {
  /** Term by term, those of all turns side by side. */
  readonly #terms: Float64Array;
  /** What the sizes of a turn's terms come to. */
  readonly #sizes: Float64Array;
  readonly #along = new Float64Array(COUNT);

  /** @param terms `cosineTerms` of the query */
  constructor(terms: Float64Array) {
    const clipped = clipTerms(terms);
    const turned = TURNS.map((turn) => turnTerms(clipped, turn));
    this.#terms = Float64Array.from({ length: COUNT * clipped.length }, (_, at) => {
      return turned[at % COUNT]![Math.floor(at / COUNT)]!;
    });
    this.#sizes = Float64Array.from(turned, sizeOfTerms);
    for (const each of [clipped, ...turned]) each.fill(0);
  }

  /**
   * The turn, and the contrast, in which the query looks most like the original as a whole; null when in none enough.
   */
  best(signature: Uint8Array): WholeTurn | null {
    const [all, along] = [this.#terms, this.#along];
    along.fill(0);
    for (let at = COUNT; at < all.length; at += COUNT) {
      const sign = signAt(signature, at / COUNT) ? 1 : -1;
      for (let turn = 0; turn < COUNT; turn += 1) along[turn]! += sign * all[at + turn]!;
    }
    let best = 0;
    let greatest = -1;
    for (let turn = 0; turn < COUNT; turn += 1) {
      const agreement = Math.abs(along[turn]! / this.#sizes[turn]!);
      if (agreement <= greatest) continue;
      greatest = agreement;
      best = turn;
    }
    return greatest < LIMITS.whole.agreement ? null : { turn: best, isInverted: along[best]! < 0 };
  }

  /** Overwrites everything derived from pixels. */
  clear(): void {
    for (const each of [this.#terms, this.#sizes, this.#along]) each.fill(0);
  }
}

/** The variant in which a query turned so is read. */
export function variantOf({ turn, isInverted }: WholeTurn): Variant {
  const mirrors = (turn & 1) + ((turn >> 1) & 1) + ((turn >> 2) & 1);
  return ((mirrors & 1) | (isInverted ? 2 : 0)) as Variant;
}
