import {
  type Decision,
  type Evidence,
  type Odds,
  decide,
  decideWhole,
  closerOddsOf,
  foundAgain,
  isClose,
  isInset,
  layerEvidence,
  oddsOf,
  shownOf,
  signsOf,
} from "@colophon/engine/lab";
import type { FindingTrace } from "./traces.ts";

/** What a decision is made from, of a stored finding: its summaries again from what was compared place by place. */
export interface Replayed {
  readonly signs: Uint8Array;
  readonly evidence: Evidence;
}

export function replayed({ parts, evidence, inliers }: FindingTrace): Replayed {
  const signs = signsOf(parts, evidence.textLikeness, inliers);
  const odds = oddsOf(signs);
  return {
    signs,
    evidence: {
      ...evidence,
      coarse: parts.coarse && layerEvidence(parts.coarse),
      fine: parts.fine && layerEvidence(parts.fine),
      odds: isClose(odds) ? closerOddsOf(odds, signs) : odds,
      again: foundAgain(parts.describedAgain),
      shown: shownOf(signs),
      isInset: isInset(signs),
    },
  };
}

/** What today's rules decide, with these odds. */
export function decided({ evidence }: Replayed, odds: Odds = evidence.odds): Decision {
  const each = { ...evidence, odds };
  return evidence.inliers > 0 ? decide(each) : decideWhole(each);
}
