import { type RawBuilder, sql } from "kysely";
import { copiedRows } from "../copied-rows.ts";
import type { Database } from "../database.ts";
import { heaviestWords } from "./heavy-words.ts";

/**
 * Bytes of posting lists that one look-up reads, those of the lightest words first: some 50,000 postings. So that a
 * look-up costs no more than that however many originals there are. The heaviest words tell least.
 */
const LIST_BYTES = 200_000;
/** What a posting of a list weighs: its bytes on other servers, whose lists are of whole numbers. */
const POSTING_BYTES = 4;
/** Bytes of such a list beside them, where it is short. */
const HEAD_BYTES = 21;
/** Originals of other servers that have fewer of the words are not named. */
const LEAST_ELSEWHERE = 2;

/** What a row of the statement holds that is no original. */
const LISTS = -1;
const ROWS = -2;
const SIZES = -3;
const NEWEST = -4;

/** Who has the words that were asked for, but for the heaviest of them; numbers are big-endian. */
export interface Postings {
  /**
   * This server's lists: word, number that it began at and bytes, in four bytes each, and the originals, in three bytes
   * each.
   */
  readonly lists: Buffer;
  /** This server's rows: word and original, in four bytes each. */
  readonly rows: Buffer;
  /** Words, and how many originals of other servers have them, in four bytes each. */
  readonly sizes: Buffer;
  /** Originals of other servers that have some of the words, and those, in four bytes each. */
  readonly elsewhere: ReadonlyMap<number, Buffer>;
  /** The highest number given to an original. */
  readonly newest: number;
}

/** Reads who has some words. */
export async function readPostings(database: Database, words: Int32Array): Promise<Postings> {
  const found = await copiedRows(database, postingsOf(words).compile(database).sql);
  const bytesOf = new Map(found.map(({ no, bytes }) => [no, bytes ?? Buffer.alloc(0)]));
  const taken = (kind: number): Buffer => {
    const bytes = bytesOf.get(kind) ?? Buffer.alloc(0);
    bytesOf.delete(kind);
    return bytes;
  };
  const newest = taken(NEWEST).readInt32BE();
  return { lists: taken(LISTS), rows: taken(ROWS), sizes: taken(SIZES), newest, elsewhere: bytesOf };
}

/**
 * The statement that reads them: of each kind one row, and one of each original elsewhere. Every server sums up its own
 * postings, of the words that the lists of all of them together leave affordable: `= any` rather than a join with
 * `unnest`, which would not be sent to another one. Without parameters, which COPY does not take.
 */
export function postingsOf(words: Int32Array): RawBuilder<{ no: number; bytes: Buffer | null }> {
  const asked = sql`word = any((select words from asked)::int[])`;
  const light = sql`word not in (select word from too_heavy)`;
  return sql`with asked as materialized (
      select ${sql.raw(`'{${words.join(",")}}'::int[]`)} as words
    ), too_common as materialized (${heaviestWords(asked)}
    ), list as materialized (
      select word, begins_at, numbers, length(numbers) / 3 * ${sql.lit(POSTING_BYTES)} as bytes
      from posting_list where ${asked} and word not in (select word from too_common)
    ), elsewhere as materialized (
      select word, bytes from remote_list where ${asked} and word not in (select word from too_common)
    ), too_heavy as materialized (
      select word from too_common
      union all
      select word from (
        select word, sum(sum(bytes)) over (order by sum(bytes), word) as together
        from (select word, bytes from list union all select word, bytes from elsewhere) weight group by word
      ) weighed where together > ${sql.lit(LIST_BYTES)}
    )
    select ${sql.lit(LISTS)} as no,
      ${joined(sql`int4send(word) || int4send(begins_at) || int4send(length(numbers)) || numbers`)} as bytes
      from list where ${light}
    union all
    select ${sql.lit(ROWS)}, ${joined(sql`int4send(word) || int4send(image_no)`)}
      from recent_posting where ${asked} and ${light}
    union all
    select ${sql.lit(SIZES)},
      ${joined(sql`int4send(word) || int4send((bytes - ${sql.lit(HEAD_BYTES)}) / ${sql.lit(POSTING_BYTES)})`)}
      from elsewhere where ${light}
    union all
    select ${sql.lit(NEWEST)}, int4send(coalesce(max(image_no), 0)) from original
    union all
    select image_no, ${joined(sql`int4send(word)`)} from remote_posting
      where word = any(array(select word from asked, unnest(words) as word where ${light}))
      group by image_no having count(*) >= ${sql.lit(LEAST_ELSEWHERE)}`;
}

function joined(parts: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`string_agg(${parts}, ''::bytea)`;
}
