import type { StoredManifest } from "@colophon/formats";
import { type Insertable, type Selectable, sql } from "kysely";
import type { Read, Write } from "../database.ts";
import { replaceManifests } from "./entry-manifests.ts";
import { dropPackets } from "./entry-packets.ts";
import { forgetQueries } from "./pooled-queries.ts";
import type { Slot } from "./slots.ts";
import type { SlotEntryTable } from "../tables/slot-tables.ts";

const REPORTED = [
  "entryId",
  "imageHash",
  "uploadId",
  "byteLength",
  "contentType",
  "createdAt",
  "state",
  "reason",
  "registrationId",
  "manifestsHash",
] as const;

/** An entry as reports name it, without what registers it. */
export type Entry = Pick<Selectable<SlotEntryTable>, (typeof REPORTED)[number]>;

/** A query with its verdict. */
export type AnsweredEntry = Entry & Pick<Selectable<SlotEntryTable>, "verdict">;

/** The entries of a slot that uploads have brought to their end, by image hash. */
export function listEntries(read: Read, slotId: string): Promise<readonly AnsweredEntry[]> {
  return read
    .selectFrom("slotEntry")
    .select([...REPORTED, "verdict"])
    .where("slotId", "=", slotId)
    .where("uploadId", "is", null)
    .orderBy("imageHash")
    .execute();
}

/** How many entries a slot shows. */
export async function countEntries(read: Read, slotId: string): Promise<number> {
  const { count } = await read
    .selectFrom("slotEntry")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("slotId", "=", slotId)
    .where("uploadId", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

/** How many entries a slot has in a state, or in any, those of uploads under way included. */
export async function countAllEntries(
  read: Read,
  slotId: string,
  state: Entry["state"] | null,
): Promise<number> {
  const all = read.selectFrom("slotEntry").where("slotId", "=", slotId);
  const counted = state === null ? all : all.where("state", "=", state);
  const { count } = await counted
    .select((row) => row.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** The entry under a hash: the upload's own if it has brought one, else the one the slot shows. */
export async function findEntry(
  read: Read,
  slotId: string,
  imageHash: Buffer,
  uploadId: string | null = null,
): Promise<Entry | null> {
  const entry = read.selectFrom("slotEntry").select(REPORTED).where("imageHash", "=", imageHash);
  const own = uploadId && (await entry.where("uploadId", "=", uploadId).executeTakeFirst());
  if (own) return own;
  const shown = entry.where("slotId", "=", slotId).where("uploadId", "is", null);
  return (await shown.executeTakeFirst()) ?? null;
}

/** Those of the hashes that a slot neither holds nor remembers, in the order given. */
export async function missingHashes(
  read: Read,
  slotId: string,
  hashes: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ imageHash: Buffer }>`
    select image_hash from slot_entry
    where slot_id = ${slotId} and upload_id is null and state not in ('failed', 'retry')
      and image_hash = any(${hashes.map((hash) => Buffer.from(hash, "hex"))}::bytea[])`.execute(read);
  const present = new Set(rows.map((row) => row.imageHash.toString("hex")));
  return hashes.filter((hash) => !present.has(hash));
}

/** Adds an entry with its manifests. Returns its number. */
export async function insertEntry(
  write: Write,
  values: Omit<Insertable<SlotEntryTable>, "manifestsHash" | "manifestsLength">,
  manifests: readonly StoredManifest[] = [],
): Promise<number> {
  const { entryId } = await write
    .insertInto("slotEntry")
    .values(values)
    .returning("entryId")
    .executeTakeFirstOrThrow();
  if (manifests.length > 0) await replaceManifests(write, entryId, manifests);
  return entryId;
}

/** Removes entries with all they hold: packets are ledgered as gone, pooled queries become due for deletion. */
export async function deleteEntries(
  write: Write,
  slot: Pick<Slot, "slotId" | "accountId">,
  entryIds: readonly number[],
): Promise<void> {
  if (entryIds.length === 0) return;
  await dropPackets(write, slot, entryIds);
  await forgetQueries(write, entryIds);
  await sql`delete from slot_entry where entry_id = any(${entryIds}::bigint[])`.execute(write);
}

/** Numbers of some entries a slot shows, at most `limit`. */
export async function shownEntryIds(read: Read, slotId: string, limit: number): Promise<readonly number[]> {
  const rows = await read
    .selectFrom("slotEntry")
    .select("entryId")
    .where("slotId", "=", slotId)
    .where("uploadId", "is", null)
    .limit(limit)
    .execute();
  return rows.map((row) => row.entryId);
}

/** The entries an upload has brought so far, in the order in which it did. */
export function entriesOfUpload(read: Read, uploadId: string): Promise<readonly Entry[]> {
  return read
    .selectFrom("slotEntry")
    .select(REPORTED)
    .where("uploadId", "=", uploadId)
    .orderBy("entryId")
    .execute();
}

/** Shows entries of an upload to everybody. */
export async function showEntries(write: Write, entryIds: readonly number[]): Promise<void> {
  await sql`update slot_entry set upload_id = null where entry_id = any(${entryIds}::bigint[])`.execute(
    write,
  );
}

/** Uploads whose intent is gone and whose entries are still there: their process died, or failed to drop them. */
export async function brokenUploads(
  read: Read,
): Promise<readonly { uploadId: string; slotId: string; accountId: string }[]> {
  const { rows } = await sql<{ uploadId: string; slotId: string; accountId: string }>`
    select distinct upload_id, slot_id, account_id from slot_entry
    where upload_id is not null and not exists (select from engine_intent where intent_id = upload_id)`.execute(
    read,
  );
  return rows;
}
