import { randomUUID } from "node:crypto";
import {
  type CommittedSlot,
  ENTRY_FAILURES,
  ERRATA_REASONS,
  engineRefusalSentence,
  UNREADABLE_PACKET,
} from "@colophon/contract";
import { errorCode } from "../../error-code.ts";
import type { AlreadyRegistered, Published } from "../../engine/port.ts";
import type { Extraction } from "../../store/originals/extraction.ts";
import {
  type EntryOutcome,
  type HeldEntry,
  heldHashes,
  nextHeldEntries,
  writeOutcomes,
} from "../../store/slots/commit-batches.ts";
import { databaseFault } from "../../store/database-fault.ts";
import { type Write, writing } from "../../store/database.ts";
import { lockAccount, takeReserved } from "../../store/accounts/grants.ts";
import { registrationCharge } from "../../store/custody/charges.ts";
import { appendUsage } from "../../store/custody/ledgers.ts";
import {
  insertRegistrations,
  ownRegistrations,
  ownRegistrationsByImage,
} from "../../store/originals/registrations.ts";
import { insertRecords } from "../../store/originals/records.ts";
import { dropPackets, releasePackets } from "../../store/slots/entry-packets.ts";
import { changeHeld, closeSlot, type Slot, type SlotRef } from "../../store/slots/slots.ts";
import { assertCovered } from "./assert-covered.ts";
import { type RecordToPublish, recordToPublish } from "../records/new-record.ts";
import { signRecord } from "../records/sign-record.ts";
import { committedSlot } from "./read-slot.ts";
import type { Services } from "../services.ts";

type Needs = Pick<Services, "config" | "database" | "engine" | "keys" | "claims" | "disk">;

/** How often a batch is tried again when the database gave it up for another's sake (deadlock, serialization). */
const TRIES = 3;

/**
 * Registers what a slot holds: claims the slot, then publishes its entries in batches, each a transaction of its own,
 * and closes the slot. Runs to its end whether or not anybody waits for the answer.
 * @throws Refusal slotNotFound, slotIsNoLongerOpen, quotaExceeded
 */
export function commitSlot(needs: Needs, ref: SlotRef): Promise<CommittedSlot> {
  return needs.claims.commit(
    ref,
    (write, slot) => prepare(write, slot),
    async () => {
      for (;;) {
        const batch = await nextHeldEntries(needs.database, ref.slotId);
        if (batch.length === 0) break;
        needs.disk.assertRoomToStore();
        await commitBatch(needs, ref, batch);
      }
      return needs.claims.underClaim(ref, async (write) => {
        await closeSlot(write, ref.slotId, needs.config.slotIdleSeconds);
        return committedSlot(write, ref.slotId);
      });
    },
  );
}

/** Sets aside what the account has registered already, and sees that the grant covers the rest. */
async function prepare(write: Write, slot: Slot): Promise<void> {
  const held = await heldHashes(write, slot.slotId);
  const own = await ownRegistrationsByImage(
    write,
    slot.accountId,
    held.map((entry) => entry.imageHash),
  );
  const errata = held.flatMap(({ entryId, imageHash }): EntryOutcome[] => {
    const registrationId = own.get(imageHash.toString("hex"));
    return registrationId === undefined ? [] : [alreadyRegistered(entryId, registrationId)];
  });
  await assertCovered(write, slot, held.length - errata.length);
  await end(write, slot, errata);
}

async function commitBatch(needs: Needs, ref: SlotRef, batch: readonly HeldEntry[]): Promise<void> {
  try {
    await retrying(() => registerBatch(needs, ref, batch));
  } catch (error) {
    if (databaseFault(error) !== "statement") throw error;
    // One entry that the database does not take leaves the others alone.
    if (batch.length > 1) {
      for (const entry of batch) await commitBatch(needs, ref, [entry]);
    } else {
      await needs.claims.underClaim(ref, async (write) => {
        const outcomes = batch.map((entry) => outcome(entry, "retry", ENTRY_FAILURES.notCheckedYet));
        await end(write, ref, outcomes);
      });
    }
  }
}

