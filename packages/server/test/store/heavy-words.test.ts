import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { heaviestWords, searchHeavyWords } from "../../src/store/index/heavy-words.ts";
import { retrieveCandidates } from "../../src/store/index/match-index.ts";
import { IndexDatabase } from "../support/index-database.ts";

const MEMBERS = 2_500;
/** Words of the template; fifty of them are more postings than a look-up reads. */
const TEMPLATE = Array.from({ length: 50 }, (_, n) => 1_000_000 + n);
/** Words that one member alone has. */
const OWN = 2;

let index: IndexDatabase;
let database: Database;

beforeAll(async () => {
  index = await IndexDatabase.start();
  database = index.database;
  for (let member = 0; member < MEMBERS; member += 500) {
    await index.register(Array.from({ length: 500 }, (_, n) => wordsOf(member + n)));
  }
});

afterAll(() => index[Symbol.asyncDispose]());

function wordsOf(member: number): number[] {
  return [...TEMPLATE, ...Array.from({ length: OWN }, (_, n) => OWN * member + n)];
}

async function heavyWords(): Promise<readonly { word: number; postings: number }[]> {
  const { rows } = await sql<{ word: number; postings: number }>`select word, postings from heavy_word
    order by word`.execute(database);
  return rows;
}

/** Those of some words that a look-up asks for. */
async function lightOf(words: readonly number[]): Promise<readonly number[]> {
  const { rows } = await heaviestWords(sql`word = any(${words}::int[])`).execute(database);
  const heaviest = new Set(rows.map(({ word }) => word));
  return words.filter((word) => !heaviest.has(word));
}

describe("words that one family of originals made heavy", () => {
  it("are all asked for until they have been found", async () => {
    expect(await lightOf(wordsOf(7))).toHaveLength(TEMPLATE.length + OWN);
  });

  it("are found by processes that search at once, each counted once, and all of them alone", async () => {
    const found = await Promise.all([searchHeavyWords(database), searchHeavyWords(database)]);
    expect(found.toSorted((a, b) => a - b)).toEqual([0, TEMPLATE.length]);
    expect(await heavyWords()).toEqual(TEMPLATE.map((word) => ({ word, postings: MEMBERS })));
    expect(await searchHeavyWords(database)).toBe(0);
    expect(await searchHeavyWords(database)).toBe(0);
    expect(await heavyWords()).toHaveLength(TEMPLATE.length);
  });

  it("are read only as far as the allowance goes", async () => {
    const words = await lightOf(wordsOf(7));
    const { rows } = await sql<{ touched: number }>`select count(*)::int as touched from posting
      where word = any(${words}::int[])`.execute(database);
    expect(words).toHaveLength(40 + OWN);
    expect(rows[0]?.touched).toBe(40 * MEMBERS + OWN);
  });

  it("still retrieve the members, ranked by what sets them apart", async () => {
    const query = Int32Array.from([...TEMPLATE, OWN * 2_345]);
    const candidates = await retrieveCandidates(database, query, new Set());
    expect(candidates[0]?.imageNo).toBe(2_346);
    expect(candidates).toHaveLength(256);
  });

  it("are forgotten within a day after most of the family was taken down", async () => {
    await sql`delete from recent_posting where image_no <= ${MEMBERS - 900}`.execute(database);
    expect(await searchHeavyWords(database)).toBe(0);
    await sql`update heavy_word set counted_at = counted_at - interval '25 hours'`.execute(database);
    expect(await searchHeavyWords(database)).toBe(TEMPLATE.length);
    expect(await heavyWords()).toEqual([]);
  });
});
