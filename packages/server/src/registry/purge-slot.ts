import { writing } from "../store/database.ts";
import { lockAccount } from "../store/grants.ts";
import { deleteEntries, shownEntryIds } from "../store/slot-entries.ts";
import { deleteSlot, endExpiredSlot, type Slot } from "../store/slots.ts";
import { deleteDueQueries } from "./delete-due-queries.ts";
import type { Services } from "./services.ts";

type Needs = Pick<Services, "database" | "pool">;

/** Entries one transaction removes: a ledger's head is rewritten for each, which gets dearer within a transaction. */
const BATCH = 200;

/**
 * Removes what a slot that has ended still shows, and then its row. An upload under way finds the slot gone and drops
 * what it brought by itself. Idempotent, and safe in every process at once.
 */
export async function purgeSlot(needs: Needs, slot: Pick<Slot, "slot_id" | "account_id">): Promise<void> {
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

/** Purges a slot that has expired or was not purged to its end. False when it is there after all. */
export async function purgeEnded(needs: Needs, slot: Slot): Promise<boolean> {
  const hasEnded = await writing(needs.database, async (write) => {
    await lockAccount(write, slot.account_id);
    return endExpiredSlot(write, slot.slot_id);
  });
  if (hasEnded) await purgeSlot(needs, slot);
  return hasEnded;
}
