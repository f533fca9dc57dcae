import { COSINE_TERMS, clipTerms, wavesOf } from "../../signature/whole-signature.ts";
import type { Tones } from "../compare/tones.ts";
import type { Signs } from "./sign-list.ts";

/** Half waves over which a term is of a band, and up to which. */
const BANDS = { all: [0, 30], low: [0, 4], middle: [4, 10], high: [10, 30] } as const;
/** Half waves over which a term is fine. */
const FINE = 8;

/** Terms of nothing are no smaller. */
const LEAST_SIZE = 1e-9;

const within = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value));

const meanSize = (terms: Float64Array): number =>
  terms.reduce((sum, term) => sum + Math.abs(term), 0) / (COSINE_TERMS - 1);

/** A share of sizes, 0 of none. */
class Weighed {
  #part = 0;
  #whole = 0;

  add(part: number, whole: number): void {
    this.#part += part;
    this.#whole += whole;
  }

  get share(): number {
    return this.#whole === 0 ? 0 : this.#part / this.#whole;
  }
}

/** Share of terms, by size, that have the original's sign: half of them by chance. */
class Agreement extends Weighed {
  count(term: number, original: number): void {
    this.add(Math.max(0, term * original), Math.abs(term));
  }
}

/**
 * How far a part's terms explain of the original's signs what the rest of the picture leaves open: 0 as by chance, 1 if
 * they do, less if they are against them.
 */
class Explained extends Weighed {
  /** `size`: what terms of the part come to on the average. */
  count(part: number, rest: number, size: number, original: number): void {
    const expected = within(rest / (2 * size), 1);
    const term = within(part, 3 * size);
    this.add(term * (original - expected), Math.abs(term) * (1 - Math.abs(expected)));
  }
}

/**
 * How steeply a sign's likelihood rises with its term, in mean sizes of the part's: of the rest alone, which leaves the
 * part open, and of all.
 */
const STEEPNESS = { rest: 1.3, all: 2.5 } as const;
/** However clear a term is, the original's sign may be another one so often. */
const LEAST_LIKELY = 0.02;

function likelihood(term: number, steepness: number, original: number): number {
  const likely = 1 / (1 + Math.exp(-steepness * term * original));
  return Math.max(LEAST_LIKELY, Math.min(1 - LEAST_LIKELY, likely));
}

/** Tones, and all of the query's terms as `clipTerms` leaves them. */
interface Compared extends Tones {
  readonly clipped: Float64Array;
}

/** Agreement of the terms of a band. */
function agreementBetween({ clipped, original }: Compared, above: number, upTo: number): number {
  const agreement = new Agreement();
  for (let k = 1; k < COSINE_TERMS; k += 1) {
    if (wavesOf(k) > above && wavesOf(k) <= upTo) agreement.count(clipped[k]!, original[k]!);
  }
  return agreement.share;
}

/** What is told by a part of the picture. */
class Told {
  /** Agreement of terms that have another sign with the part than without it. */
  readonly turned: Agreement = new Agreement();
  readonly explained: Explained = new Explained();
  readonly fine: Explained = new Explained();
  /**
   * Logarithm of how much likelier the original's signs are with what the part shows than with anything in its place.
   */
  odds = 0;

  /** Mean size of its terms, in those of all. */
  readonly shareOfAll: number;

  constructor({ all, original, clipped }: Compared, part: Float64Array) {
    const size = Math.max(LEAST_SIZE, meanSize(part));
    this.shareOfAll = meanSize(part) / Math.max(LEAST_SIZE, meanSize(clipped));
    for (let k = 1; k < COSINE_TERMS; k += 1) {
      const rest = all[k]! - part[k]!;
      if (Math.sign(rest) !== Math.sign(all[k]!)) this.turned.count(clipped[k]!, original[k]!);
      this.explained.count(part[k]!, rest, size, original[k]!);
      if (wavesOf(k) > FINE) this.fine.count(part[k]!, rest, size, original[k]!);
      this.odds += Math.log(likelihood(all[k]! / size, STEEPNESS.all, original[k]!));
      this.odds -= Math.log(likelihood(rest / size, STEEPNESS.rest, original[k]!));
    }
  }
}

/**
 * Adds how light and dark lie in the query where the original is: a photograph under lettering keeps the tones of what
 * it shows, and another one in the same frame or under the same lettering has its own. Of the parts in which blocks
 * agree with nothing it says whether the original shows them, beyond what the rest of the picture makes of its tones.
 */
export function addTones(signs: Signs, tones: Tones | null): void {
  const compared = tones && { ...tones, clipped: clipTerms(tones.all) };
  signs.share("covered", compared?.covered, 1);
  for (const [name, [above, upTo]] of Object.entries(BANDS)) {
    signs.share(name, compared ? agreementBetween(compared, above, upTo) : 0, 1);
  }
  for (const name of ["open", "differing"] as const) {
    // What may be negative is shifted by half of its range.
    const told = compared && new Told(compared, compared[name]);
    signs.share(`${name}.turned`, told?.turned.share, 1);
    signs.share(`${name}.explained`, told ? 2 + told.explained.share : 0, 4);
    signs.share(`${name}.fine`, told ? 2 + told.fine.share : 0, 4);
    signs.share(`${name}.odds`, told ? 128 + told.odds : 0, 256);
    signs.share(`${name}.size`, told?.shareOfAll, 2);
  }
  compared?.clipped.fill(0);
}
