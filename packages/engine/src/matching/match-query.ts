import { type Candidate, compare, place, rank } from "./candidates.ts";
import { MIN_SUPPORT, isDerived } from "./decision.ts";
import { statistics } from "./evidence.ts";
import { QueryPlanes } from "./query-plane.ts";
import type { Query } from "./subjects.ts";

/** Candidates that go on to geometry, most votes first. */
const MAX_PLACED = 30;
/** Fewest votes, in whole pairs, worth a look. */
const MIN_VOTES = 1;

/**
 * The ids of the candidates that the query derives from, best supported first; all of them, since a collage derives from each
 * of its parts. Pure and synchronous; the same query, candidates and key give the same answer in any order and on any
 * thread. `packetKey`: the 32 bytes under which the originals were registered.
 */
export function matchQuery(query: Query, candidates: readonly Candidate[], packetKey: Uint8Array): number[] {
  const { index, ranked } = rank(query, candidates, MIN_VOTES);
  const planes = new QueryPlanes(query.luma);
  try {
    return ranked
      .slice(0, MAX_PLACED)
      .flatMap((candidate) => {
        const placed = place(index, candidate);
        if (placed === null || placed.placement.support < MIN_SUPPORT) return [];
        const [coarse, fine] = [0, 1].map((layer) => {
          const comparison = compare(query, planes, placed, layer, packetKey);
          return comparison === null ? null : statistics(comparison);
        }) as [ReturnType<typeof statistics> | null, ReturnType<typeof statistics> | null];
        const evidence = { support: placed.placement.support, coarse, fine, coarseness: query.coarseness };
        return isDerived(evidence) ? [{ id: candidate.candidate.id, support: placed.placement.support }] : [];
      })
      .toSorted((a, b) => b.support - a.support || a.id - b.id)
      .map(({ id }) => id);
  } finally {
    planes.clear();
  }
}
