import type { AccountSettings } from "@colophon/contract";
import { createAccount } from "../../../../bench/api-client.ts";
import {
  bodyFrame,
  endFrame,
  SequenceClient,
  type TicketedSequence,
} from "../../../../bench/sequence-client.ts";
import { picture, type SlotService } from "./slot-service.ts";

/** The client of a new account that may use sequences. */
export async function sequenceClient(
  service: SlotService,
  settings: AccountSettings = {},
): Promise<SequenceClient> {
  const account = await createAccount(service.baseUrl(), service.adminToken, {
    sequencesEnabled: true,
    registrations: 100,
    lookups: 1000,
    ...settings,
  });
  return new SequenceClient(service.baseUrl(), account.token);
}

/** BODYs with these ids in a row and the END after them, each with a picture of its own. */
export async function wholeChain(
  sequence: TicketedSequence,
  seeds: readonly number[],
): Promise<readonly Uint8Array[]> {
  const bodies = await Promise.all(
    seeds.map(async (seed, at) => bodyFrame(sequence, at + 1, await picture(seed))),
  );
  return [...bodies, endFrame(sequence, seeds.length + 1)];
}
