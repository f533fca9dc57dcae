import { type Database, writing } from "../store/database.ts";
import { brokenAdmissions, dropPackets, stagedPackets } from "../store/sequences/frame-packets.ts";
import { lockAccount } from "../store/accounts/grants.ts";
import { appendCustody } from "../store/custody/ledgers.ts";
import type { Sweep } from "./sweeper.ts";

/** What sequences leave to be swept; after the engine intents. */
export function sequenceSweeps(database: Database): readonly Sweep[] {
  return [{ name: "broken frame admissions", run: () => dropBrokenAdmissions(database) }];
}

async function dropBrokenAdmissions(database: Database): Promise<number> {
  const broken = await brokenAdmissions(database);
  for (const { admissionId, accountId } of broken) {
    await writing(database, async (write) => {
      await lockAccount(write, accountId);
      await appendCustody(write, await dropPackets(write, await stagedPackets(write, admissionId)));
    });
  }
  return broken.length;
}
