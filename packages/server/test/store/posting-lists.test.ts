import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { seededRandom } from "@colophon/testing/pictures.ts";
import { STANDING_RULES } from "../../src/fsck/rules.ts";
import { writing } from "../../src/store/database.ts";
import { searchHeavyWords } from "../../src/store/index/heavy-words.ts";
import { deleteFeatures, retrieveCandidates } from "../../src/store/index/match-index.ts";
import { postingsOf, readPostings } from "../../src/store/index/postings.ts";
import { gatherPostings } from "../../src/store/index/posting-lists.ts";
import { IndexDatabase } from "../support/index-database.ts";

const ROUND = 800;
/** The first round begins when so many originals are there. */
const BEGINS = 900;
const WORDS = 60;
/** Few enough words that originals share many, and negative ones among them. */
const VOCABULARY = 3_000;

let index: IndexDatabase;

beforeEach(async () => {
  index = await IndexDatabase.start();
});

afterEach(() => index[Symbol.asyncDispose]());

const random = seededRandom(5);

function someWords(): number[] {
  return [...new Set(Array.from({ length: WORDS }, () => Math.floor((random() - 0.2) * VOCABULARY)))];
}

async function register(count: number): Promise<readonly (readonly number[])[]> {
  const words = Array.from({ length: count }, someWords);
  await index.register(words);
  return words;
}

/** All postings as `word/number`, in order. */
async function postings(relation: string): Promise<readonly string[]> {
  const { rows } = await sql<{ posting: string }>`select word || '/' || image_no as posting
    from ${sql.table(relation)} order by word, image_no`.execute(index.database);
  return rows.map(({ posting }) => posting);
}

async function lists(): Promise<number> {
  const { rows } = await sql<{ lists: number }>`select count(*) as lists from posting_list`.execute(
    index.database,
  );
  return rows[0]?.lists ?? 0;
}

async function gatherAll(round: number = ROUND): Promise<void> {
  while ((await gatherPostings(index.database, round)) > 0);
}

function leave(imageNo: number): Promise<void> {
  return writing(index.database, (write) => deleteFeatures(write, [imageNo]));
}

async function candidates(words: readonly number[]): Promise<readonly number[]> {
  const found = await retrieveCandidates(index.database, Int32Array.from(words), new Set([3]));
  return found.map(({ imageNo }) => imageNo);
}

async function unindexed(): Promise<readonly unknown[]> {
  const rule = STANDING_RULES.find(({ name }) => name.includes("match index with all its words"));
  const { rows } = await sql.raw(rule?.breaches ?? "").execute(index.database);
  return rows;
}

/** How many pages the statement of a look-up touches. */
async function pagesOf(words: readonly number[]): Promise<number> {
  const { rows } = await sql<{ "QUERY PLAN": string }>`
    explain (analyze, buffers) ${postingsOf(Int32Array.from(words))}`.execute(index.database);
  const [, pages] = /Buffers: shared hit=(\d+)/.exec(rows.map((row) => row["QUERY PLAN"]).join("\n")) ?? [];
  return Number(pages);
}

