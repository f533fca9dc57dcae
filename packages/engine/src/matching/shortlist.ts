import type { Query } from "../packet/query.ts";
import type { RankingPart } from "../packet/ranking-part.ts";
import { LIMITS } from "./limits.ts";
import { QueryTurns } from "./place/whole-picture.ts";
import { indexQuery, Ranking } from "./rank/ranking.ts";

const { shortlisted, whole: MAX_WHOLE } = LIMITS.pipeline;

/** Candidates that are shortlisted by their votes; so many need no shortlist. */
export const MAX_SHORTLISTED: number = shortlisted;

/** An original by its ranking part alone. */
export interface PartCandidate {
  readonly id: number;
  readonly part: RankingPart;
}

/**
 * The candidates whose packets are worth reading, by their ranking parts: those with most votes for one placement, and as many as are
 * tried as a whole of those that look like the query as a whole. Ties by id.
 */
export function shortlist(query: Query, candidates: readonly PartCandidate[]): number[] {
  const index = indexQuery(query);
  const ranking = new Ranking();
  const ranked = candidates
    .map(({ id, part }) => ({ id, part, score: ranking.scorePart(index, part) }))
    .toSorted((a, b) => b.score - a.score || a.id - b.id);
  const turns = new QueryTurns(query.terms);
  let wholes = 0;
  const worthReading = ranked.filter(({ part }, at) => {
    if (at < MAX_SHORTLISTED) return true;
    if (wholes === MAX_WHOLE || turns.best(part.whole) === null) return false;
    wholes += 1;
    return true;
  });
  turns.clear();
  return worthReading.map(({ id }) => id);
}
