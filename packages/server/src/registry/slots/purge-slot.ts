import { writing } from "../../store/database.ts";
import { lockAccount } from "../../store/accounts/grants.ts";
import { filesOf } from "../../store/slots/pooled-queries.ts";
import { deleteEntries, shownEntryIds } from "../../store/slots/slot-entries.ts";
import { deleteSlot, endExpiredSlot, type Slot } from "../../store/slots/slots.ts";
import { deleteDueQueries } from "../lookups/delete-due-queries.ts";
import type { Services } from "../services.ts";

type Needs = Pick<Services, "database" | "pool">;

/** Entries one transaction removes: a ledger's head is rewritten for each, which gets dearer within a transaction. */
const BATCH = 200;

/**
 * Ends a slot that has expired, and deletes its files: on a full disk they are what makes room for the rows that say so.
 * Idempotent, and safe in every process at once. False when the slot is there after all.
 */
export async function endSlotWithFiles(needs: Needs, slot: Slot): Promise<boolean> {
  const hasEnded = slot.purging || (await endExpired(needs, slot));
  if (hasEnded) await deleteFiles(needs, slot.slot_id);
  return hasEnded;
}

/**
 * Removes what a slot that has ended still shows, its files first, and then its row. An upload under way finds the slot
 * gone and drops what it brought by itself. Idempotent, and safe in every process at once.
 */
export async function purgeSlot(needs: Needs, slot: Pick<Slot, "slot_id" | "account_id">): Promise<void> {
  await deleteFiles(needs, slot.slot_id);
  for (let removed = BATCH; removed === BATCH; ) {
    removed = await writing(needs.database, async (write) => {
      await lockAccount(write, slot.account_id);
      const entryIds = await shownEntryIds(write, slot.slot_id, BATCH);
      await deleteEntries(write, slot, entryIds);
      if (entryIds.length < BATCH) await deleteSlot(write, slot.slot_id);
      return entryIds.length;
    });
  }
  await deleteDueQueries(needs, slot.slot_id);
}

function endExpired({ database }: Needs, slot: Slot): Promise<boolean> {
  return writing(database, async (write) => {
    await lockAccount(write, slot.account_id);
    return endExpiredSlot(write, slot.slot_id);
  });
}

/** Deletes the files of a slot that has ended; whether they are gone is looked at, and ledgered, with their rows. */
async function deleteFiles({ database, pool }: Needs, slotId: string): Promise<void> {
  await pool.delete(await filesOf(database, pool.id, { slotId }));
}
