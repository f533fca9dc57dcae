import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Kysely, type QueryCreator, sql, type Transaction } from "kysely";
import { errorCode } from "../error-code.ts";
import { CommitLost, isPassing } from "./database-fault.ts";
import type { Tables } from "./tables/tables.ts";

/**
 * How long a database that went away during a COMMIT is asked what became of it: requests are answered within five
 * seconds.
 */
const PATIENCE_MS = 2_000;
const BEAT_MS = 50;
/** Longer than anyone asks for a mark. */
const KEPT = "10 minutes";
/** The transaction that left the mark has not ended (SQLSTATE). */
const LOCK_NOT_AVAILABLE = "55P03";

/** Marks of transactions that have left one. */
const marks = new WeakMap<Transaction<Tables>, string>();

/**
 * What the next statement of a transaction is made of: it leaves the transaction's mark as well, unless one before it
 * has. A number of PostgreSQL's would be no mark: a crash may give it to another transaction.
 */
export function marking(write: Transaction<Tables>): QueryCreator<Tables> {
  if (marks.has(write)) return write;
  const mark = randomUUID();
  marks.set(write, mark);
  return write.with("marked", (db) => db.insertInto("commitMark").values({ mark }));
}

/** The mark of a transaction whose work is done, left now if it was not; null when it has written nothing. */
export async function leaveMark(write: Transaction<Tables>): Promise<string | null> {
  const left = marks.get(write);
  if (left !== undefined) return left;
  const mark = randomUUID();
  const { numAffectedRows } = await sql`insert into commit_mark (mark)
    select ${mark}::uuid where pg_current_xact_id_if_assigned() is not null`.execute(write);
  return numAffectedRows === 1n ? mark : null;
}

/**
 * Whether a transaction whose COMMIT was not answered has been committed, asked of the database once it answers again.
 * @throws CommitLost when it does not in time, or the transaction has not ended by then
 */
export async function isCommitted(
  database: Kysely<Tables>,
  mark: string,
  failure: unknown,
): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await isThere(database, mark, Math.max(1, Math.round(deadline - performance.now())));
    } catch (error) {
      if (!isPassing(error) && errorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
    }
    if (performance.now() > deadline) throw new CommitLost(failure);
    await sleep(BEAT_MS);
  }
}

/**
 * Whether a mark is there for good: the same mark waits for the transaction that left it, and finds it once that is
 * committed.
 */
function isThere(database: Kysely<Tables>, mark: string, patienceMs: number): Promise<boolean> {
  return database.connection().execute(async (session) => {
    await sql`begin`.execute(session);
    try {
      await sql.raw(`set local lock_timeout = ${patienceMs}`).execute(session);
      const { numAffectedRows } = await sql`
        insert into commit_mark (mark) values (${mark}) on conflict do nothing`.execute(session);
      return numAffectedRows === 0n;
    } finally {
      await sql`rollback`.execute(session);
    }
  });
}

/** Deletes the marks that nobody asks for any more. @returns 0: that settles nothing */
export async function forgetMarks(database: Kysely<Tables>): Promise<number> {
  await sql`delete from commit_mark where made_at < now() - ${KEPT}::interval`.execute(database);
  return 0;
}
