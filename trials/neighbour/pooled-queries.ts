import { randomFillSync } from "node:crypto";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { type Behaviour, pause, repeatedly } from "./behaviour.ts";

const LANES = 4;
const UPLOADS_PER_SLOT = 8;
const QUERY_BYTES = 32_000_000;

/** Four look-up slots at a time, filled with queries of 32 MB and then left; at most a gigabyte is pooled. */
export const pooledQueries: Behaviour = async (attack) => {
  const client = new SlotClient(attack.baseUrl, attack.token);
  await repeatedly(attack, LANES, async () => {
    const opened = await client.openLookupSlot();
    if (opened.status !== 201) {
      attack.count(String(opened.status));
      await pause(attack.signal, 200);
      return;
    }
    const { lookupSlotId } = opened.body;
    try {
      for (let upload = 0; upload < UPLOADS_PER_SLOT && !attack.signal.aborted; upload += 1) {
        const bytes = randomFillSync(new Uint8Array(QUERY_BYTES));
        attack.count(String((await client.uploadQueries(lookupSlotId, [{ bytes }])).status));
      }
    } finally {
      await client.abandonLookup(lookupSlotId);
    }
  });
};
