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

/** Originals that share fewer words with a query than this are not looked at. */
export const LEAST_SHARED = 2;
/** Originals that share most with a query, at most so many, go on to ranking. */
export const MOST_CANDIDATES = 256;

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
 * The originals that share most with a query, best first; of equal ones the older. A word that few originals have
 * weighs more: the square of the logarithm of how rare it is, for what originals share by chance are common words.
 */
export function elected(postings: Postings, { least, most, apartFrom }: Election): readonly number[] {
  const { imageNos, sums } = votesOf(listed(postings), postings);
  const sharing: { readonly imageNo: number; readonly weight: number }[] = [];
  for (let slot = 0; slot < sums.length; slot += 1) {
    const sum = sums[slot]!;
    if (sum < least * ONE || apartFrom.has(imageNos[slot]!)) continue;
    sharing.push({ imageNo: imageNos[slot]!, weight: sum % ONE });
  }
  return sharing
    .toSorted((a, b) => b.weight - a.weight || a.imageNo - b.imageNo)
    .slice(0, most)
    .map(({ imageNo }) => imageNo);
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

/** A hash table of originals with what their votes come to; 0 where there is none. */
interface Votes {
  readonly imageNos: Int32Array;
  readonly sums: Float64Array;
}

/** What the votes for each original come to, but for most of those that have a single one. */
function votesOf(found: Listed, postings: Postings): Votes {
  const { words, ends, imageNos } = found;
  const worth = worthOf(found, postings);
  // Most originals have a single word, by chance: a table in which few of them meet another one keeps them out of the
  // other.
  const met = new Uint8Array(2 ** PLACE_BITS);
  let meeting = 1;
  for (const imageNo of imageNos) {
    const place = placeOf(imageNo, PLACE_BITS);
    // The first of two that meet counts when the second comes.
    if (met[place]! > 0) meeting += 3 - met[place]!;
    if (met[place]! < 2) met[place]! += 1;
  }
  const bits = Math.ceil(Math.log2(2 * meeting));
  const named = new Int32Array(2 ** bits);
  const sums = new Float64Array(2 ** bits);
  let at = 0;
  for (const [list, word] of words.entries()) {
    const vote = worth.get(word)!;
    for (; at < ends[list]!; at += 1) {
      const imageNo = imageNos[at]!;
      if (met[placeOf(imageNo, PLACE_BITS)] !== 2) continue;
      let slot = placeOf(imageNo, bits);
      while (sums[slot] !== 0 && named[slot] !== imageNo) slot = (slot + 1) & (named.length - 1);
      named[slot] = imageNo;
      sums[slot]! += vote;
    }
  }
  return { imageNos: named, sums };
}

function placeOf(imageNo: number, bits: number): number {
  return Math.imul(imageNo, 0x9e37_79b1) >>> (32 - bits);
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
