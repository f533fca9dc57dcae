/** What an accepted pair is. */
export type Relation = "true" | "related" | "shares parts" | "unrelated";

/** A pair that was matched, and what its pictures have to do with each other by construction. */
export interface Accepted {
  readonly query: string;
  readonly attack: string;
  readonly truth: readonly string[];
  readonly original: string;
  readonly sources: readonly string[];
  readonly relation: Exclude<Relation, "true">;
}

export interface FalseMatchReport {
  readonly queries: number;
  readonly originals: {
    readonly real: number;
    readonly rendered: number;
    readonly drawn: number;
    readonly generated: number;
  };
  /** Pairs of a query and an original that have nothing to do with each other. */
  readonly unrelatedPairs: number;
  /** Queries of which a true original was among the candidates, and was matched. */
  readonly retrieved: number;
  readonly found: number;
  readonly accepted: readonly Accepted[];
  /** Processor time of retrieval and matching of all queries, milliseconds. */
  readonly processorMs: number;
}

/** The report line by line. */
export function* falseMatchLines(report: FalseMatchReport): Generator<string> {
  const { queries, originals, unrelatedPairs, retrieved, found, accepted, processorMs } = report;
  const { real, rendered, drawn, generated } = originals;
  yield `${queries} queries against ${real} originals, ${rendered} rendered, ${drawn} drawn and ${generated} generated ones`;
  yield `${unrelatedPairs.toExponential(2)} unrelated pairs`;
  yield `a true original among the candidates: ${retrieved}, matched: ${found}`;
  yield `${(processorMs / queries).toFixed(0)} ms of processor time a query, extraction apart`;
  for (const relation of ["unrelated", "related", "shares parts"] as const) {
    const pairs = accepted.filter((pair) => pair.relation === relation);
    yield `matched, ${relation}: ${pairs.length}`;
    for (const { attack, truth, original, sources } of pairs) {
      yield `  ${attack} of ${truth.join("+")} matched ${original}${sources.length > 0 ? ` (of ${sources.join("+")})` : ""}`;
    }
  }
}
