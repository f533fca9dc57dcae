import type { LookupVerdict } from "@colophon/contract";
import type { StoredManifest } from "@colophon/formats";
import { sql } from "kysely";
import type { Read, Write } from "../database.ts";
import { type Extraction, type ExtractionColumns, extractionOf } from "../originals/extraction.ts";
import { manifestsOf } from "./entry-manifests.ts";
import type { EntryState } from "../tables/slot-tables.ts";

/** Images one transaction of a commit publishes, and bytes of manifests that it holds in memory for them. */
const BATCH_ENTRIES = 50;
const BATCH_MANIFEST_BYTES = 16_777_216;

/** A held entry with what registers it. */
export interface HeldEntry {
  readonly entryId: number;
  readonly imageHash: Buffer;
  /** Null when the store has none for the entry. */
  readonly extraction: Extraction | null;
  readonly manifests: readonly StoredManifest[];
}

/** What a commit made of an entry. */
export interface EntryOutcome {
  readonly entryId: number;
  readonly state: EntryState;
  readonly reason: string | null;
  readonly registrationId: string | null;
}

type HeldRow = { readonly entryId: number; readonly imageHash: Buffer } & {
  readonly [Column in keyof ExtractionColumns]: ExtractionColumns[Column] | null;
};

/**
 * The next held entries of a slot in the order of their hashes: as many as fit a batch, at least one if any is held.
 */
export async function nextHeldEntries(read: Read, slotId: string): Promise<readonly HeldEntry[]> {
  const { rows } = await sql<HeldRow>`
    select entry_id, image_hash, original_image_hash, pixel_hash, width, height, packet_version, packet, words from (
      select *, sum(manifests_length) over (order by image_hash) - manifests_length as before from (
        select * from slot_entry where slot_id = ${slotId} and upload_id is null and state = 'held'
        order by image_hash limit ${BATCH_ENTRIES}
      ) next
    ) batch
    where before < ${BATCH_MANIFEST_BYTES} order by image_hash`.execute(read);
  const manifests = await manifestsOf(
    read,
    rows.map((row) => row.entryId),
  );
  return rows.map((row) => ({
    entryId: row.entryId,
    imageHash: row.imageHash,
    extraction: hasExtraction(row) ? extractionOf(row) : null,
    manifests: manifests.get(row.entryId) ?? [],
  }));
}

/** Writes what became of entries that were held. */
export async function writeOutcomes(write: Write, outcomes: readonly EntryOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  await sql`update slot_entry
    set state = outcome.state, reason = outcome.reason, registration_id = outcome.registration_id
    from unnest(
      ${outcomes.map((outcome) => outcome.entryId)}::bigint[], ${outcomes.map((outcome) => outcome.state)}::text[],
      ${outcomes.map((outcome) => outcome.reason)}::text[],
      ${outcomes.map((outcome) => outcome.registrationId)}::uuid[]
    ) as outcome (entry_id, state, reason, registration_id)
    where slot_entry.entry_id = outcome.entry_id`.execute(write);
  const ids = outcomes.map((outcome) => outcome.entryId);
  await sql`delete from slot_manifest where entry_id = any(${ids}::bigint[])`.execute(write);
}

/** Writes the verdict on a query that was answered. */
export async function writeVerdict(write: Write, entryId: number, verdict: LookupVerdict): Promise<void> {
  await write
    .updateTable("slotEntry")
    .set({ verdict: JSON.stringify(verdict) })
    .where("entryId", "=", entryId)
    .execute();
}

/** Hashes of the held entries of a slot with their numbers. */
export async function heldHashes(
  read: Read,
  slotId: string,
): Promise<readonly { entryId: number; imageHash: Buffer }[]> {
  const rows = await read
    .selectFrom("slotEntry")
    .select(["entryId", "imageHash"])
    .where("slotId", "=", slotId)
    .where("uploadId", "is", null)
    .where("state", "=", "held")
    .orderBy("imageHash")
    .execute();
  return rows.map((row) => ({ entryId: row.entryId, imageHash: row.imageHash }));
}

function hasExtraction(row: HeldRow): row is HeldRow & ExtractionColumns {
  return (
    row.originalImageHash !== null && row.pixelHash !== null && row.packet !== null && row.words !== null
  );
}
