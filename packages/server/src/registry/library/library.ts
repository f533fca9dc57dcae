import {
  type LibraryLookupSlots,
  type LibraryRegistration,
  type LibraryRegistrations,
  type LibrarySequences,
  type LibrarySlots,
  refuse,
} from "@colophon/contract";
import type { ByteBudget } from "../../custody/body-budget.ts";
import { type Database, type Read, reading } from "../../store/database.ts";
import {
  type LibraryPosition,
  type LibraryQuery,
  type LibraryRow,
  libraryPage,
  libraryRegistration,
} from "../../store/originals/library.ts";
import { unfinishedSequences } from "../../store/sequences/sequences.ts";
import { openSlots } from "../../store/slots/open-slots.ts";
import { progressOf } from "../sequences/read-sequence.ts";

/** A page of the account's registrations, newest first, and where the next one begins. */
export async function listRegistrations(
  read: Read,
  accountId: string,
  query: LibraryQuery,
): Promise<Omit<LibraryRegistrations, "next"> & { readonly next: LibraryPosition | null }> {
  const rows = await libraryPage(read, accountId, { ...query, limit: query.limit + 1 });
  const page = rows.slice(0, query.limit);
  return {
    registrations: page.map(registrationOf),
    next: rows.length > page.length ? positionOf(page.at(-1)) : null,
  };
}

/** One of the account's registrations. @throws Refusal registrationNotFound */
export async function reportRegistration(
  read: Read,
  accountId: string,
  registrationId: string,
): Promise<LibraryRegistration> {
  const row = await libraryRegistration(read, accountId, registrationId);
  if (row === null) throw refuse("registrationNotFound");
  return registrationOf(row);
}

/** The account's open registration slots, newest first. */
export async function listSlots(read: Read, accountId: string): Promise<LibrarySlots> {
  const slots = await openSlots(read, { accountId, kind: "registration" });
  return {
    slots: slots.map(({ slotId, status, entryCount, openedAt, expiresAt }) => ({
      slotId,
      status,
      entryCount,
      openedAt: openedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
  };
}

/** The account's open look-up slots, newest first. */
export async function listLookupSlots(read: Read, accountId: string): Promise<LibraryLookupSlots> {
  const slots = await openSlots(read, { accountId, kind: "lookup" });
  return {
    lookupSlots: slots.map(({ slotId, entryCount, openedAt, expiresAt }) => ({
      lookupSlotId: slotId,
      entryCount,
      openedAt: openedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
  };
}

/**
 * The account's open and sealed sequences, newest first; the chain of one at a time is in memory.
 * @param room where the gaps and errata of all are counted
 * @throws Refusal serviceUnavailable when there is no room for them
 */
export function listSequences(
  database: Database,
  accountId: string,
  room: ByteBudget,
): Promise<LibrarySequences> {
  return reading(database, async (read) => {
    const sequences: LibrarySequences["sequences"] = [];
    for (const sequence of await unfinishedSequences(read, accountId)) {
      sequences.push({ sequenceId: sequence.sequenceId, ...(await progressOf(read, sequence, room)) });
    }
    return { sequences };
  });
}

function registrationOf(row: LibraryRow): LibraryRegistration {
  return {
    registrationId: row.registrationId,
    imageHash: row.imageHash.toString("hex"),
    originalImageHash: row.originalImageHash.toString("hex"),
    registeredAt: row.registeredAt.toISOString(),
    manifests: row.manifests,
    source: sourceOf(row),
    sequenceId: row.sequenceId,
    frameId: row.frameId,
  };
}

function sourceOf({ registrationId, fromSlot }: LibraryRow): LibraryRegistration["source"] {
  if (registrationId === null) return "sequence";
  return fromSlot === true ? "slot" : "single";
}

function positionOf(row: LibraryRow | undefined): LibraryPosition | null {
  if (row === undefined || row.registrationId === null) return null;
  return { registeredAt: row.registeredAt, registrationId: row.registrationId };
}
