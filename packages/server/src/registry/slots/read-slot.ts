import type {
  CommittedSlot,
  LookupQuery,
  LookupSlotResults,
  Progress,
  Slot as SlotBody,
  SlotEntry,
  SlotManifest,
} from "@colophon/contract";
import { type Read, writing } from "../../store/database.ts";
import { lockAccount } from "../../store/accounts/grants.ts";
import {
  type AnsweredEntry,
  countEntries,
  type Entry,
  listEntries,
  missingHashes,
} from "../../store/slots/slot-entries.ts";
import { pushIdleWindow, readSlot, type SlotRef } from "../../store/slots/slots.ts";
import type { Services } from "../services.ts";

type CountedState = Exclude<keyof Progress["counts"], "total">;

/** A slot as it stands. @throws Refusal slotNotFound */
export async function reportSlot(read: Read, ref: SlotRef): Promise<SlotBody> {
  const slot = await readSlot(read, ref);
  return {
    slotId: slot.slotId,
    status: slot.status,
    entryCount: await countEntries(read, slot.slotId),
    openedAt: slot.openedAt.toISOString(),
    expiresAt: slot.expiresAt.toISOString(),
  };
}

/** Every entry of a slot. @throws Refusal slotNotFound */
export async function reportEntries(read: Read, ref: SlotRef): Promise<SlotManifest> {
  const slot = await readSlot(read, ref);
  return { entries: (await listEntries(read, slot.slotId)).map(slotEntry) };
}

/** An entry as the reports state it. */
export function slotEntry(entry: Entry): SlotEntry {
  return {
    imageHash: entry.imageHash.toString("hex"),
    manifestsHash: entry.manifestsHash?.toString("hex") ?? null,
    byteLength: entry.byteLength,
    contentType: entry.contentType,
    createdAt: entry.createdAt.toISOString(),
    state: entry.state,
    notRegisteredReason: entry.state === "errata" ? entry.reason : null,
  };
}

/** Entries by state, counted and listed; moves while a commit runs. @throws Refusal slotNotFound */
export async function reportProgress(read: Read, ref: SlotRef): Promise<Progress> {
  const slot = await readSlot(read, ref);
  const entries = await listEntries(read, slot.slotId);
  const count = (state: CountedState): number => entries.filter((entry) => entry.state === state).length;
  return {
    slotId: slot.slotId,
    status: slot.status,
    counts: {
      total: entries.length,
      held: count("held"),
      registered: count("registered"),
      answered: count("answered"),
      failed: count("failed"),
      errata: count("errata"),
      retry: count("retry"),
    },
    entries: entries.map((entry) => ({
      imageHash: entry.imageHash.toString("hex"),
      state: entry.state,
      registrationId: entry.registrationId,
      failureReason: entry.reason,
    })),
  };
}

/** What a commit made of a registration slot. */
export async function committedSlot(read: Read, slotId: string): Promise<CommittedSlot> {
  const entries = await listEntries(read, slotId);
  return {
    slotId,
    status: "committed",
    entries: entries.map((entry) => {
      const { state } = entry;
      if (state === "held" || state === "answered") {
        throw new Error("A commit left an entry without outcome.");
      }
      return {
        imageHash: entry.imageHash.toString("hex"),
        state,
        registrationId: entry.registrationId,
        failureReason: entry.reason,
      };
    }),
  };
}

/** The queries of a look-up slot with their verdicts, as they stand. @throws Refusal slotNotFound */
export async function reportResults(read: Read, ref: SlotRef): Promise<LookupSlotResults> {
  const slot = await readSlot(read, ref);
  return lookupResults(read, slot.slotId);
}

/** The queries of a look-up slot with their verdicts. */
export async function lookupResults(read: Read, slotId: string): Promise<LookupSlotResults> {
  return { lookupSlotId: slotId, queries: (await listEntries(read, slotId)).map(lookupQuery) };
}

function lookupQuery(entry: AnsweredEntry): LookupQuery {
  const { state } = entry;
  if (state === "registered" || state === "errata") throw new Error("A query stands where only images do.");
  return {
    imageHash: entry.imageHash.toString("hex"),
    state,
    result: entry.verdict,
    failureReason: entry.reason,
  };
}

/**
 * Those of the declared images that a slot neither holds nor remembers, in the order declared.
 * @throws Refusal slotNotFound, slotIsNoLongerOpen
 */
export function reportMissing(
  needs: Pick<Services, "config" | "database" | "claims">,
  ref: SlotRef,
  hashes: readonly string[],
): Promise<readonly string[]> {
  return writing(needs.database, async (write) => {
    await lockAccount(write, ref.accountId);
    const slot = await needs.claims.readOpenSlot(write, ref);
    await pushIdleWindow(write, slot.slotId, needs.config.slotIdleSeconds);
    return missingHashes(write, slot.slotId, hashes);
  });
}
