import { Refusal, type UploadOutcome } from "@colophon/contract";
import { lockAccount } from "../../../store/accounts/grants.ts";
import { heldBytes } from "../../../store/accounts/held-bytes.ts";
import { preCheckCharge } from "../../../store/custody/charges.ts";
import type { UsageEvent } from "../../../store/custody/ledgers.ts";
import type { Write } from "../../../store/database.ts";
import { takeOverManifests } from "../../../store/slots/entry-manifests.ts";
import {
  deleteEntries,
  entriesOfUpload,
  type Entry,
  findEntry,
  showEntries,
} from "../../../store/slots/slot-entries.ts";
import { changeHeld, pullIdleWindow, pushIdleWindow, type SlotRef } from "../../../store/slots/slots.ts";
import { RunningIntent } from "../../running-intent.ts";
import type { Services } from "../../services.ts";
import { outcomeOf, overGrantRefusal, type WorkedPart } from "./standing.ts";

export type UploadNeeds = Pick<Services, "config" | "database" | "intents" | "claims" | "disk">;

/** What an upload brings before it asks again what its account holds: more than an ordinary client's whole upload. */
const UNASKED_BYTES = 33_554_432;

/** Entries that a re-upload does not work again: the slot holds them, remembers them, or has dealt with them. */
export function isSettled(entry: Entry): boolean {
  return entry.state !== "failed" && entry.state !== "retry";
}

/**
 * The transactions of an upload to a slot. What the upload brings is written as it comes, as entries that only the
 * upload sees, with their units on its intent; at the end the slot takes them all at once, or they are dropped. So a
 * refused request changes nothing, and memory does not grow with the request.
 */
export class SlotUpload {
  readonly ref: SlotRef;
  readonly running: RunningIntent;
  readonly #needs: UploadNeeds;
  /** When the slot's idle window ended before the upload first pushed it, and where to that was last. */
  #window: { readonly before: Date; readonly pushedTo: Date } | null = null;
  /**
   * Bytes on disk that the account held in slots and sequences when that was last asked, and those that the upload has
   * brought since.
   */
  #held: number;
  #broughtSince = 0;

  private constructor(needs: UploadNeeds, ref: SlotRef, running: RunningIntent, held: number) {
    this.#needs = needs;
    this.ref = ref;
    this.running = running;
    this.#held = held;
  }

  /** @throws Refusal slotNotFound, slotIsNoLongerOpen */
  static async begin(needs: UploadNeeds, ref: SlotRef): Promise<SlotUpload> {
    needs.disk.assertRoomToStore();
    let held = 0;
    const running = await RunningIntent.take(needs, ref.accountId, async (write) => {
      await needs.claims.readOpenSlot(write, ref);
      held = await heldBytes(write, ref.accountId);
    });
    return new SlotUpload(needs, ref, running, held);
  }

  /**
   * Counts bytes that the upload is to store. What the account's other uploads bring meanwhile is asked for now and
   * then: over a slot of ten thousand entries that takes ten milliseconds.
   * @throws ReserveUsedUp when its account held more of the disk than it left free
   */
  async bring(bytes: number): Promise<void> {
    if (this.#broughtSince + bytes > UNASKED_BYTES) {
      this.#held = await heldBytes(this.#needs.database, this.ref.accountId);
      this.#broughtSince = 0;
    }
    this.#needs.disk.assertShare(this.#held + this.#broughtSince + bytes);
    this.#broughtSince += bytes;
  }

  /** What marks an entry as this upload's. */
  get mark(): { accountId: string; slotId: string; uploadId: string } {
    const { accountId, slotId } = this.ref;
    return { accountId, slotId, uploadId: this.running.intent.intentId };
  }

