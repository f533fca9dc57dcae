import { sql } from "kysely";
import { isLive } from "../accounts/grants.ts";
import type { Read } from "../database.ts";
import type { Slot, SlotRef } from "./slots.ts";

/** An open slot with how many entries it shows. */
export type OpenSlot = Slot & { readonly entryCount: number };

/** The account's open slots of a kind, newest first. */
export function openSlots(
  read: Read,
  { accountId, kind }: Pick<SlotRef, "accountId" | "kind">,
): Promise<readonly OpenSlot[]> {
  return read
    .selectFrom("slot")
    .selectAll()
    .select(
      sql<number>`(select count(*) from slot_entry
        where slot_entry.slot_id = slot.slot_id and upload_id is null)`.as("entryCount"),
    )
    .where("accountId", "=", accountId)
    .where("kind", "=", kind)
    .where("status", "=", "open")
    .where(isLive)
    .orderBy("openedAt", "desc")
    .orderBy("slotId")
    .execute();
}
