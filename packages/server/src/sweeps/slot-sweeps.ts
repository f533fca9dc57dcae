import { deleteDueQueries, deleteStrayFiles } from "../registry/delete-due-queries.ts";
import { purgeEnded } from "../registry/purge-slot.ts";
import type { Services } from "../registry/services.ts";
import { type Database, writing } from "../store/database.ts";
import { lockAccount } from "../store/grants.ts";
import { brokenUploads, deleteEntries, entriesOfUpload } from "../store/slot-entries.ts";
import { endedSlots } from "../store/slots.ts";
import type { Sweep } from "./sweeper.ts";

/** What slots leave to be swept, in the order in which one makes work for the next; after the engine intents. */
export function slotSweeps({
  database,
  claims,
  pool,
}: Pick<Services, "database" | "claims" | "pool">): readonly Sweep[] {
  return [
    { name: "slot claims", run: () => claims.sweep() },
    { name: "ended slots", run: () => purgeEndedSlots({ database, pool }) },
    { name: "broken uploads", run: () => dropBrokenUploads(database) },
    { name: "query images", run: () => deleteDueQueries({ database, pool }, null) },
    { name: "stray query images", run: () => deleteStrayFiles(database, pool) },
  ];
}

async function purgeEndedSlots(needs: Pick<Services, "database" | "pool">): Promise<number> {
  let purged = 0;
  for (const slot of await endedSlots(needs.database)) {
    if (await purgeEnded(needs, slot)) purged += 1;
  }
  return purged;
}

async function dropBrokenUploads(database: Database): Promise<number> {
  const broken = await brokenUploads(database);
  for (const { uploadId, ...slot } of broken) {
    await writing(database, async (write) => {
      await lockAccount(write, slot.account_id);
      const entries = await entriesOfUpload(write, uploadId);
      await deleteEntries(
        write,
        slot,
        entries.map((entry) => entry.entry_id),
      );
    });
  }
  return broken.length;
}
