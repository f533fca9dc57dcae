/** Fewest words in common for a candidate, and most candidates of one look-up. */
const MIN_SHARED = 2;
const MAX_CANDIDATES = 500;

/** Room for a number beside a word in one exact float64. */
const NUMBERS = 2 ** 21;
const LEAST_WORD = -(2 ** 31);

/** The posting table in memory. Among as few originals as a set has, a look-up's vote names the same; it weighs words, which are counted here. */
export class PostingIndex {
  readonly #added: { readonly id: number; readonly words: Int32Array }[] = [];
  /** Word and number of every posting as one number each, ascending; made again when originals were added. */
  #postings = new Float64Array(0);
  #sorted = 0;

  /** Files an original under its words. `id` counts up from 0. */
  add(id: number, words: Int32Array): void {
    this.#added.push({ id, words: Int32Array.from(new Set(words)) });
  }

  /** The originals that share at least two words with the query, most first, at most 500, with the number of words. */
  candidates(words: Int32Array): Map<number, number> {
    return this.sharing(words, MIN_SHARED);
  }

  /** The same for any least number of words. */
  sharing(words: Int32Array, least: number): Map<number, number> {
    if (this.#sorted !== this.#added.length) this.#sort();
    const shared = new Map<number, number>();
    for (const word of new Set(words)) {
      const first = key(word, 0);
      for (let at = this.#firstAtLeast(first); at < this.#postings.length; at += 1) {
        const id = this.#postings[at]! - first;
        if (id >= NUMBERS) break;
        shared.set(id, (shared.get(id) ?? 0) + 1);
      }
    }
    return new Map(
      [...shared]
        .filter(([, count]) => count >= least)
        .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
        .slice(0, MAX_CANDIDATES),
    );
  }

  #sort(): void {
    const total = this.#added.reduce((sum, { words }) => sum + words.length, 0);
    this.#postings = new Float64Array(total);
    let at = 0;
    for (const { id, words } of this.#added) {
      for (const word of words) {
        this.#postings[at] = key(word, id);
        at += 1;
      }
    }
    this.#postings.sort();
    this.#sorted = this.#added.length;
  }

  #firstAtLeast(least: number): number {
    let [low, high] = [0, this.#postings.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#postings[middle]! < least) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function key(word: number, id: number): number {
  return (word - LEAST_WORD) * NUMBERS + id;
}
