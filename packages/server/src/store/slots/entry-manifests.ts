import { manifestsHash, type StoredManifest } from "@colophon/formats";
import { type Selectable, sql } from "kysely";
import type { Read, Write } from "../database.ts";
import { manifestRows, storedLength } from "../stored-manifests.ts";
import type { SlotEntryTable } from "../tables/slot-tables.ts";

type EntryRef = Pick<Selectable<SlotEntryTable>, "entryId">;
/** What an entry says of its manifests. */
type HeldManifests = Pick<Selectable<SlotEntryTable>, "entryId" | "manifestsHash">;

/** The manifests of entries, by their numbers. */
export async function manifestsOf(
  read: Read,
  entryIds: readonly number[],
): Promise<ReadonlyMap<number, StoredManifest[]>> {
  const rows = await read
    .selectFrom("slotManifest")
    .selectAll()
    .where(sql<boolean>`entry_id = any(${entryIds}::bigint[])`)
    .orderBy("entryId")
    .orderBy("position")
    .execute();
  const lists = new Map<number, StoredManifest[]>();
  for (const { entryId, kind, form, stored } of rows) {
    const list = lists.get(entryId) ?? [];
    list.push({ kind, form, stored });
    lists.set(entryId, list);
  }
  return lists;
}

/** Replaces an entry's manifests whole. */
export async function replaceManifests(
  write: Write,
  entryId: number,
  manifests: readonly StoredManifest[],
): Promise<void> {
  await write.deleteFrom("slotManifest").where("entryId", "=", entryId).execute();
  if (manifests.length > 0) {
    await write
      .insertInto("slotManifest")
      .values(manifestRows(manifests).map((row) => ({ entryId, ...row })))
      .execute();
  }
  const hash = manifestsHash(manifests);
  await write
    .updateTable("slotEntry")
    .set({
      manifestsHash: hash === null ? null : Buffer.from(hash, "hex"),
      manifestsLength: storedLength(manifests),
    })
    .where("entryId", "=", entryId)
    .execute();
}

/** Gives one entry the manifests and the declared type that another brought. */
export async function takeOverManifests(write: Write, from: EntryRef, to: EntryRef): Promise<void> {
  await write.deleteFrom("slotManifest").where("entryId", "=", to.entryId).execute();
  await write
    .updateTable("slotManifest")
    .set({ entryId: to.entryId })
    .where("entryId", "=", from.entryId)
    .execute();
  await sql`update slot_entry set (manifests_hash, manifests_length, content_type) =
      (select manifests_hash, manifests_length, content_type from slot_entry where entry_id = ${from.entryId})
    where entry_id = ${to.entryId}`.execute(write);
}

/** The next held entries after a number that have manifests, or should; in order. */
export async function heldManifestsAfter(
  read: Read,
  entryId: number,
  limit: number,
): Promise<readonly HeldManifests[]> {
  const { rows } = await sql<HeldManifests>`
    select entry_id, manifests_hash from slot_entry
    where entry_id > ${entryId} and state = 'held' and (manifests_hash is not null
      or exists (select from slot_manifest where slot_manifest.entry_id = slot_entry.entry_id))
    order by entry_id limit ${limit}`.execute(read);
  return rows;
}
