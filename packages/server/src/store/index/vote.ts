import type { Postings } from "./postings.ts";

/** Bytes of a number, and of an original in a list. */
const [WHOLE, SHORT] = [4, 3];
/** Of an original's number, what its entry in a list does not say. */
const HIGH = 0xff00_0000;
/** A vote: it counts one, and what it weighs is below that. So one number sums up both. */
const ONE = 2 ** 32;
/** Steps of a weight, whole so that sums do not depend on the order of what is summed up. */
const STEPS = 1_024;
const PLACE_BITS = 18;

/** Which originals a vote names. */
export interface Election {
  /** How many words an original shares with the query at least: two or more. */
  readonly least: number;
  /** How many are named at most. */
  readonly most: number;
  /** Originals that are left out. */
  readonly apartFrom: ReadonlySet<number>;
}

/**
 * The originals that share most with a query, best first; of equal ones the older. A word that few originals have weighs more: the square of the
 * logarithm of how rare it is, for what originals share by chance are common words.
 */
export function elected(postings: Postings, { least, most, apartFrom }: Election): readonly number[] {
  const sharing: [imageNo: number, sum: number][] = [];
  for (const vote of votesOf(listed(postings), postings)) {
    if (vote[1] >= least * ONE && !apartFrom.has(vote[0])) sharing.push(vote);
  }
  return sharing
    .toSorted(([a, one], [b, other]) => (other % ONE) - (one % ONE) || a - b)
    .slice(0, most)
    .map(([imageNo]) => imageNo);
}

/** All postings: the word of each list, where its originals end, and these; how many of the lists are this server's. */
interface Listed {
  readonly words: number[];
  readonly ends: number[];
  readonly imageNos: Int32Array;
  readonly own: number;
}

function listed({ lists, rows, elsewhere }: Postings): Listed {
  const [words, ends]: [number[], number[]] = [[], []];
  let most = lists.length / SHORT + rows.length / WHOLE;
  for (const shared of elsewhere.values()) most += shared.length / WHOLE;
  const imageNos = new Int32Array(most);
  let count = 0;
  for (let at = 0; at < lists.length; ) {
    words.push(lists.readInt32BE(at));
    const high = lists.readInt32BE(at + WHOLE) & HIGH;
    const end = at + 3 * WHOLE + lists.readInt32BE(at + 2 * WHOLE);
    for (at += 3 * WHOLE; at < end; at += SHORT) {
      imageNos[count] = high | (lists[at]! << 16) | (lists[at + 1]! << 8) | lists[at + 2]!;
      count += 1;
    }
    ends.push(count);
  }
  const add = (word: number, imageNo: number): void => {
    imageNos[count] = imageNo;
    count += 1;
    words.push(word);
    ends.push(count);
  };
  for (let at = 0; at < rows.length; at += 2 * WHOLE) add(rows.readInt32BE(at), rows.readInt32BE(at + WHOLE));
  const own = words.length;
  for (const [imageNo, shared] of elsewhere) {
    for (let at = 0; at < shared.length; at += WHOLE) add(shared.readInt32BE(at), imageNo);
  }
  return { words, ends, imageNos: imageNos.subarray(0, count), own };
}

/** What the votes for each original come to, but for most of those that have a single one. */
function votesOf(found: Listed, postings: Postings): ReadonlyMap<number, number> {
  const { words, ends, imageNos } = found;
  const worth = worthOf(found, postings);
  const votes = new Map<number, number>();
  // Most originals have a single word, by chance: a table in which few of them meet another one keeps them out of the map.
  const met = new Uint8Array(2 ** PLACE_BITS);
  for (const imageNo of imageNos) if (met[placeOf(imageNo)]! < 2) met[placeOf(imageNo)]! += 1;
  let at = 0;
  for (const [list, word] of words.entries()) {
    const vote = worth.get(word)!;
    for (; at < ends[list]!; at += 1) {
      const imageNo = imageNos[at]!;
      if (met[placeOf(imageNo)] === 2) votes.set(imageNo, (votes.get(imageNo) ?? 0) + vote);
    }
  }
  return votes;
}

function placeOf(imageNo: number): number {
  return Math.imul(imageNo, 0x9e37_79b1) >>> (32 - PLACE_BITS);
}

/** What a vote by each word counts and weighs. */
function worthOf({ words, ends, own }: Listed, { sizes, newest }: Postings): ReadonlyMap<number, number> {
  const having = new Map<number, number>();
  const add = (word: number, originals: number): void => {
    having.set(word, (having.get(word) ?? 0) + originals);
  };
  for (const [list, word] of words.entries()) {
    add(word, list < own ? ends[list]! - (ends[list - 1] ?? 0) : 0);
  }
  for (let at = 0; at < sizes.length; at += 2 * WHOLE) {
    add(sizes.readInt32BE(at), sizes.readInt32BE(at + WHOLE));
  }
  return new Map(
    Array.from(having, ([word, originals]) => {
      const rarity = Math.log1p(newest / Math.max(1, originals));
      return [word, ONE + Math.round(STEPS * rarity ** 2)];
    }),
  );
}
