import { performance } from "node:perf_hooks";
import { type Kysely, sql } from "kysely";
import { errorCode } from "../../error-code.ts";
import type { Database, Read } from "../database.ts";
import { LOCKS } from "../locks.ts";
import type { Tables } from "../tables/tables.ts";

/**
 * Tries may take a thousandth of the time, and rest for so long at least: the checkpoints among them cost all who
 * write.
 */
const REST = 1_000;
const LEAST_REST = "10 minutes";
/** Publications and proofs wait while the table is written, ms at most. */
const MOST_MS = 10_000;
/** How long a try waits for the table's lock, while others queue up behind it, ms. */
const LOCK_MS = 200;
/** No take-down takes longer from its instant, which is where its transaction begins, to its end. */
const LONGEST_TAKE_DOWN = "1 minute";
const LOCK_NOT_AVAILABLE = "55P03";
const QUERY_CANCELED = "57014";

/** One connection, outside a transaction: a vacuum takes none. */
type Session = Kysely<Tables>;

/**
 * Writes the table of nonces again once records were taken down: the bytes of a deleted row would stay in the file
 * until another row takes their place. Processes take turns. Where the table is in use, or too long to be written
 * within ten seconds, nothing happens but that a later sweep tries again.
 * @param isOwnServer whether the database server is this deployment's alone: its write-ahead log is then done with at
 * once
 * @returns 1 when the table was written
 */
export async function forgetNonces(database: Database, isOwnServer: boolean): Promise<number> {
  if (!(await isDue(database))) return 0;
  return database.connection().execute(async (session) => {
    const { rows } = await sql<{ isMine: boolean }>`
      select pg_try_advisory_lock(${LOCKS.nonces}) as is_mine`.execute(session);
    if (rows[0]?.isMine !== true) return 0;
    try {
      return (await rewrite(session, isOwnServer)) ? 1 : 0;
    } finally {
      await sql`select pg_advisory_unlock(${LOCKS.nonces})`.execute(session);
    }
  });
}

async function isDue(read: Read): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    select now() > tried_at
        + greatest(milliseconds * interval '1 millisecond' * ${REST}::int, ${LEAST_REST}::interval)
      and exists (select from original where taken_down_at > clean_before - ${LONGEST_TAKE_DOWN}::interval) as is_due
    from log_nonce_rewrite`.execute(read);
  return rows[0]?.isDue === true;
}

/** @returns whether it came about */
async function rewrite(session: Session, isOwnServer: boolean): Promise<boolean> {
  // What an older snapshot may still see is written along.
  const { rows } = await sql<{ cleanBefore: Date }>`
    select least(now(), min(xact_start)) as clean_before from pg_stat_activity
    where datname = current_database() and backend_xmin is not null`.execute(session);
  const began = performance.now();
  const isWritten = await vacuumed(session);
  if (isWritten && isOwnServer) await endWriteAheadLog(session);
  const milliseconds = Math.ceil(performance.now() - began);
  const cleanBefore = isWritten ? (rows[0]?.cleanBefore ?? null) : null;
  await sql`update log_nonce_rewrite set tried_at = now(), milliseconds = ${milliseconds},
    clean_before = coalesce(${cleanBefore}, clean_before)`.execute(session);
  return isWritten;
}

async function vacuumed(session: Session): Promise<boolean> {
  await sql.raw(`set lock_timeout = ${LOCK_MS}; set statement_timeout = ${MOST_MS}`).execute(session);
  try {
    await sql`vacuum full log_nonce`.execute(session);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === LOCK_NOT_AVAILABLE || code === QUERY_CANCELED) return false;
    throw error;
  } finally {
    await sql.raw("reset lock_timeout; reset statement_timeout").execute(session);
  }
}

/** A segment goes at the checkpoint after it is finished. */
async function endWriteAheadLog(session: Session): Promise<void> {
  for (const text of ["checkpoint", "select pg_switch_wal()", "checkpoint"]) {
    await sql.raw(text).execute(session);
  }
}
