import { bothOf, isPlaceBorneOut } from "./borne-out.ts";
import { LEAST_BOTH, LEAST_PART, LEAST_PART_PRINTED } from "./model.ts";
import type { Evidence } from "./evidence.ts";
import { RULES, type RuleName } from "./rules.ts";
import { situationOf } from "./situation.ts";
import { isOtherSign } from "./shown-whole.ts";

/** Whether the query derives from the original, and what says so. */
export type Decision =
  | { readonly isMatch: true; readonly rule: RuleName }
  | { readonly isMatch: false; readonly refusedBy: Refusal };

/**
 * Why not: too few points agree, another sign of the same design lies there, all that agrees is what other pictures
 * share with the original, it is another photograph of the scene, or too little bears the hypotheses out.
 */
export type Refusal = "too-few-points" | "another-sign" | "shared-part" | "another-view" | "not-borne-out";

/** Fewer agreeing cells than this match only what is shown whole, and what the blocks bear out. */
const MIN_INLIERS = 8;
/**
 * The limit where the original lies in a small part of the query, as a code or a badge does: something shared must be
 * the likelier.
 */
export const LEAST_PART_INSET = -1024;
/** Blocks of the layer that decides that must agree where no point places the original: so many, and such a share. */
const FEWEST_OF_WHOLE = 15;
const MOST_OF_WHOLE = 0.6;

/**
 * Before the hypotheses: what is shown whole in small needs none, and of the smallest crops few blocks tell them
 * anything, and all of these agree.
 */
const [SHOWN_WHOLE, SMALL_CROP, LEARNED] = RULES;

/** The limits of `LEAST_PART` and `LEAST_PART_PRINTED`. */
export interface PartLimits {
  readonly leastPart: number;
  readonly leastPartPrinted: number;
}

/**
 * Odds up to which what agrees counts as shared. What lies in a small part of something else is shared only if that is
 * the likelier. Pages need clearer odds than photographs, since the few figures that two forms say differently may be
 * too small for either.
 */
export function leastPartOf(evidence: Evidence, { leastPart, leastPartPrinted }: PartLimits): number {
  if (evidence.isInset) return LEAST_PART_INSET;
  return evidence.areBothPrinted ? leastPartPrinted : leastPart;
}

/** As they were learned. */
const LIMITS_IN_USE: PartLimits = { leastPart: LEAST_PART, leastPartPrinted: LEAST_PART_PRINTED };

const refused = (refusedBy: Refusal): Decision => ({ isMatch: false, refusedBy });

/** What the learned hypotheses make of it. */
function learned(evidence: Evidence): Decision {
  if (evidence.odds.part <= leastPartOf(evidence, LIMITS_IN_USE)) return refused("shared-part");
  if (bothOf(evidence.odds) <= LEAST_BOTH) return refused("another-view");
  if (!LEARNED.holds(evidence, situationOf(evidence))) return refused("not-borne-out");
  return { isMatch: true, rule: LEARNED.name };
}

/**
 * Decides whether the query derives from the original, rather than from another photograph of the same scene, another
 * page of the same template or another picture under the same design.
 */
export function decide(evidence: Evidence): Decision {
  const situation = situationOf(evidence);
  if (SHOWN_WHOLE.holds(evidence, situation)) return { isMatch: true, rule: SHOWN_WHOLE.name };
  if (evidence.inliers < MIN_INLIERS && !isPlaceBorneOut(evidence, situation)) {
    return refused("too-few-points");
  }
  if (isOtherSign(evidence, situation)) return refused("another-sign");
  if (SMALL_CROP.holds(evidence, situation)) return { isMatch: true, rule: SMALL_CROP.name };
  return learned(evidence);
}

/**
 * The same of a query that looks like the whole original: whether blocks all over the picture agree. Pictures without
 * texture never do.
 */
export function decideWhole(evidence: Evidence): Decision {
  const { deciding } = situationOf(evidence);
  const isAllOver =
    deciding !== null && deciding.good >= FEWEST_OF_WHOLE && deciding.good >= MOST_OF_WHOLE * deciding.used;
  return isAllOver ? learned(evidence) : refused("not-borne-out");
}
