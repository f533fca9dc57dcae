import { refuse, type SlotEntry } from "@colophon/contract";
import { isHash, type StoredManifest } from "@colophon/formats";
import { isPassing } from "../../store/database-fault.ts";
import { type Write, writing } from "../../store/database.ts";
import { lockAccount, readAccountSlots } from "../../store/accounts/grants.ts";
import { replaceManifests } from "../../store/slots/entry-manifests.ts";
import { deleteEntries, type Entry, findEntry } from "../../store/slots/slot-entries.ts";
import {
  changeHeld,
  insertSlot,
  endSlot,
  pushIdleWindow,
  type Slot,
  type SlotRef,
} from "../../store/slots/slots.ts";
import { deleteDueQueries } from "../query-pool/delete-due-queries.ts";
import { purgeSlot } from "./purge-slot.ts";
import { slotEntry } from "./read-slot.ts";
import type { Services } from "../services.ts";

type Needs = Pick<Services, "config" | "database" | "claims" | "pool" | "disk">;

/** Opens a slot. @throws Refusal openSlotCapReached */
export function openSlot(
  { config, database, disk }: Pick<Services, "config" | "database" | "disk">,
  { accountId, kind }: Omit<SlotRef, "slotId">,
): Promise<Slot> {
  disk.assertRoomToStore();
  const cap = kind === "registration" ? config.maxOpenSlots : config.maxOpenLookupSlots;
  return writing(database, async (write) => {
    await lockAccount(write, accountId);
    const { registrationSlots, lookupSlots } = await readAccountSlots(write, accountId);
    const open = kind === "registration" ? registrationSlots : lookupSlots;
    if (open >= cap) throw refuse("openSlotCapReached", { cap });
    return insertSlot(
      write,
      { accountId, kind },
      { idleSeconds: config.slotIdleSeconds, maxSeconds: config.slotMaxSeconds },
    );
  });
}

/**
 * Drops an open slot with all it holds: reservations return, nothing is charged, pooled pixels are deleted.
 * @throws Refusal slotNotFound, slotIsNoLongerOpen
 */
export async function abandonSlot(needs: Needs, ref: SlotRef): Promise<void> {
  const slot = await writing(needs.database, async (write) => {
    await lockAccount(write, ref.accountId);
    const open = await needs.claims.readOpenSlot(write, ref);
    await endSlot(write, open.slotId);
    return open;
  });
  // The slot is gone. What a full disk, or a database that went away, does not let go of now is left to the sweep.
  await purgeSlot(needs, slot).catch((error: unknown) => {
    if (!isPassing(error)) throw error;
  });
}

/**
 * Removes an entry; the reservation of a held one returns, and its pooled pixels are deleted. One that is not there
 * is as good as removed.
 * @throws Refusal slotNotFound, slotIsNoLongerOpen; entryNotFound when `imageHash` is no hash
 */
export async function removeEntry(needs: Needs, ref: SlotRef, imageHash: string): Promise<void> {
  await changing(needs, ref, async (write, slot) => {
    const entry = await findEntry(write, slot.slotId, entryHash(imageHash));
    // What a commit that was cut off has registered or answered is a result, and no longer held.
    if (!entry || entry.state === "registered" || entry.state === "answered") return;
    await deleteEntries(write, slot, [entry.entryId]);
    if (entry.state === "held") await changeHeld(write, slot.slotId, -1);
  });
  await deleteDueQueries(needs, ref.slotId);
}

/**
 * Replaces the manifests of a held entry whole.
 * @throws Refusal slotNotFound, slotIsNoLongerOpen, entryNotFound
 */
export function replaceEntryManifests(
  needs: Needs,
  ref: SlotRef,
  imageHash: string,
  manifests: readonly StoredManifest[],
): Promise<SlotEntry> {
  return changing(needs, ref, async (write, slot) => {
    const entry = await heldEntry(write, slot, imageHash);
    await replaceManifests(write, entry.entryId, manifests);
    return slotEntry(await heldEntry(write, slot, imageHash));
  });
}

/** Sees before a body is read that there is a held entry to change. */
export function assertHeldEntry(needs: Needs, ref: SlotRef, imageHash: string): Promise<void> {
  needs.disk.assertRoomToStore();
  return writing(needs.database, async (write) => {
    await lockAccount(write, ref.accountId);
    await heldEntry(write, await needs.claims.readOpenSlot(write, ref), imageHash);
  });
}

async function heldEntry(write: Write, slot: Slot, imageHash: string): Promise<Entry> {
  const entry = await findEntry(write, slot.slotId, entryHash(imageHash));
  if (entry?.state !== "held") throw refuse("entryNotFound");
  return entry;
}

function entryHash(text: string): Buffer {
  if (!isHash(text)) throw refuse("entryNotFound");
  return Buffer.from(text, "hex");
}

function changing<T>(
  { config, database, claims }: Needs,
  ref: SlotRef,
  work: (write: Write, slot: Slot) => Promise<T>,
): Promise<T> {
  return writing(database, async (write) => {
    await lockAccount(write, ref.accountId);
    const slot = await claims.readOpenSlot(write, ref);
    const result = await work(write, slot);
    await pushIdleWindow(write, slot.slotId, config.slotIdleSeconds);
    return result;
  });
}
