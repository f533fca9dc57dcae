import { examineCandidates, type Finding, type StoredOriginal } from "@colophon/engine/lab";
import { PostingIndex } from "./posting-index.ts";
import { type Filed, PACKET_KEY, type Subject } from "./subjects.ts";
import type { QueryRecord } from "../report.ts";

/** Registered originals, as the look-up sees them. */
export class Registry {
  readonly #index = new PostingIndex();
  readonly #originals = new Map<number, { readonly name: string; readonly original: StoredOriginal }>();

  add(name: string, { original, words }: Filed): void {
    const id = this.#originals.size;
    this.#index.add(id, words);
    this.#originals.set(id, { name, original });
  }

  /** Looks a query up: names matched, and everything that was found on the way. */
  lookUp({
    query,
    queryWords,
  }: Subject): Pick<QueryRecord, "matched" | "findings" | "shared" | "milliseconds"> {
    const start = performance.now();
    const ids = this.#index.candidates(queryWords);
    const candidates = ids.map((id) => ({ id, original: this.#originals.get(id)!.original }));
    const findings = examineCandidates(query, candidates, PACKET_KEY);
    const milliseconds = performance.now() - start;
    const shared = this.#index.shared(queryWords);
    const name = (id: number): string => this.#originals.get(id)?.name ?? "";
    return {
      matched: findings.filter(({ isMatch }) => isMatch).map(({ id }) => name(id)),
      findings: findings.map(({ id, inliers, evidence, decision, isMatch }: Finding) => ({
        id,
        inliers,
        evidence,
        decision,
        isMatch,
        name: name(id),
      })),
      shared: Object.fromEntries(ids.map((id) => [name(id), shared.get(id) ?? 0])),
      milliseconds,
    };
  }
}
