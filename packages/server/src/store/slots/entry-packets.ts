import { sql } from "kysely";
import { packetDeleted } from "../custody/events.ts";
import { appendCustody } from "../custody/ledgers.ts";
import type { Write } from "../database.ts";
import type { Slot } from "./slots.ts";

/** Drops the registration packets of entries that stay, and ledgers that they are gone. */
export async function dropPackets(
  write: Write,
  slot: Pick<Slot, "slotId" | "accountId">,
  entryIds: readonly number[],
): Promise<void> {
  const { rows } = await sql<{ entryId: number; imageHash: Buffer; byteLength: number }>`
    select entry_id, image_hash, length(packet) as byte_length from slot_entry
    where entry_id = any(${entryIds}::bigint[]) and packet is not null order by image_hash, entry_id
    for update`.execute(write);
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.entryId);
  await releasePackets(write, ids);
  const left = await sql<{ entryId: number }>`select entry_id from slot_entry
    where entry_id = any(${ids}::bigint[]) and packet is not null`.execute(write);
  const unverified = new Set(left.rows.map((row) => row.entryId));
  await appendCustody(
    write,
    rows.map(({ entryId, ...packet }) =>
      packetDeleted(slot.accountId, { ...packet, slotId: slot.slotId }, !unverified.has(entryId)),
    ),
  );
}

/** Takes packets out of their entries. Those that now belong to published originals have not left custody. */
export async function releasePackets(write: Write, entryIds: readonly number[]): Promise<void> {
  await sql`update slot_entry set packet = null, words = null, pixel_hash = null, packet_version = null
    where entry_id = any(${entryIds}::bigint[])`.execute(write);
}