  /**
   * Sees that the slot is open, and pushes its idle window forward.
   * @throws Refusal slotNotFound, slotIsNoLongerOpen
   */
  async assertOpen(write: Write): Promise<void> {
    const { slotId, expiresAt } = await this.#needs.claims.readOpenSlot(write, this.ref);
    const pushedTo = await pushIdleWindow(write, slotId, this.#needs.config.slotIdleSeconds);
    this.#window = { before: this.#window?.before ?? expiresAt, pushedTo };
  }

  /** The entry the slot or this upload already has under a hash. */
  find(write: Write, imageHash: Buffer): Promise<Entry | null> {
    return findEntry(write, this.ref.slotId, imageHash, this.mark.uploadId);
  }

  /**
   * Ends the upload: the slot takes what it brought.
   * @throws Refusal quotaExceeded when every image was over a grant, slotNotFound; nothing has changed then
   */
  async accept(worked: readonly WorkedPart[]): Promise<readonly UploadOutcome[]> {
    const answer = await this.running.settle(async (write, settle) => {
      await lockAccount(write, this.ref.accountId);
      const isOpen = await this.#isOpen(write);
      const usage = isOpen ? await this.#takeAll(write, worked) : [];
      if (!isOpen) await this.#dropAll(write);
      await settle({ spent: { registrations: 0, lookups: usage.length }, usage, custody: [] });
      const account = await lockAccount(write, this.ref.accountId);
      const refusal = overGrantRefusal(worked, account);
      if (refusal) {
        await this.#pullBack(write);
        return refusal;
      }
      const entries = isOpen ? await this.#shown(write, worked) : new Map<string, Entry>();
      // Without an entry at the end: the slot was committed, or the entry removed, while the upload ran.
      const taken = { entries, lost: isOpen ? "notCheckedYet" : "slotNotOpen" } as const;
      return worked.map((each) => outcomeOf(each, account, taken));
    });
    if (answer instanceof Refusal) throw answer;
    return answer;
  }

  /** Ends the upload: nothing has changed. What cannot be dropped now is dropped by the sweep. */
  drop(): Promise<void> {
    return this.running.giveUp(async (write) => {
      await this.#dropAll(write);
      await this.#pullBack(write);
      return [];
    });
  }

  /** Whether the slot still takes what the upload brought; one that was committed meanwhile does not. */
  async #isOpen(write: Write): Promise<boolean> {
    try {
      await this.assertOpen(write);
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code === "slotIsNoLongerOpen") return false;
      throw error;
    }
  }

  /** Leaves the idle window as it was. */
  async #pullBack(write: Write): Promise<void> {
    if (this.#window !== null) await pullIdleWindow(write, this.ref.slotId, this.#window);
  }

  async #dropAll(write: Write): Promise<void> {
    const entries = await entriesOfUpload(write, this.mark.uploadId);
    await deleteEntries(
      write,
      this.ref,
      entries.map((entry) => entry.entryId),
    );
  }

  /**
   * Shows the upload's entries; one that the slot has got meanwhile gives way. Returns what is charged for those shown.
   */
  async #takeAll(write: Write, worked: readonly WorkedPart[]): Promise<readonly UsageEvent[]> {
    const { replacements, charges } = factsOf(worked);
    const shown: Entry[] = [];
    const superseded: number[] = [];
    for (const entry of await entriesOfUpload(write, this.mark.uploadId)) {
      const before = await findEntry(write, this.ref.slotId, entry.imageHash);
      const givesWay = before ? isSettled(before) : replacements.has(entry.entryId);
      if (before?.state === "held") await takeOverManifests(write, entry, before);
      if (givesWay) superseded.push(entry.entryId);
      else {
        if (before) superseded.push(before.entryId);
        shown.push(entry);
      }
    }
    await deleteEntries(write, this.ref, superseded);
    await showEntries(
      write,
      shown.map((entry) => entry.entryId),
    );
    await changeHeld(write, this.ref.slotId, shown.filter((entry) => entry.state === "held").length);
    return shown.flatMap(({ imageHash }) => {
      const original = charges.get(imageHash.toString("hex"));
      const { accountId, slotId } = this.ref;
      return original ? [preCheckCharge(accountId, imageHash, original, slotId)] : [];
    });
  }

  /** The slot's entries for the images that were brought, by hash. */
  async #shown(write: Write, worked: readonly WorkedPart[]): Promise<ReadonlyMap<string, Entry>> {
    const entries = new Map<string, Entry>();
    for (const { standing } of worked) {
      if (standing.kind !== "brought") continue;
      const entry = await findEntry(write, this.ref.slotId, standing.imageHash);
      if (entry) entries.set(standing.imageHash.toString("hex"), entry);
    }
    return entries;
  }
}

/** Entries that only replace manifests, and the originals that pre-checks found, by the image's hash in hex. */
function factsOf(worked: readonly WorkedPart[]): {
  replacements: ReadonlySet<number>;
  charges: ReadonlyMap<string, Buffer>;
} {
  const replacements = new Set<number>();
  const charges = new Map<string, Buffer>();
  for (const { standing } of worked) {
    if (standing.kind !== "brought") continue;
    if (standing.replacement !== undefined) replacements.add(standing.replacement);
    if (standing.charged) charges.set(standing.imageHash.toString("hex"), standing.charged);
  }
  return { replacements, charges };
}
