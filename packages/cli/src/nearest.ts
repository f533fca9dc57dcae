/** Most letters that may be wrong in a word for which another is meant. */
const MISTAKES = 2;

/** The one of `words` that a mistyped word most likely means; `undefined` where none is near. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const judged = words.map((word) => ({ word, mistakes: distance(typed, word) }));
  const near = judged.filter(({ word, mistakes }) => mistakes <= MISTAKES && mistakes * 2 <= word.length);
  return near.toSorted((a, b) => a.mistakes - b.mistakes)[0]?.word;
}

/** The question whether it is meant, with the space before it; empty where no word is near. */
export function question(typed: string, words: readonly string[], prefix = ""): string {
  const word = nearest(typed, words);
  return word === undefined ? "" : ` Did you mean ${prefix}${word}?`;
}

/** Letters to put in, take out or exchange to make one word of the other (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const exchanged = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, exchanged));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