interface Signed {
  readonly entry: HeldEntry;
  readonly extraction: Extraction;
  readonly record: RecordToPublish;
}

async function registerBatch(needs: Needs, ref: SlotRef, batch: readonly HeldEntry[]): Promise<void> {
  const failed: EntryOutcome[] = [];
  const signed: Signed[] = [];
  for (const entry of batch) {
    const { extraction } = entry;
    if (!extraction) failed.push(outcome(entry, "failed", ENTRY_FAILURES.noExtraction));
    else if (!(await needs.engine.canPublish(extraction))) {
      failed.push(outcome(entry, "failed", engineRefusalSentence(UNREADABLE_PACKET)));
    } else {
      const record = recordToPublish(await signRecord(needs, extraction, entry.manifests), entry.manifests);
      signed.push({ entry, extraction, record });
    }
  }
  await writing(needs.database, async (write) => {
    const published = await needs.engine.publish(
      write,
      ref.accountId,
      signed.map(({ extraction }) => extraction),
    );
    await lockAccount(write, ref.accountId);
    await needs.claims.assertClaimed(write, ref.slotId);
    const outcomes = await register(write, ref, signed, published);
    await end(write, ref, [...failed, ...outcomes]);
  });
}

/** Registers the published entries and charges for each; those that somebody else had published are errata. */
async function register(
  write: Write,
  slot: Pick<Slot, "slotId" | "accountId">,
  signed: readonly Signed[],
  published: readonly (Published | AlreadyRegistered)[],
): Promise<readonly EntryOutcome[]> {
  const outcomes: EntryOutcome[] = [];
  const registered: (Signed & { registrationId: string; imageNo: number })[] = [];
  for (const [at, image] of signed.entries()) {
    const answer = published[at];
    if (!answer) throw new Error("The engine published a batch and left an image unanswered.");
    const { entryId } = image.entry;
    if (answer.outcome === "alreadyRegistered") {
      const [own] = await ownRegistrations(write, slot.accountId, [answer.original]);
      outcomes.push(alreadyRegistered(entryId, own ?? null));
    } else {
      const registrationId = randomUUID();
      registered.push({ ...image, registrationId, imageNo: answer.imageNo });
      outcomes.push({ entryId, state: "registered", reason: null, registrationId });
    }
  }
  await insertRegistrations(write, slot.accountId, registered, true);
  await insertRecords(
    write,
    registered.map(({ imageNo, record }) => ({ imageNo, ...record })),
  );
  await takeReserved(write, slot.accountId, { registrations: registered.length, lookups: 0 });
  await appendUsage(
    write,
    registered.map(({ extraction, registrationId }) =>
      registrationCharge(slot.accountId, registrationId, extraction, slot.slotId),
    ),
  );
  await releasePackets(
    write,
    registered.map(({ entry }) => entry.entryId),
  );
  return outcomes;
}

/** Writes outcomes of entries that were held, and ends what they held: reservation, manifests, packet. */
async function end(
  write: Write,
  slot: Pick<Slot, "slotId" | "accountId">,
  outcomes: readonly EntryOutcome[],
): Promise<void> {
  await writeOutcomes(write, outcomes);
  await dropPackets(
    write,
    slot,
    outcomes.map((each) => each.entryId),
  );
  await changeHeld(write, slot.slotId, -outcomes.length);
}

async function retrying(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const code = errorCode(error);
      if (attempt === TRIES || (code !== "40P01" && code !== "40001")) throw error;
    }
  }
}

function alreadyRegistered(entryId: number, registrationId: string | null): EntryOutcome {
  return { entryId, state: "errata", reason: ERRATA_REASONS.alreadyRegistered, registrationId };
}

function outcome({ entryId }: HeldEntry, state: "failed" | "retry", reason: string): EntryOutcome {
  return { entryId, state, reason, registrationId: null };
}
