import { sql } from "kysely";
import type { Read, Write } from "../database.ts";

/** What a publication has entered in the log. */
export interface PublishedEntry {
  readonly imageNo: number;
  readonly signedAt: Date;
  readonly nonce: Buffer;
  readonly commitment: Buffer;
}

/** An entry that waits for its place in the tree. */
export interface PendingEntry {
  readonly entryNo: number;
  readonly at: Date;
  /** Null of a take-down. */
  readonly commitment: Buffer | null;
  /** The entry that a take-down ends. */
  readonly ends: number | null;
}

/** Has the publications of records entered in the log, in the transaction that publishes them. */
export async function enterPublished(write: Write, entries: readonly PublishedEntry[]): Promise<void> {
  await sql`with entered as (
      insert into log_pending (at, commitment)
      select at, commitment from unnest(
        ${entries.map(({ signedAt }) => signedAt)}::timestamptz[], ${entries.map(({ commitment }) => commitment)}::bytea[]
      ) as published (at, commitment)
      returning entry_no, commitment
    )
    insert into log_nonce (image_no, entry_no, nonce, commitment)
    select image_no, entry_no, nonce, commitment from entered join unnest(
      ${entries.map(({ imageNo }) => imageNo)}::int[], ${entries.map(({ nonce }) => nonce)}::bytea[],
      ${entries.map(({ commitment }) => commitment)}::bytea[]
    ) as published (image_no, nonce, commitment) using (commitment)`.execute(write);
}

/** Has the take-down of a record entered in the log, and deletes what tied its entry to it. */
export async function enterTakenDown(write: Write, imageNo: number): Promise<void> {
  await sql`with gone as (delete from log_nonce where image_no = ${imageNo} returning entry_no)
    insert into log_pending (at, ends) select now(), entry_no from gone`.execute(write);
}

/** The first entries that wait. A take-down never comes before what it ends: that was published when it began. */
export function firstPending(read: Read, limit: number): Promise<readonly PendingEntry[]> {
  return read.selectFrom("logPending").selectAll().orderBy("entryNo").limit(limit).execute();
}

/** The places of entries in the tree, by their number; none for those that wait. */
export async function placesOf(
  read: Read,
  entryNos: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (entryNos.length === 0) return new Map();
  const { rows } = await sql<{ entryNo: number; position: number }>`
    select entry_no, position from log_entry where entry_no = any(${entryNos}::bigint[])`.execute(read);
  return new Map(rows.map(({ entryNo, position }) => [entryNo, position]));
}

/** Gives waiting entries the places from `first` on, in order. */
export async function placeEntries(write: Write, entryNos: readonly number[], first: number): Promise<void> {
  await sql`insert into log_entry (entry_no, position)
    select entry_no, ${first}::bigint + n - 1 from unnest(${entryNos}::bigint[]) with ordinality as placed (entry_no, n)`.execute(
    write,
  );
  await sql`delete from log_pending where entry_no = any(${entryNos}::bigint[])`.execute(write);
}

/**
 * The entry of the live record under a hash: its place, null while it waits, and its nonce; null without such a record.
 */
export async function entryOf(
  read: Read,
  originalImageHash: Buffer,
): Promise<{ readonly position: number | null; readonly nonce: Buffer } | null> {
  const row = await read
    .selectFrom("original")
    .innerJoin("logNonce", "logNonce.imageNo", "original.imageNo")
    .leftJoin("logEntry", "logEntry.entryNo", "logNonce.entryNo")
    .select(["logEntry.position", "logNonce.nonce"])
    .where("originalImageHash", "=", originalImageHash)
    .where("takenDownAt", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** What the entries of live records say, by their places from `first` on and before `end`. */
export async function liveEntries(
  read: Read,
  first: number,
  end: number,
): Promise<ReadonlyMap<number, { readonly at: Date; readonly commitment: Buffer }>> {
  const rows = await read
    .selectFrom("logEntry")
    .innerJoin("logNonce", "logNonce.entryNo", "logEntry.entryNo")
    .innerJoin("record", "record.imageNo", "logNonce.imageNo")
    .select(["position", "commitment", "signedAt as at"])
    .where("position", ">=", first)
    .where("position", "<", end)
    .execute();
  return new Map(rows.map(({ position, at, commitment }) => [position, { at, commitment }]));
}

/** The places of entries that a waiting take-down ends. */
export async function pendingEnds(read: Read): Promise<readonly number[]> {
  const rows = await read
    .selectFrom("logPending")
    .innerJoin("logEntry", "logEntry.entryNo", "logPending.ends")
    .select("position")
    .execute();
  return rows.map(({ position }) => position);
}

/** How many entries wait for their place. */
export async function countPending(read: Read): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from log_pending`.execute(read);
  return rows[0]?.count ?? 0;
}

/** Age of the oldest entry that waits, in seconds; 0 while none does. */
export async function longestWait(read: Read): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(at)), 0)::float8 as seconds from log_pending`.execute(
    read,
  );
  return rows[0]?.seconds ?? 0;
}
