import type { Query } from "../packet/query.ts";
import type { RankingPart } from "../packet/ranking-part.ts";
import { LIMITS } from "./limits.ts";
import { QueryTurns } from "./place/whole-picture.ts";
import { indexQuery, Ranking } from "./rank/ranking.ts";

const { shortlisted, surelyShortlisted, votesOfPart, whole: MAX_WHOLE } = LIMITS.pipeline;

/** Most candidates that are shortlisted by their votes; so many need no shortlist. */
export const MAX_SHORTLISTED: number = shortlisted;

/** An original by its ranking part alone. */
export interface PartCandidate {
  readonly id: number;
  readonly part: RankingPart;
}

/**
 * The candidates whose packets are worth reading: those that share most words, by their ranking parts those with most
 * votes for one placement, few where chance may have given the votes, and as many as are tried as a whole of those that
 * look like the query as a whole. Most votes first, equal ones by id. `candidates`: those that share most words first.
 */
export function shortlist(query: Query, candidates: readonly PartCandidate[]): number[] {
  const index = indexQuery(query);
  const ranking = new Ranking();
  const ranked = candidates
    .map(({ id, part }, shared) => ({ id, part, shared, score: ranking.scorePart(index, part) }))
    .toSorted((a, b) => b.score - a.score || a.id - b.id);
  const turns = new QueryTurns(query.terms);
  let wholes = 0;
  const worthReading = ranked.filter(({ part, shared, score }, at) => {
    if (Math.min(at, shared) < surelyShortlisted) return true;
    if (at < MAX_SHORTLISTED && score >= votesOfPart) return true;
    if (wholes === MAX_WHOLE || turns.best(part.whole) === null) return false;
    wholes += 1;
    return true;
  });
  turns.clear();
  return worthReading.map(({ id }) => id);
}
