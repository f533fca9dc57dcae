import { elected, LEAST_SHARED, MOST_CANDIDATES } from "../../../packages/server/src/store/index/vote.ts";

/** Room for a number beside a word in one exact float64. */
const NUMBERS = 2 ** 21;
const LEAST_WORD = -(2 ** 31);
const NOBODY: ReadonlySet<number> = new Set();

/**
 * The posting table in memory; the vote is the service's own. It counts all postings: a set has fewer than the service
 * reads for a look-up.
 */
export class PostingIndex {
  readonly #added: { readonly id: number; readonly words: Int32Array }[] = [];
  /** Word and number of every posting as one number each, ascending; made again when originals were added. */
  #postings = new Float64Array(0);
  #sorted = 0;

  /** Files an original under its words. `id` counts up from 0. */
  add(id: number, words: Int32Array): void {
    this.#added.push({ id, words: Int32Array.from(new Set(words)) });
  }

  /** The originals that a look-up names for ranking, but those left out, best first. */
  candidates(words: Int32Array, apartFrom: ReadonlySet<number> = NOBODY): readonly number[] {
    const found = [...this.#found(words)];
    const rows = Buffer.alloc(8 * found.length);
    for (const [at, { word, id }] of found.entries()) {
      rows.writeInt32BE(word, 8 * at);
      rows.writeInt32BE(id, 8 * at + 4);
    }
    const none = Buffer.alloc(0);
    const postings = { lists: none, rows, sizes: none, elsewhere: new Map(), newest: this.#added.length };
    return elected(postings, { least: LEAST_SHARED, most: MOST_CANDIDATES, apartFrom });
  }

  /** How many of some words each original has that has any. */
  shared(words: Int32Array): Map<number, number> {
    const shared = new Map<number, number>();
    for (const { id } of this.#found(words)) shared.set(id, (shared.get(id) ?? 0) + 1);
    return shared;
  }

  /** The postings of some words. */
  *#found(words: Int32Array): Generator<{ readonly word: number; readonly id: number }> {
    if (this.#sorted !== this.#added.length) this.#sort();
    for (const word of new Set(words)) {
      const first = key(word, 0);
      for (let at = this.#firstAtLeast(first); at < this.#postings.length; at += 1) {
        const id = this.#postings[at]! - first;
        if (id >= NUMBERS) break;
        yield { word, id };
      }
    }
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
