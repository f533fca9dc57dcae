/** Fewest words in common for a candidate, and most candidates of one look-up. */
const MIN_SHARED = 2;
const MAX_CANDIDATES = 500;

/** The posting table in memory: answers exactly as the look-up's SQL statement does, ties by number. */
export class PostingIndex {
  readonly #postings = new Map<number, number[]>();

  add(id: number, words: Int32Array): void {
    for (const word of new Set(words)) {
      const posting = this.#postings.get(word);
      if (posting === undefined) this.#postings.set(word, [id]);
      else posting.push(id);
    }
  }

  /** The originals that share at least two words with the query, most first, at most 500, with the number of words. */
  candidates(words: Int32Array): Map<number, number> {
    const shared = new Map<number, number>();
    for (const word of new Set(words))
      for (const id of this.#postings.get(word) ?? []) shared.set(id, (shared.get(id) ?? 0) + 1);
    return new Map(
      [...shared]
        .filter(([, count]) => count >= MIN_SHARED)
        .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
        .slice(0, MAX_CANDIDATES),
    );
  }
}
