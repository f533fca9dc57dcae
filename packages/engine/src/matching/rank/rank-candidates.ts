import type { StoredOriginal } from "../../packet/original.ts";
import type { Query } from "../../packet/query.ts";
import { type QueryIndex, Ranking, indexQuery } from "./ranking.ts";

/** One of the registered originals that a query may derive from. */
export interface Candidate {
  readonly id: number;
  readonly original: StoredOriginal;
}

/** A candidate with its Hough score in each variant of the query. */
export interface RankedCandidate {
  readonly candidate: Candidate;
  readonly scores: Float64Array;
  readonly score: number;
}

/** Candidates by their votes for one placement, most first; ties by id. */
export function rankCandidates(
  query: Query,
  candidates: readonly Candidate[],
): { index: QueryIndex; ranked: RankedCandidate[] } {
  const index = indexQuery(query);
  const ranking = new Ranking();
  const ranked = candidates
    .map((candidate) => {
      const scores = ranking.score(index, candidate.original);
      return { candidate, scores, score: Math.max(...scores) };
    })
    .toSorted((a, b) => b.score - a.score || a.candidate.id - b.candidate.id);
  return { index, ranked };
}
