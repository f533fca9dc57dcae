import { expect, it } from "vitest";
import { seededRandom } from "@colophon/testing/pictures.ts";
import type { Postings } from "../../src/store/index/postings.ts";
import { elected, type Election } from "../../src/store/index/vote.ts";

const NOBODY: ReadonlySet<number> = new Set();
const ALL: Election = { least: 2, most: 100, apartFrom: NOBODY };

/** Numbers as the database sends them. */
function whole(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [k, number] of numbers.entries()) bytes.writeInt32BE(number, 4 * k);
  return bytes;
}

function list(word: number, imageNos: readonly number[]): Buffer {
  const entries = imageNos.map((imageNo) => whole(imageNo).subarray(1));
  return Buffer.concat([whole(word, imageNos[0] ?? 0, 3 * imageNos.length), ...entries]);
}

function postings(lists: readonly Buffer[], other: Partial<Postings> = {}): Postings {
  const none = Buffer.alloc(0);
  return {
    lists: Buffer.concat(lists),
    rows: none,
    sizes: none,
    elsewhere: new Map(),
    newest: 1_000,
    ...other,
  };
}

const upTo = (count: number, from = 1): number[] => Array.from({ length: count }, (_, n) => from + n);

it("names originals that share two words, those of rare words first, of equal ones the older", () => {
  const common = upTo(500);
  const found = postings([
    list(1, common),
    list(-2, common),
    list(3, common),
    list(4, [7, 600]),
    list(5, [600, 700]),
    list(6, [8, 700]),
    list(7, [8, 9]),
  ]);
  // 600 has two rare words, 8 two and three common ones, 7 and 9 one and three.
  const [first, second, third, fourth, ...others] = elected(found, { ...ALL, most: 1_000 });
  expect([first, second, third, fourth]).toEqual([8, 600, 700, 7]);
  expect(others).toEqual([9, ...common.filter((imageNo) => ![7, 8, 9].includes(imageNo))]);
});

it("leaves out those named, those with fewer words than asked, and those beyond the most", () => {
  const found = postings([list(1, [5, 6, 7]), list(2, [5, 6, 7]), list(3, [6, 7])], { rows: whole(4, 7) });
  expect(elected(found, ALL)).toEqual([7, 6, 5]);
  expect(elected(found, { ...ALL, least: 3 })).toEqual([7, 6]);
  expect(elected(found, { ...ALL, most: 2 })).toEqual([7, 6]);
  expect(elected(found, { ...ALL, apartFrom: new Set([6]) })).toEqual([7, 5]);
});

it("counts originals whose numbers take more than three bytes", () => {
  const high = 2 ** 24 + 5;
  const found = postings([list(1, [high]), list(2, [high, high + 1]), list(1, [5])], { newest: high + 1 });
  expect(elected(found, ALL)).toEqual([high]);
});

it("answers the same whichever server has the postings, and in whatever order they come", () => {
  const random = seededRandom(3);
  const words = upTo(300);
  const all = words.flatMap((word) =>
    [...new Set(upTo(1 + Math.floor(40 * random() ** 4)).map(() => 1 + Math.floor(400 * random())))].map(
      (imageNo) => ({ word, imageNo }),
    ),
  );
  const of = (imageNo: number): number[] =>
    all.filter((posting) => posting.imageNo === imageNo).map(({ word }) => word);
  const having = (word: number, from: number, to: number): number[] =>
    all
      .filter((posting) => posting.word === word && posting.imageNo >= from && posting.imageNo < to)
      .map(({ imageNo }) => imageNo);
  const lists = words.map((word) => list(word, having(word, 0, 500)));
  const own = elected(postings(lists), ALL);
  expect(own).toHaveLength(100);
  expect(elected(postings(lists.toReversed()), ALL)).toEqual(own);
  const rows = postings([], { rows: Buffer.concat(all.map(({ word, imageNo }) => whole(word, imageNo))) });
  expect(elected(rows, ALL)).toEqual(own);
  const parted = postings(
    words.map((word) => list(word, having(word, 200, 500))),
    {
      sizes: Buffer.concat(words.map((word) => whole(word, having(word, 0, 200).length))),
      elsewhere: new Map(upTo(199).flatMap((no) => (of(no).length > 1 ? [[no, whole(...of(no))]] : []))),
    },
  );
  expect(elected(parted, ALL)).toEqual(own);
});
