import { setTimeout as sleep } from "node:timers/promises";
import { type Kysely, type RawBuilder, type Transaction, sql } from "kysely";
import { CommitLost, isPassing } from "./database-fault.ts";
import type { Tables } from "./tables/tables.ts";

/** How long a database that went away during a COMMIT is asked what became of it: requests are answered within five seconds. */
const PATIENCE_MS = 2_000;
const BEAT_MS = 50;
/** What PostgreSQL says of a number that it has not given out (SQLSTATE `invalid_parameter_value`). */
const NOT_GIVEN_OUT = "22023";

/** Numbers that statements of the transactions have brought already. */
const known = new WeakMap<object, string>();

/** The number of a transaction that is about to write, as a column of one of its statements, which is to be noted. */
export const TRANSACTION_NUMBER: RawBuilder<string> = sql<string>`pg_current_xact_id()::text`;

/** Takes note of a transaction's number. */
export function noteTransaction(write: object, number: string): void {
  known.set(write, number);
}

/** The number of the transaction, by which it can be asked for later (an `xid8`); null when it has written nothing. */
export async function transactionNumber(write: Transaction<Tables>): Promise<string | null> {
  const noted = known.get(write);
  if (noted !== undefined) return noted;
  const { rows } = await sql<{ number: string | null }>`
    select pg_current_xact_id_if_assigned()::text as number`.execute(write);
  return rows[0]?.number ?? null;
}

/**
 * Whether a transaction whose COMMIT was not answered has been committed, asked of the database once it answers again.
 * @throws CommitLost when it does not in time, or has not decided by then
 */
export async function isCommitted(
  database: Kysely<Tables>,
  number: string,
  failure: unknown,
): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const status = await statusOf(database, number);
    if (status === "committed") return true;
    if (status === "aborted") return false;
    if (performance.now() > deadline) throw new CommitLost(failure);
    await sleep(BEAT_MS);
  }
}

/**
 * What PostgreSQL says of it: `committed`, `aborted`, `in progress`; null while it is away. A crash loses what had not reached the disk, the number with what
 * was written under it: then it is in the future, and nothing was committed.
 */
async function statusOf(database: Kysely<Tables>, number: string): Promise<string | null> {
  try {
    const { rows } = await sql<{ status: string | null }>`
      select pg_xact_status(${number}::xid8) as status`.execute(database);
    return rows[0]?.status ?? null;
  } catch (error) {
    if (isPassing(error)) return null;
    if (error instanceof Error && "code" in error && error.code === NOT_GIVEN_OUT) return "aborted";
    throw error;
  }
}
