import { type Candidate, type Placed, compare, place, rank } from "./candidates.ts";
import { MIN_SUPPORT, isDerived } from "./decision.ts";
import { statistics } from "./evidence.ts";
import { noiseOf } from "./noise.ts";
import { QueryPlanes } from "./query-plane.ts";
import type { Query } from "./subjects.ts";
import { textnessOf } from "./whole-signature.ts";

/** Candidates that go on to geometry, most votes first. */
const MAX_PLACED = 30;
/** Fewest votes, in whole pairs, worth a look. */
const MIN_VOTES = 0.5;

/** The query's pixels and what is measured of them once, when first asked for. */
class QueryPixels {
  readonly planes: QueryPlanes;
  readonly #query: Query;
  #noise: number | null = null;

  constructor(query: Query) {
    this.#query = query;
    this.planes = new QueryPlanes(query.luma);
  }

  get noise(): number {
    this.#noise ??= noiseOf(this.#query.luma);
    return this.#noise;
  }
}

function derives(query: Query, pixels: QueryPixels, placed: Placed, packetKey: Uint8Array): boolean {
  const read = (layer: number): ReturnType<typeof statistics> | null => {
    const comparison = compare(query, pixels.planes, placed, layer, packetKey);
    return comparison === null ? null : statistics(comparison);
  };
  return isDerived({
    support: placed.placement.support,
    coarse: read(0),
    fine: read(1),
    coarseness: query.coarseness,
    noise: pixels.noise,
    textness: textnessOf(placed.candidate.original.whole),
  });
}

/**
 * The ids of the candidates that the query derives from, best supported first; all of them, since a collage derives from each
 * of its parts. Pure and synchronous; the same query, candidates and key give the same answer in any order and on any
 * thread. `packetKey`: the 32 bytes under which the originals were registered.
 */
export function matchQuery(query: Query, candidates: readonly Candidate[], packetKey: Uint8Array): number[] {
  const { index, ranked } = rank(query, candidates, MIN_VOTES);
  const pixels = new QueryPixels(query);
  try {
    return ranked
      .slice(0, MAX_PLACED)
      .map((candidate) => place(index, candidate))
      .filter((placed): placed is Placed => placed !== null && placed.placement.support >= MIN_SUPPORT)
      .filter((placed) => derives(query, pixels, placed, packetKey))
      .toSorted((a, b) => b.placement.support - a.placement.support || a.candidate.id - b.candidate.id)
      .map(({ candidate }) => candidate.id);
  } finally {
    pixels.planes.clear();
  }
}
