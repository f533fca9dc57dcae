import { type Insertable, type Selectable, sql } from "kysely";
import type { Read, Write } from "../database.ts";
import { fileDeleted } from "../custody/events.ts";
import { appendCustody } from "../custody/ledgers.ts";
import type { PooledQueryTable } from "../tables/slot-tables.ts";

export type PooledQuery = Selectable<PooledQueryTable>;

/** A query image that an entry of a slot holds: its file, what opens that, and the SHA-256 of what was uploaded. */
export type HeldQuery = Pick<PooledQuery, "fileName" | "sealedKey" | "imageHash">;

/** Notes a query image before its file is written. */
export async function insertPooledQuery(write: Write, values: Insertable<PooledQueryTable>): Promise<void> {
  await write.insertInto("pooledQuery").values(values).execute();
}

/** The query image of an entry; null when none is pooled. */
export async function pooledQueryOf(read: Read, entryId: number): Promise<PooledQuery | null> {
  const row = await read
    .selectFrom("pooledQuery")
    .selectAll()
    .where("entryId", "=", entryId)
    .executeTakeFirst();
  return row ?? null;
}

/** Drops the keys of the entries' query images: from now on nobody can read the files, which are due for deletion. */
export async function forgetQueries(write: Write, entryIds: readonly number[]): Promise<void> {
  await sql`update pooled_query set entry_id = null, sealed_key = null
    where entry_id = any(${entryIds}::bigint[])`.execute(write);
}

/** Query images of a data directory that are due for deletion; of one slot, or of all. */
export function dueQueries(
  read: Read,
  poolId: string,
  limit: number,
  slotId: string | null,
): Promise<readonly PooledQuery[]> {
  return read
    .selectFrom("pooledQuery")
    .selectAll()
    .where("poolId", "=", poolId)
    .where("entryId", "is", null)
    .$if(slotId !== null, (query) => query.where("slotId", "=", slotId ?? ""))
    .orderBy("unverified")
    .orderBy("accountId")
    .limit(limit)
    .execute();
}

/** How many query images of a data directory may still be there although they were deleted. */
export async function countUnverified(read: Read, poolId: string): Promise<number> {
  const { count } = await read
    .selectFrom("pooledQuery")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("poolId", "=", poolId)
    .where("unverified", "=", true)
    .executeTakeFirstOrThrow();
  return count;
}

/** The files of a data directory that entries hold: those that a slot shows, or those that an upload has brought. */
export async function filesOf(
  read: Read,
  poolId: string,
  holder: { readonly slotId: string } | { readonly uploadId: string },
): Promise<readonly string[]> {
  const held = read
    .selectFrom("pooledQuery")
    .innerJoin("slotEntry", "slotEntry.entryId", "pooledQuery.entryId")
    .select("fileName")
    .where("poolId", "=", poolId);
  const rows = await ("slotId" in holder
    ? held.where("slotEntry.slotId", "=", holder.slotId).where("uploadId", "is", null)
    : held.where("uploadId", "=", holder.uploadId)
  ).execute();
  return rows.map((row) => row.fileName);
}

/**
 * Ledgers what became of files due for deletion, all of one locked account: each once, however many processes
 * deleted it. One that could not be verified stays due, and the ledger says so once.
 */
export async function recordDeletions(
  write: Write,
  deletions: readonly { query: PooledQuery; absent: boolean }[],
): Promise<void> {
  const names = (absent: boolean): string[] =>
    deletions.filter((deletion) => deletion.absent === absent).map(({ query }) => query.fileName);
  const gone = await sql<PooledQuery>`delete from pooled_query
    where file_name = any(${names(true)}::text[]) and entry_id is null returning *`.execute(write);
  const unverified = await sql<PooledQuery>`update pooled_query set unverified = true
    where file_name = any(${names(false)}::text[]) and entry_id is null and not unverified
    returning *`.execute(write);
  await appendCustody(write, [
    ...gone.rows.map((query) => fileDeleted(query, true)),
    ...unverified.rows.map((query) => fileDeleted(query, false)),
  ]);
}

/** Those of the file names that no row knows. */
export async function unknownFiles(read: Read, fileNames: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ fileName: string }>`select file_name from pooled_query
    where file_name = any(${fileNames}::text[])`.execute(read);
  const known = new Set(rows.map((row) => row.fileName));
  return fileNames.filter((name) => !known.has(name));
}

/** The query images in a data directory that entries of slots hold; a slot that has ended is about to lose its. */
export function heldQueries(read: Read, poolId: string): Promise<readonly HeldQuery[]> {
  return read
    .selectFrom("pooledQuery")
    .innerJoin("slotEntry", "slotEntry.entryId", "pooledQuery.entryId")
    .innerJoin("slot", "slot.slotId", "slotEntry.slotId")
    .select(["fileName", "sealedKey", "pooledQuery.imageHash"])
    .where("poolId", "=", poolId)
    .where("uploadId", "is", null)
    .where("purging", "=", false)
    .execute();
}
