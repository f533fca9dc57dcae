import { type RawBuilder, sql } from "kysely";
import { type Database, type Write, writing } from "../database.ts";

/** A word with more postings than this is heavy. */
const HEAVY = 1_000;
/** Postings of heavy words that one look-up reads: some 30 ms. */
const ALLOWANCE = 100_000;
/** Originals searched at once, one after the other as they were registered. */
const STRETCH = 1_000;
/** A word that so many originals of a stretch share is counted. */
const REPEATED = 3;
/** Most words counted for one stretch, those that repeat most. */
const MOST_REPEATED = 2_000;
/** A heavy word is counted again after a day, so many of them at once. */
const MOST_RECOUNTED = 100;

/**
 * A query of the heaviest of some words, which a look-up leaves out, for it would read too many postings. Those heavy
 * words that fit the allowance stay, so that a family of originals is still retrieved by what its members share, and
 * ranked by what sets them apart.
 * @param asked the condition on `word`
 */
export function heaviestWords(asked: RawBuilder<unknown>): RawBuilder<{ word: number }> {
  return sql`select word from (
      select word, sum(postings) over (order by postings, word) as together from heavy_word where ${asked}
    ) heavy where together > ${sql.lit(ALLOWANCE)}`;
}

/**
 * Finds heavy words: counts those that repeat in the next stretch of originals, and heavy ones last counted a day ago.
 * Processes that run at once take turns; interrupted, it begins the stretch again. Originals that commit after their
 * stretch was searched are not missed by the count of a word, only by the search for it.
 * @returns words that became heavy, or ceased to be
 */
export function searchHeavyWords(database: Database): Promise<number> {
  return writing(database, async (write) => {
    const search = await sql<{ next: number; newest: number }>`select next_image_no as next,
      (select coalesce(max(image_no), 0) from original) as newest
      from heavy_word_search for update skip locked`.execute(write);
    const [at] = search.rows;
    if (at === undefined) return 0;
    const words = await outdatedWords(write);
    if (at.next + STRETCH <= at.newest) {
      words.push(...(await repeatedWords(write, at.next)));
      await sql`update heavy_word_search set next_image_no = ${at.next + STRETCH}`.execute(write);
    }
    return words.length === 0 ? 0 : countWords(write, words);
  });
}

async function outdatedWords(write: Write): Promise<number[]> {
  const { rows } = await sql<{ word: number }>`select word from heavy_word
    where counted_at < now() - interval '1 day' order by counted_at limit ${MOST_RECOUNTED}`.execute(write);
  return rows.map(({ word }) => word);
}

/** Words that repeat in a stretch, but for heavy ones. */
async function repeatedWords(write: Write, from: number): Promise<number[]> {
  const { rows } = await sql<{ word: number }>`select word
    from feature cross join lateral filed_words(words) as repeated (word)
    where image_no >= ${from} and image_no < ${from + STRETCH} and word not in (select word from heavy_word)
    group by word having count(*) >= ${REPEATED} order by count(*) desc limit ${MOST_REPEATED}`.execute(
    write,
  );
  return rows.map(({ word }) => word);
}

async function countWords(write: Write, words: readonly number[]): Promise<number> {
  const { rows } = await sql<{ became: number; ceased: number }>`
    with counted as (
      select word, count(*)::int as postings from posting where word = any(${words}::int[])
      group by word having count(*) > ${HEAVY}
    ), ceased as (
      delete from heavy_word where word = any(${words}::int[]) and word not in (select word from counted)
      returning word
    ), heavy as (
      insert into heavy_word (word, postings) select word, postings from counted
      on conflict (word) do update set postings = excluded.postings, counted_at = now()
      returning (xmax = 0)::int as became
    )
    select (select coalesce(sum(became), 0)::int from heavy) as became,
      (select count(*)::int from ceased) as ceased`.execute(write);
  const [{ became, ceased } = { became: 0, ceased: 0 }] = rows;
  return became + ceased;
}
