import { writing } from "../../store/database.ts";
import { lockAccount } from "../../store/accounts/grants.ts";
import { filesOf } from "../../store/slots/pooled-queries.ts";
import { deleteEntries, shownEntryIds } from "../../store/slots/slot-entries.ts";
import { deleteSlot, endExpiredSlot, type Slot } from "../../store/slots/slots.ts";
import { deleteDueQueries } from "../query-pool/delete-due-queries.ts";
import type { Services } from "../services.ts";

type Needs = Pick<Services, "database" | "pool">;

/** Entries one transaction removes: a ledger's head is rewritten for each, which gets dearer within a transaction. */
const BATCH = 200;

/**
 * Ends a slot that has expired, and deletes its files: on a full disk they are what makes room for the rows that say
 * so. Idempotent, and safe in every process at once. False when the slot is there after all.
 */
export async function endSlotWithFiles(needs: Needs, slot: Slot): Promise<boolean> {
  const hasEnded = slot.purging || (await endExpired(needs, slot));
  if (hasEnded) await deleteFiles(needs, slot.slotId);
  return hasEnded;
}

/**
 * Removes what a slot that has ended still shows, its files first, and then its row. An upload under way finds the slot
 * gone and drops what it brought by itself. Idempotent, and safe in every process at once.
 */
export async function purgeSlot(needs: Needs, slot: Pick<Slot, "slotId" | "accountId">): Promise<void> {
  await deleteFiles(needs, slot.slotId);
  for (let removed = BATCH; removed === BATCH; ) {
    removed = await writing(needs.database, async (write) => {
      await lockAccount(write, slot.accountId);
      const entryIds = await shownEntryIds(write, slot.slotId, BATCH);
      await deleteEntries(write, slot, entryIds);
      if (entryIds.length < BATCH) await deleteSlot(write, slot.slotId);
      return entryIds.length;
    });
  }
  await deleteDueQueries(needs, slot.slotId);
}

function endExpired({ database }: Needs, slot: Slot): Promise<boolean> {
  return writing(database, async (write) => {
    await lockAccount(write, slot.accountId);
    return endExpiredSlot(write, slot.slotId);
  });
}

/** Deletes the files of a slot that has ended; whether they are gone is looked at, and ledgered, with their rows. */
async function deleteFiles({ database, pool }: Needs, slotId: string): Promise<void> {
  await pool.delete(await filesOf(database, pool.id, { slotId }));
}
