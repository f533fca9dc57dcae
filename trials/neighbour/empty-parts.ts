import { SlotClient } from "@colophon/testing/slot-client.ts";
import { type Behaviour, pause, repeatedly } from "./behaviour.ts";

const LANES = 2;
const PARTS = 2_000;

/** Uploads to a slot of two thousand empty images each. */
export const emptyParts: Behaviour = async (attack) => {
  const client = new SlotClient(attack.baseUrl, attack.token);
  const images = Array.from({ length: PARTS }, () => ({ bytes: new Uint8Array(0) }));
  await repeatedly(attack, LANES, async () => {
    const { status, body } = await client.openSlot();
    attack.count(String(status));
    if (status !== 201) return pause(attack.signal, 200);
    attack.count(String((await client.upload(body.slotId, images)).status));
    await client.abandon(body.slotId);
  });
};
