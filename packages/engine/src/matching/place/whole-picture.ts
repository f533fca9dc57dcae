import { LIMITS } from "../limits.ts";
import type { Variant } from "../rank/variants.ts";
import { TURNS, clipTerms, turnTerms, wholeAgreement } from "../../signature/whole-signature.ts";

/** How the query is turned against the whole original: one of `TURNS`, and whether light and dark are exchanged. */
export interface WholeTurn {
  readonly turn: number;
  readonly isInverted: boolean;
}

/** The query's clipped cosine terms in its eight turns. */
export class QueryTurns {
  readonly #turned: readonly Float64Array[];

  /** @param terms `cosineTerms` of the query */
  constructor(terms: Float64Array) {
    const clipped = clipTerms(terms);
    this.#turned = TURNS.map((turn) => turnTerms(clipped, turn));
    clipped.fill(0);
  }

  /** The turn, and the contrast, in which the query looks most like the original as a whole; null when in none enough. */
  best(signature: Uint8Array): WholeTurn | null {
    const agreements = this.#turned.map((terms) => wholeAgreement(terms, signature));
    const sizes = agreements.map(Math.abs);
    const greatest = Math.max(...sizes);
    if (greatest < LIMITS.whole.agreement) return null;
    const turn = sizes.indexOf(greatest);
    return { turn, isInverted: agreements[turn]! < 0 };
  }

  /** Overwrites everything derived from pixels. */
  clear(): void {
    for (const terms of this.#turned) terms.fill(0);
  }
}

/** The variant in which a query turned so is read. */
export function variantOf({ turn, isInverted }: WholeTurn): Variant {
  const mirrors = (turn & 1) + ((turn >> 1) & 1) + ((turn >> 2) & 1);
  return ((mirrors & 1) | (isInverted ? 2 : 0)) as Variant;
}