describe("postings", () => {
  it("stay rows until a whole round of originals is there", async () => {
    await register(BEGINS - 1);
    expect(await gatherPostings(index.database, ROUND)).toBe(0);
    expect(await lists()).toBe(0);
  });

  it("are gathered by processes at once, none lost and none twice, and the newest stay rows", async () => {
    const words = await register(BEGINS + 200);
    const queries = [7, 600, 1_050].map((n) => words[n] ?? []);
    const before = await postings("posting");
    const found = await Promise.all(queries.map(candidates));
    await Promise.all([gatherAll(), gatherAll(), gatherAll()]);
    await gatherAll();
    expect(await postings("posting")).toEqual(before);
    expect(await Promise.all(queries.map(candidates))).toEqual(found);
    expect(found.map(([first]) => first)).toEqual([8, 601, 1_051]);
    const { rows } = await sql<{ least: number; words: number }>`select min(image_no) as least,
      (select count(distinct word) from posting_list) as words from recent_posting`.execute(index.database);
    expect(rows).toEqual([{ least: ROUND, words: await lists() }]);
    expect(await unindexed()).toEqual([]);
  });

  it("of four rounds end in one list a word, and take-downs meanwhile reach them", async () => {
    await index.register(Array.from({ length: 3 * 100 + 20 }, someWords));
    await gatherAll(100);
    const before = await postings("posting");
    await register(100);
    const gone = Array.from({ length: 60 }, (_, n) => 1 + 5 * n);
    const leaving = [0, 1, 2].map(async (turn) => {
      for (const imageNo of gone.filter((_, n) => n % 3 === turn)) await leave(imageNo);
    });
    await Promise.all([...leaving, gatherAll(100)]);
    await gatherAll(100);
    const { rows } = await sql<{ lists: number; words: number }>`select count(*)::int as lists,
      count(distinct word)::int as words from posting_list`.execute(index.database);
    expect(rows[0]?.lists).toBeGreaterThan(1_000);
    expect(rows[0]?.lists).toBeLessThan(1.1 * (rows[0]?.words ?? 0));
    const left = (await postings("posting")).filter((posting) => Number(posting.split("/")[1]) <= 320);
    expect(left).toEqual(before.filter((posting) => !gone.includes(Number(posting.split("/")[1]))));
    expect(await unindexed()).toEqual([]);
  });

  it("of 64 rounds end in one list of a word that all have", async () => {
    const everybodys = VOCABULARY;
    await index.register(Array.from({ length: 642 }, () => [...someWords(), everybodys]));
    const before = await postings("posting");
    await gatherAll(10);
    expect(await postings("posting")).toEqual(before);
    const { rows } = await sql`select from posting_list where word = ${everybodys}`.execute(index.database);
    expect(rows).toHaveLength(1);
  });

  it("in lists leave with their original, and come back with none", async () => {
    const words = await register(BEGINS);
    await gatherAll();
    const before = await postings("posting");
    await leave(41);
    expect(await postings("posting")).toEqual(before.filter((posting) => !posting.endsWith("/41")));
    expect(await candidates(words[40] ?? [])).not.toContain(41);
  });

  it("that arrive and leave while others are gathered are neither lost nor kept", async () => {
    await register(ROUND + BEGINS);
    const before = await postings("posting");
    const gone = Array.from({ length: 60 }, (_, n) => 1 + 26 * n);
    const leaving = [0, 1, 2].map(async (turn) => {
      for (const imageNo of gone.filter((_, n) => n % 3 === turn)) await leave(imageNo);
    });
    const arriving = register(50);
    await Promise.all([gatherAll(), ...leaving, arriving, gatherAll()]);
    await gatherAll();
    const dead = new Set(gone.map(String));
    const left = (await postings("posting")).filter(
      (posting) => Number(posting.split("/")[1]) <= ROUND + BEGINS,
    );
    expect(left).toEqual(before.filter((posting) => !dead.has(posting.split("/")[1] ?? "")));
    expect(await unindexed()).toEqual([]);
  });

  it.each(["commit", "rollback"] as const)(
    "of a take-down under way, which ends in a %s, are not waited for",
    async (ending) => {
      await register(3 * 100 + 20);
      await gatherAll(100);
      await register(100);
      const before = await postings("posting");
      const leaving = [41, 341].map(async (imageNo) => {
        const write = await index.database.startTransaction().execute();
        await deleteFeatures(write, [imageNo]);
        return write;
      });
      const underWay = await Promise.all(leaving);
      await gatherAll(100);
      for (const write of underWay) await write[ending]().execute();
      const gone = ending === "commit" ? ["41", "341"] : [];
      expect(await postings("posting")).toEqual(
        before.filter((posting) => !gone.includes(posting.split("/")[1] ?? "")),
      );
      expect(await unindexed()).toEqual([]);
    },
  );

  it("of originals that leave together leave beside others, never in a circle", async () => {
    await register(BEGINS);
    await gatherAll();
    const before = await postings("posting");
    const together = [0, 1, 2, 3].map((turn) => Array.from({ length: 200 }, (_, n) => 1 + 4 * n + turn));
    await Promise.all(
      together.map((imageNos) => writing(index.database, (write) => deleteFeatures(write, imageNos))),
    );
    expect(await postings("posting")).toEqual(
      before.filter((posting) => Number(posting.split("/")[1]) > 4 * 200),
    );
    expect(await unindexed()).toEqual([]);
  });

  it("of a transaction that commits after its round are found as rows, and gathered in the next round", async () => {
    const words = someWords();
    let [late] = [0];
    await writing(index.database, async (write) => {
      [late = 0] = await index.registerWithin(write, [words]);
      await register(BEGINS);
      await gatherAll();
    });
    expect(late).toBe(1);
    expect((await candidates(words))[0]).toBe(late);
    expect((await postings("recent_posting")).filter((posting) => posting.endsWith("/1"))).toHaveLength(
      words.length,
    );
    await register(ROUND);
    await gatherAll();
    expect((await candidates(words))[0]).toBe(late);
    expect((await postings("recent_posting")).filter((posting) => posting.endsWith("/1"))).toEqual([]);
  });

  it("are as they were when the gathering breaks off, which goes on later", async () => {
    await register(BEGINS);
    const before = await postings("posting");
    const blocked = await index.database.startTransaction().execute();
    await sql`lock table posting_list in share mode`.execute(blocked);
    const broken = gatherPostings(index.database, ROUND).catch((error: unknown) => error);
    await expect
      .poll(async () => {
        const { rows } = await sql<{ pid: number }>`select pg_terminate_backend(pid) from pg_stat_activity
          where query like '%gathered%' and wait_event_type = 'Lock'`.execute(index.database);
        return rows.length;
      })
      .toBe(1);
    expect(await broken).toBeInstanceOf(Error);
    await blocked.commit().execute();
    expect(
      await postings(
        "posting_list cross join lateral listed_numbers(begins_at, numbers) as n (image_no)",
      ).catch(() => []),
    ).toEqual([]);
    expect(await postings("posting")).toEqual(before);
    await gatherAll();
    expect(await postings("posting")).toEqual(before);
  });

  it("in the longest lists are left unread where they are many", async () => {
    const common = Array.from({ length: 30 }, (_, n) => 100_000 + n);
    await index.register(Array.from({ length: 2_500 }, (_, n) => [...common, 2 * n, 2 * n + 1]));
    await gatherAll();
    const query = [...common, 2_000, 2_001];
    expect((await candidates(query))[0]).toBe(1_001);
    expect(await candidates(common)).toHaveLength(256);
    const { lists: read } = await readPostings(index.database, Int32Array.from(query));
    expect(read.length / 3).toBeGreaterThan(40_000);
    expect(read.length / 3).toBeLessThan(50_000);
  });

  it("in long lists are read at once, not a list for every number", async () => {
    await index.register(Array.from({ length: BEGINS }, (_, n) => [1, 2, 3, 10 + n]));
    await gatherAll();
    const { rows } = await sql<{ bytes: number }>`select max(pg_column_size(numbers)) as bytes,
      (select pg_relation_size(reltoastrelid) from pg_class where relname = 'posting_list') > 0 as is_apart
      from posting_list`.execute(index.database);
    expect(rows).toEqual([{ bytes: 3 * (ROUND - 1), isApart: true }]);
    expect(await pagesOf([1, 2, 3])).toBeLessThan(3 * ROUND);
  });

  it("in lists are counted when words are searched for heavy ones", async () => {
    await index.register(Array.from({ length: 2_100 }, (_, n) => [-5, 10 + n]));
    await gatherAll();
    while ((await searchHeavyWords(index.database)) > 0);
    const { rows } = await sql`select word, postings from heavy_word`.execute(index.database);
    expect(rows).toEqual([{ word: -5, postings: 2_100 }]);
  });
});
