import { sql } from "kysely";
import type { Database, Write } from "../database.ts";
import { changingSchema, isHalfRestored, lockSchema } from "../migrate.ts";
import { storedTables } from "./catalog.ts";
import { onOneConnection, type OpenTransaction } from "./one-connection.ts";

/**
 * Fills an empty database in one transaction. That it has begun is noted in one before, so that no service takes the
 * database for a new one when this process ends too early; the same call begins again then.
 * @throws Error when the database is not empty
 */
export async function restoring<T>(
  database: Database,
  work: (transaction: OpenTransaction) => Promise<T>,
): Promise<T> {
  await changingSchema(database, async (write) => {
    await lockSchema(write);
    if (await isHalfRestored(write)) return;
    if ((await storedTables(write)).length > 0) {
      throw new Error("The database is not empty: a backup is restored into an empty one.");
    }
    await sql`create table restore_unfinished ()`.execute(write);
  });
  return onOneConnection(database, { isolation: "read committed", readOnly: false }, async (transaction) => {
    await lockSchema(transaction.write);
    if (!(await isHalfRestored(transaction.write))) {
      throw new Error("Another restore into this database has come to its end.");
    }
    const result = await work(transaction);
    await sql`drop table restore_unfinished`.execute(transaction.write);
    return result;
  });
}

/**
 * Query images are in no backup: what open look-up slots held is answered with `reason`, their pixels count as deleted
 * as soon as a process of the data directory has looked.
 * @returns how many there were
 */
export async function loseQueries(write: Write, poolId: string, reason: string): Promise<number> {
  await sql`with lost as (
      update slot_entry set state = 'failed', reason = ${reason}
      from pooled_query where pooled_query.entry_id = slot_entry.entry_id and state = 'held' and upload_id is null
      returning slot_entry.slot_id
    ), counted as (select slot_id, count(*) as entries from lost group by slot_id)
    update slot set held = held - entries from counted where counted.slot_id = slot.slot_id`.execute(write);
  const { numAffectedRows } = await sql`
    update pooled_query set pool_id = ${poolId}, entry_id = null, sealed_key = null`.execute(write);
  return Number(numAffectedRows ?? 0n);
}
