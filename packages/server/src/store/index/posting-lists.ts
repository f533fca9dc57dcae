import { sql } from "kysely";
import { type Database, type Write, writing } from "../database.ts";
import { LOCKS } from "../locks.ts";
import { partsUnderWay } from "./index-parts.ts";
import { listsOf } from "./packed-lists.ts";

/**
 * Originals whose postings are gathered in one round. Larger rounds leave more postings as rows; smaller ones make more
 * lists, which are merged.
 */
export const ROUND = 16_384;
/** Rounds whose lists are merged by the last of them; of so many such, the lists are merged once more. */
const MERGED = 4;
/** Most rounds whose lists are one: a posting is written four times. */
const MOST_MERGED = 64;
/**
 * Share of a round by which the newest originals are ahead of its end when it begins: numbers before the end are then
 * no longer under way.
 */
const AHEAD = 1 / 8;
/** Postings written in one transaction, some 0.1 to 0.3 s; a word's own are never divided. */
const SLICE = 50_000;
/**
 * Shares of the originals, by number: a take-down has one from its first posting to its end. The function
 * `remove_postings` knows the number, too.
 */
const SHARES = 64;
/** Transactions of one call. */
const SLICES = 10;

interface Round {
  readonly beginsAt: number;
  readonly endsAt: number | null;
  readonly lastWord: number;
  readonly newest: number;
}

/** How many whole rounds this many originals make; the last one is due once later originals are far enough ahead. */
export function roundsOf(originals: number, round: number): number {
  return Math.max(0, Math.floor(originals / round - AHEAD));
}

/** The first number of the originals whose lists are one list a word once the round that ends here is through. */
export function listsBeginAt(endsAt: number, round: number): number {
  let span = round;
  while (span < MOST_MERGED * round && endsAt % (MERGED * span) === 0) span *= MERGED;
  return endsAt - span;
}

/**
 * Gathers postings of older originals in lists: once so many originals have come since the last round, and some more,
 * all their postings, in the order of the words, a slice in each transaction and a few slices in each call. Every
 * fourth round merges the lists of the three before it with its own. Every posting is at every moment either a row or
 * in a list. Processes that gather at once take turns; interrupted, the next call goes on with the slice that was not
 * finished. What commits after its word's turn is not lost: it stays a row until the next round. Gathering waits for no
 * take-down: what one is about to change stays as it is, too.
 * @returns lists written
 */
export async function gatherPostings(database: Database, originals: number = ROUND): Promise<number> {
  let written = 0;
  for (let slice = 0; slice < SLICES; slice += 1) {
    const lists = await writing(database, (write) => gatherSlice(write, originals));
    if (lists === null) break;
    written += lists;
  }
  return written;
}

/** Lists written for the next slice; null when there is nothing to do. */
async function gatherSlice(write: Write, originals: number): Promise<number | null> {
  const { rows: rounds } = await sql<Round>`select begins_at, ends_at, last_word,
    (select coalesce(max(image_no), 0) from original) as newest
    from posting_round for update skip locked`.execute(write);
  const [round] = rounds;
  // Lists that are being copied to other servers stay as they are.
  if (round === undefined || (await partsUnderWay(write)).length > 0) return null;
  const endsAt = round.endsAt ?? round.beginsAt + originals;
  if (endsAt > originals * roundsOf(round.newest, originals)) return null;
  const beginsAt = listsBeginAt(endsAt, originals);
  const rows = Math.ceil((SLICE * originals) / (endsAt - beginsAt));
  const last = await lastWordOfSlice(write, round.lastWord, rows);
  if (last === null) {
    await sql`update posting_round set begins_at = ${endsAt}, ends_at = null, last_word = default`.execute(
      write,
    );
    return 0;
  }
  const ofSlice = sql`word > ${round.lastWord}::bigint and word <= ${last}::bigint`;
  const mergeable = sql`select ctid as place from posting_list
    where ${beginsAt + originals < endsAt} and ${ofSlice} and begins_at >= ${beginsAt} for update skip locked`;
  // Locked first: the statement that takes them then sees rows and lists as the latest take-downs left them.
  const shares = await freeShares(write);
  await sql`select count(*) from (${mergeable}) locked`.execute(write);
  const { numAffectedRows } = await sql`with gathered as (
      delete from recent_posting
      where ${ofSlice} and image_no < ${endsAt} and image_no % ${SHARES} = any(${shares}::int[])
      returning word, image_no
    ), merged as (
      delete from posting_list using (${mergeable}) free where posting_list.ctid = free.place
      returning word, begins_at, numbers
    ), listed as (
      select word, image_no from gathered
      union all
      select word, image_no from merged cross join lateral listed_numbers(begins_at, numbers) as merged_no (image_no)
    )
    insert into posting_list (word, begins_at, numbers) ${sql.raw(listsOf("listed"))}`.execute(write);
  await sql`update posting_round set ends_at = ${endsAt}, last_word = ${last}`.execute(write);
  return Number(numAffectedRows ?? 0n);
}

/** The shares of the originals that no take-down has, kept from them until the transaction ends. */
async function freeShares(write: Write): Promise<readonly number[]> {
  const { rows } = await sql<{ share: number }>`select share from generate_series(0, ${SHARES - 1}) as share
    where pg_try_advisory_xact_lock(${LOCKS.postings}, share)`.execute(write);
  return rows.map(({ share }) => share);
}

async function lastWordOfSlice(write: Write, after: number, postings: number): Promise<number | null> {
  const { rows } = await sql<{ word: number | null }>`select max(word) as word from (
      select word from recent_posting where word > ${after}::bigint order by word limit ${postings}
    ) slice`.execute(write);
  return rows[0]?.word ?? null;
}
