import { isPlaceBorneOut } from "./borne-out.ts";
import { LEAST_PART, LEAST_PART_PRINTED, LEAST_SCENE } from "./model.ts";
import type { Evidence, Layers } from "./evidence.ts";
import { RULES, type Rule, type RuleName } from "./rules.ts";
import { type Situation, situationOf } from "./situation.ts";
import { isDescribedWhole, isOtherSign } from "./shown-whole.ts";

/** Whether the query derives from the original, and what says so. */
export type Decision =
  | { readonly isMatch: true; readonly rule: RuleName }
  | { readonly isMatch: false; readonly refusedBy: Refusal };

/**
 * Why not: too few points agree, all that agrees is what other pictures share with the original, it is another photograph of the scene, no rule holds, or
 * the page says something else.
 */
export type Refusal = "too-few-points" | "shared-part" | "another-view" | "no-rule" | "says-otherwise";

/** Fewer agreeing cells than this match only what is shown whole, and what the blocks bear out. */
const MIN_INLIERS = 8;
/** The limit where the original lies in a small part of the query, as a code or a badge does: something shared must be the likelier. */
export const LEAST_PART_INSET = -1024;

/** Of the blocks that a page's points describe: the least that must agree on each layer, the least that must agree clearly on one, and the fewest that tell. */
const GOOD_OF_DESCRIBED = 0.7;
const CLEAR_OF_DESCRIBED = 0.55;
const FEW_DESCRIBED = 15;

/** Few points or few blocks: the other must speak the clearer. */
function isTold(evidence: Evidence, situation: Situation): boolean {
  const { deciding } = situation;
  if (deciding === null) return false;
  const { inliers } = evidence;
  const isEnough =
    (deciding.good >= 15 || inliers >= 12) && (inliers > 10 || deciding.good >= 0.5 * deciding.used);
  return isEnough || isPlaceBorneOut(evidence, situation);
}

/** The first rule that holds. */
function holdingRule(evidence: Evidence, situation: Situation, rules: readonly Rule[]): RuleName | null {
  return rules.find((rule) => rule.applies(situation) && rule.holds(evidence, situation))?.name ?? null;
}

/** Before the hypotheses: what is shown whole in small needs none, and of the smallest crops few blocks tell them anything, and all of these agree. */
const [SHOWN_WHOLE, SMALL_CROP, ...OTHERS] = RULES as readonly [Rule, Rule, ...Rule[]];

/** The rule by which placed blocks agree. */
function agreeingRule(evidence: Evidence): RuleName | null {
  const situation = situationOf(evidence);
  return isTold(evidence, situation) ? holdingRule(evidence, situation, OTHERS) : null;
}

function isSmallCrop(evidence: Evidence): boolean {
  const situation = situationOf(evidence);
  return situation.deciding !== null && SMALL_CROP.holds(evidence, situation);
}

/**
 * Whether a page says something else than the original where the original says anything, however much of the template's lines
 * and frames agrees.
 */
function saysOtherwise({ expectedBlocks }: Evidence, { original }: Situation): boolean {
  if (expectedBlocks === null || original === "scene") return false;
  const { coarse, fine }: Layers = expectedBlocks.described;
  const telling = [coarse, fine].flatMap((layer) =>
    layer !== null && layer.all.used >= FEW_DESCRIBED ? [layer.all] : [],
  );
  return (
    telling.some(({ good, used }) => good < GOOD_OF_DESCRIBED * used) ||
    (telling.length === 2 && telling.every(({ clear, used }) => clear < CLEAR_OF_DESCRIBED * used))
  );
}

/** The limits of `LEAST_PART` and `LEAST_PART_PRINTED`. */
export interface PartLimits {
  readonly leastPart: number;
  readonly leastPartPrinted: number;
}

/**
 * Odds up to which what agrees counts as shared. What lies in a small part of something else is shared only if that is the likelier. Pages need clearer odds
 * than photographs, since the few figures that two forms say differently may be too small for either.
 */
export function leastPartOf(evidence: Evidence, { leastPart, leastPartPrinted }: PartLimits): number {
  if (evidence.isInset) return LEAST_PART_INSET;
  return evidence.areBothPrinted ? leastPartPrinted : leastPart;
}

/** As they were learned. */
const LIMITS_IN_USE: PartLimits = { leastPart: LEAST_PART, leastPartPrinted: LEAST_PART_PRINTED };

/** What the learned hypotheses refuse, whatever the rules say. An original of which nothing is missing is not another view. */
function refusal(evidence: Evidence): Refusal | null {
  if (isDescribedWhole(evidence)) return null;
  if (evidence.odds.part <= leastPartOf(evidence, LIMITS_IN_USE)) return "shared-part";
  return !evidence.isAllThere && evidence.odds.scene <= LEAST_SCENE ? "another-view" : null;
}

const refused = (refusedBy: Refusal): Decision => ({ isMatch: false, refusedBy });

/**
 * Decides whether the query derives from the original, rather than from another photograph of the same scene, another page of the same template or
 * another picture under the same design. Of an original on plain ground it is enough that all it shows agrees, whatever was laid over the ground; of a
 * photograph that all agrees that still looks like one, whatever was drawn over it.
 */
export function decide(evidence: Evidence): Decision {
  const { expectedBlocks, photographed, inliers } = evidence;
  const situation = situationOf(evidence);
  if (SHOWN_WHOLE.holds(evidence, situation)) return { isMatch: true, rule: SHOWN_WHOLE.name };
  if (inliers < MIN_INLIERS && !isPlaceBorneOut(evidence, situation)) return refused("too-few-points");
  if (isOtherSign(evidence, situation)) return refused("says-otherwise");
  const expected = expectedBlocks === null ? null : { ...evidence, ...expectedBlocks.expected };
  const isOtherwise = saysOtherwise(evidence, situation);
  const isSmall = (expected !== null && isSmallCrop(expected)) || (isSmallCrop(evidence) && !isOtherwise);
  if (isSmall) return { isMatch: true, rule: SMALL_CROP.name };
  const hypothesis = refusal(evidence);
  if (hypothesis !== null) return refused(hypothesis);
  const shown = expected === null ? null : agreeingRule(expected);
  if (shown !== null) return { isMatch: true, rule: shown };
  const rule = agreeingRule(evidence) ?? agreeingRule({ ...evidence, ...photographed });
  if (rule === null) return refused("no-rule");
  return isOtherwise ? refused("says-otherwise") : { isMatch: true, rule };
}

/** The same of a query that looks like the whole original: whether blocks all over the picture agree. Pictures without texture never do. */
export function decideWhole(evidence: Evidence): Decision {
  const situation = situationOf(evidence);
  const { deciding } = situation;
  const hypothesis = refusal(evidence);
  if (hypothesis !== null) return refused(hypothesis);
  if (deciding === null || deciding.good < 15 || deciding.good < 0.6 * deciding.used) {
    return refused("no-rule");
  }
  const rule = holdingRule(evidence, situation, OTHERS);
  if (rule === null) return refused("no-rule");
  return saysOtherwise(evidence, situation) ? refused("says-otherwise") : { isMatch: true, rule };
}
