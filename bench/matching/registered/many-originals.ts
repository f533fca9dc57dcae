import { matchQuery, type Rgb, type StoredOriginal } from "@colophon/engine/lab";
import { PostingIndex } from "./posting-index.ts";
import { PACKET_KEY } from "./subjects.ts";

/** An original, and what is known of it by construction. */
export interface Filed {
  readonly name: string;
  /** Originals of which it shows something, an original itself among them. */
  readonly sources: readonly string[];
  readonly stored: () => StoredOriginal;
  readonly picture: (() => Promise<Rgb>) | null;
}

/** Everything that a query is compared with. */
export class ManyOriginals {
  readonly #index = new PostingIndex();
  readonly #filed: Filed[] = [];
  readonly #showing: (readonly string[])[] = [];

  add(filed: Filed, words: Int32Array): void {
    this.#index.add(this.#filed.length, words);
    this.#filed.push(filed);
    if (filed.sources.length > 0) this.#showing.push(filed.sources);
  }

  /** What is among the candidates of a query, and what of it is matched. */
  lookUp(
    query: Parameters<typeof matchQuery>[0],
    words: Int32Array,
  ): { candidates: Filed[]; matched: Filed[] } {
    const ids = this.#index.candidates(words);
    const candidates = ids.map((id) => ({ id, original: this.#filed[id]!.stored() }));
    const matched = matchQuery(query, candidates, PACKET_KEY);
    const of = (id: number): Filed => this.#filed[id]!;
    return { candidates: ids.map(of), matched: matched.map(({ id }) => of(id)) };
  }

  /** How many show nothing of any of these originals. */
  countUnrelated(names: readonly string[]): number {
    return (
      this.#filed.length -
      this.#showing.filter((sources) => sources.some((each) => names.includes(each))).length
    );
  }
}
