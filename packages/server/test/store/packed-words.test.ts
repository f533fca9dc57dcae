import { seededRandom } from "@colophon/testing/pictures.ts";
import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { packWords, unpackWords } from "../../src/store/index/packed-words.ts";
import { IndexDatabase } from "../support/index-database.ts";

const STEP = 2 ** 23;
const LEAST = -(2 ** 31);
const MOST = 2 ** 31 - 1;

const random = seededRandom(28);
const some = Array.from({ length: 600 }, () => Math.floor(random() * 2 ** 30));
const sets = [
  [],
  [0],
  [LEAST],
  [MOST],
  [MOST, LEAST],
  [LEAST + STEP - 1, LEAST, LEAST + 2 * STEP - 1, LEAST + 3 * STEP],
  [-1, 0, 1, STEP - 1, STEP, STEP + 1, 2 * STEP + 1],
  [...some, -3, -(2 ** 30) - 17, -5],
].map((words) => Int32Array.from(words));

const index = await IndexDatabase.start();

afterAll(() => index[Symbol.asyncDispose]());

describe.each(sets.map((words) => ({ words })))("words in small, $words.length of them", ({ words }) => {
  const packed = packWords(words);

  it("come back in ascending order", () => {
    expect(unpackWords(packed)).toEqual(words.toSorted());
  });

  it("are packed and read by the database alike", async () => {
    const { rows } = await sql<{ packed: Buffer; words: number[] }>`
      select packed_words(${[...words]}::int[]) as packed, array(select filed_words(${packed}::bytea)) as words`.execute(
      index.database,
    );
    expect(rows[0]?.packed.toString("hex")).toBe(packed.toString("hex"));
    expect(rows[0]?.words).toEqual(Array.from(words.toSorted()));
  });
});

it("six hundred words take little more than three bytes each", () => {
  expect(packWords(Int32Array.from(some)).length).toBeLessThan(3.05 * 600);
});
