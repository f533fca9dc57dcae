import { deleteDueQueries, deleteStrayFiles } from "../registry/query-pool/delete-due-queries.ts";
import { endSlotWithFiles, purgeSlot } from "../registry/slots/purge-slot.ts";
import type { Services } from "../registry/services.ts";
import { writing } from "../store/database.ts";
import { lockAccount } from "../store/accounts/grants.ts";
import { brokenUploads, deleteEntries, entriesOfUpload } from "../store/slots/slot-entries.ts";
import { filesOf } from "../store/slots/pooled-queries.ts";
import { deleteEmptyEndedSlots, endedSlots, type Slot } from "../store/slots/slots.ts";
import type { Sweep } from "./sweeper.ts";

type Needs = Pick<Services, "database" | "pool">;

/** What slots leave to be swept, in the order in which one makes work for the next; after the engine intents. */
export function slotSweeps({
  database,
  claims,
  pool,
}: Pick<Services, "database" | "claims" | "pool">): readonly Sweep[] {
  return [
    { name: "slot claims", run: () => claims.sweep() },
    { name: "ended slots", run: () => purgeEndedSlots({ database, pool }) },
    { name: "broken uploads", run: () => dropBrokenUploads({ database, pool }) },
    { name: "query images", run: () => deleteDueQueries({ database, pool }, null) },
    { name: "stray query images", run: () => deleteStrayFiles(database, pool) },
  ];
}

/**
 * Those with nothing in them all at once: anybody can open and end any number. Of the others the files of all first: on
 * a full disk they are what makes room for removing the rows.
 */
async function purgeEndedSlots(needs: Needs): Promise<number> {
  let empty = 0;
  for (let removed = 1; removed > 0; empty += removed) {
    removed = await writing(needs.database, deleteEmptyEndedSlots);
  }
  const ended: Slot[] = [];
  await eachOf(await endedSlots(needs.database), async (slot) => {
    if (await endSlotWithFiles(needs, slot)) ended.push(slot);
  });
  await eachOf(ended, (slot) => purgeSlot(needs, slot));
  return empty + ended.length;
}

async function dropBrokenUploads({ database, pool }: Needs): Promise<number> {
  const broken = await brokenUploads(database);
  for (const { uploadId } of broken) await pool.delete(await filesOf(database, pool.id, { uploadId }));
  await eachOf(broken, ({ uploadId, ...slot }) =>
    writing(database, async (write) => {
      await lockAccount(write, slot.accountId);
      const entries = await entriesOfUpload(write, uploadId);
      await deleteEntries(
        write,
        slot,
        entries.map((entry) => entry.entryId),
      );
    }),
  );
  return broken.length;
}

/** Works each item, those after one that fails too. @throws what the first failure was, once all have been worked */
async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
