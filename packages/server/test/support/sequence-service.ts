import type { AccountSettings, OpenedSequence } from "@colophon/contract";
import { createAccount } from "@colophon/testing/api-client.ts";
import {
  bodyFrame,
  endFrame,
  SequenceClient,
  type TicketedSequence,
} from "@colophon/testing/sequence-client.ts";
import { picture } from "@colophon/testing/test-pictures.ts";
import type { SlotService } from "./slot-service.ts";

/** The client of an account that may use sequences: a new one, unless a token names it. */
export async function sequenceClient(
  service: SlotService,
  settings: AccountSettings = {},
  token?: string,
): Promise<SequenceClient> {
  if (token !== undefined) return new SequenceClient(service.baseUrl(), token);
  const account = await createAccount(service.baseUrl(), service.adminToken, {
    sequencesEnabled: true,
    registrations: 100,
    lookups: 1000,
    ...settings,
  });
  return new SequenceClient(service.baseUrl(), account.token);
}

/** A sequence just opened. */
export async function openedSequence(client: SequenceClient): Promise<OpenedSequence> {
  return (await client.openSequence()).body;
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
