import {
  IMAGE_REJECTIONS,
  type ImageRejection,
  Refusal,
  refuse,
  type UploadOutcome,
} from "@colophon/contract";
import type { PixelBuffer } from "../../custody/pixel-buffer.ts";
import { type Write, writing } from "../../store/database.ts";
import { type Account, lockAccount, remainingUnits, type Units } from "../../store/accounts/grants.ts";
import { preCheckCharge } from "../../store/custody/charges.ts";
import type { Intent } from "../../store/custody/intents.ts";
import type { UsageEvent } from "../../store/custody/ledgers.ts";
import {
  deleteEntries,
  entriesOfUpload,
  type Entry,
  findEntry,
  showEntries,
  takeOverManifests,
} from "../../store/slots/slot-entries.ts";
import { changeHeld, pushIdleWindow, type Slot, type SlotRef } from "../../store/slots/slots.ts";
import { NOTHING_SPENT } from "../engine-call.ts";
import type { Services } from "../services.ts";

export type UploadNeeds = Pick<Services, "config" | "database" | "intents" | "claims" | "disk">;

/** An image part as its outcome names it. */
export interface UploadedPart {
  /** From 1, among the image parts of the request. */
  readonly partIndex: number;
  readonly fileName: string | null;
}

/** What became of a part so far; `brought` waits for the upload to be accepted. */
type Standing =
  | { readonly kind: "brought"; readonly imageHash: Buffer }
  | { readonly kind: "rejected"; readonly reason: string; readonly registrationId: string | null }
  | { readonly kind: "overGrant"; readonly grant: keyof Units };

/** Entries that a re-upload does not work again: the slot holds them, remembers them, or has dealt with them. */
export function isSettled(entry: Entry): boolean {
  return entry.state !== "failed" && entry.state !== "retry";
}

/**
 * One upload to a slot, from its first part to its last. What it brings is written as it comes, as entries that
 * only the upload sees, with their units on an engine intent of the upload's; at the end the slot takes them all at
 * once, or they are dropped. So a refused request changes nothing, and memory does not grow with the request.
 */
export class SlotUpload {
  readonly ref: SlotRef;
  readonly #needs: UploadNeeds;
  readonly #outcomes: { readonly part: UploadedPart; readonly standing: Standing }[] = [];
  readonly #usage = new Map<string, UsageEvent>();
  readonly #replacements = new Set<number>();
  #intent: Intent;
  /** Whether the image worked last is gone from memory. */
  #erased = true;

  private constructor(needs: UploadNeeds, ref: SlotRef, intent: Intent) {
    this.#needs = needs;
    this.ref = ref;
    this.#intent = intent;
  }

  /** @throws Refusal slotNotFound, slotIsNoLongerOpen */
  static async begin(needs: UploadNeeds, ref: SlotRef): Promise<SlotUpload> {
    needs.disk.assertRoomToStore();
    const intent = await needs.intents.take(ref.accountId, NOTHING_SPENT, null, async (write) => {
      await needs.claims.openSlot(write, ref);
    });
    return new SlotUpload(needs, ref, intent);
  }

  /** The columns that mark an entry as this upload's. */
  get mark(): { accountId: string; slotId: string; uploadId: string } {
    return { accountId: this.ref.accountId, slotId: this.ref.slotId, uploadId: this.#intent.intentId };
  }

  get intent(): Intent {
    return this.#intent;
  }

  /** Changes units and pixels of the upload's intent along with whatever `work` writes; the account is locked. */
  async amend<T>(
    work: (write: Write, account: Account, amend: (next: Partial<Intent>) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    let amended = this.#intent;
    const result = await writing(this.#needs.database, async (write) => {
      const account = await lockAccount(write, this.ref.accountId);
      return work(write, account, async (next) => {
        amended = await this.#needs.intents.amend(write, account, amended, { ...amended, ...next });
      });
    });
    this.#intent = amended;
    return result;
  }

  /** The slot, its idle window pushed forward. @throws Refusal slotNotFound, slotIsNoLongerOpen */
  async openSlot(write: Write): Promise<Slot> {
    const slot = await this.#needs.claims.openSlot(write, this.ref);
    await pushIdleWindow(write, slot.slotId, this.#needs.config.slotIdleSeconds);
    return slot;
  }

  /** The entry the slot or this upload already has under a hash. */
  find(write: Write, imageHash: Buffer): Promise<Entry | null> {
    return findEntry(write, this.ref.slotId, imageHash, this.#intent.intentId);
  }

  brought(part: UploadedPart, imageHash: Buffer): void {
    this.#outcomes.push({ part, standing: { kind: "brought", imageHash } });
  }

  /** Erases an image whose work has ended, however it ended. */
  erase(image: Pick<PixelBuffer, "erase">): void {
    this.#erased = image.erase();
  }

  /** Marks an entry of the upload as one that only replaces the manifests of an entry which the slot holds. */
  replaces(entryId: number): void {
    this.#replacements.add(entryId);
  }

  /** Charges a look-up for a pre-check that matched, once the slot remembers the image. */
  charge(imageHash: Buffer, originalImageHash: Buffer): void {
    const { accountId, slotId } = this.ref;
    this.#usage.set(
      imageHash.toString("hex"),
      preCheckCharge(accountId, imageHash, originalImageHash, slotId),
    );
  }

  reject(part: UploadedPart, why: ImageRejection): void {
    this.rejectWith(part, IMAGE_REJECTIONS[why]);
  }

  rejectWith(part: UploadedPart, reason: string, registrationId: string | null = null): void {
    this.#outcomes.push({ part, standing: { kind: "rejected", reason, registrationId } });
  }

  /**
   * Turns what one image met into its outcome where the contract has a sentence for it.
   * @throws the error itself where it has none
   */
  rejectFor(part: UploadedPart, error: unknown): void {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === "slotIsNoLongerOpen") this.reject(part, "slotNotOpen");
    else if (error.code !== "quotaExceeded") throw error;
    else {
      const grant = error.detail === "lookups" ? "lookups" : "registrations";
      this.#outcomes.push({ part, standing: { kind: "overGrant", grant } });
    }
  }

  /**
   * Ends the upload: the slot takes what it brought.
   * @throws Refusal quotaExceeded when every image was over a grant, slotNotFound; nothing has changed then
   */
  async accept(): Promise<readonly UploadOutcome[]> {
    const answer = await writing(this.#needs.database, async (write) => {
      const account = await lockAccount(write, this.ref.accountId);
      const first = this.#outcomes[0]?.standing;
      const isTaken = await this.#isOpen(write);
      const entries = isTaken ? await this.#takeAll(write) : await this.#dropAll(write);
      const usage = isTaken ? [...this.#usage.values()] : [];
      await this.#needs.intents.settle(write, this.#intent, {
        spent: { registrations: 0, lookups: usage.length },
        usage,
        custody: [],
      });
      const remaining = remainingUnits(await lockAccount(write, account.accountId));
      if (
        first?.kind === "overGrant" &&
        this.#outcomes.every(({ standing }) => standing.kind === "overGrant")
      ) {
        return overGrant(first.grant, remaining);
      }
      // Without an entry at the end: the slot was committed, or the entry removed, while the upload ran.
      const lost = isTaken ? "notCheckedYet" : "slotNotOpen";
      return this.#outcomes.map(({ part, standing }) => outcomeOf(part, standing, entries, remaining, lost));
    });
    this.#needs.intents.done(this.#intent);
    if (answer instanceof Refusal) throw answer;
    return answer;
  }

  /** Ends the upload: nothing has changed. What cannot be dropped now is dropped by the sweep. */
  async drop(): Promise<void> {
    try {
      await writing(this.#needs.database, async (write) => {
        await lockAccount(write, this.ref.accountId);
        await this.#dropAll(write);
        await this.#needs.intents.giveUp(write, this.#intent, this.#erased);
      });
    } catch {
      // The database is away, or another process has settled the upload already.
    } finally {
      this.#needs.intents.done(this.#intent);
    }
  }

  /** Whether the slot still takes what the upload brought; one that was committed meanwhile does not. */
  async #isOpen(write: Write): Promise<boolean> {
    try {
      await this.openSlot(write);
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code === "slotIsNoLongerOpen") return false;
      throw error;
    }
  }

  async #dropAll(write: Write): Promise<ReadonlyMap<string, Entry>> {
    const entries = await entriesOfUpload(write, this.#intent.intentId);
    await deleteEntries(
      write,
      this.mark,
      entries.map((entry) => entry.entryId),
    );
    return new Map();
  }

  /** Shows the upload's entries; one that the slot has got meanwhile gives way. Returns what the slot now has. */
  async #takeAll(write: Write): Promise<ReadonlyMap<string, Entry>> {
    const shown: Entry[] = [];
    const superseded: number[] = [];
    for (const entry of await entriesOfUpload(write, this.#intent.intentId)) {
      const before = await findEntry(write, this.ref.slotId, entry.imageHash);
      const givesWay = before ? isSettled(before) : this.#replacements.has(entry.entryId);
      if (before?.state === "held") await takeOverManifests(write, entry, before);
      if (before && !givesWay) superseded.push(before.entryId);
      if (!givesWay) shown.push(entry);
      else {
        superseded.push(entry.entryId);
        this.#usage.delete(entry.imageHash.toString("hex"));
      }
    }
    await deleteEntries(write, this.mark, superseded);
    await showEntries(
      write,
      shown.map((entry) => entry.entryId),
    );
    await changeHeld(write, this.ref.slotId, shown.filter((entry) => entry.state === "held").length);
    return this.#nowInSlot(write);
  }

  /** The slot's entries for the images that were brought, by hash. */
  async #nowInSlot(write: Write): Promise<ReadonlyMap<string, Entry>> {
    const entries = new Map<string, Entry>();
    for (const { standing } of this.#outcomes) {
      if (standing.kind !== "brought") continue;
      const entry = await findEntry(write, this.ref.slotId, standing.imageHash);
      if (entry) entries.set(standing.imageHash.toString("hex"), entry);
    }
    return entries;
  }
}

function overGrant(grant: keyof Units, remaining: Units): Refusal {
  return refuse("quotaExceeded", grant, {
    registrationRemaining: remaining.registrations,
    lookupRemaining: remaining.lookups,
  });
}

function outcomeOf(
  { partIndex, fileName }: UploadedPart,
  standing: Standing,
  entries: ReadonlyMap<string, Entry>,
  remaining: Units,
  lost: ImageRejection,
): UploadOutcome {
  const rejected = {
    partIndex,
    fileName,
    accepted: false,
    imageHash: null,
    rejectionReason: null,
    registrationRemaining: null,
    lookupRemaining: null,
    registrationId: null,
  };
  switch (standing.kind) {
    case "rejected":
      return { ...rejected, rejectionReason: standing.reason, registrationId: standing.registrationId };
    case "overGrant":
      return {
        ...rejected,
        rejectionReason: IMAGE_REJECTIONS[standing.grant === "lookups" ? "lookupGrant" : "registrationGrant"],
        registrationRemaining: remaining.registrations,
        lookupRemaining: remaining.lookups,
      };
    case "brought": {
      const imageHash = standing.imageHash.toString("hex");
      const entry = entries.get(imageHash);
      if (!entry) return { ...rejected, rejectionReason: IMAGE_REJECTIONS[lost] };
      if (entry.state === "held" || entry.state === "answered") {
        return { ...rejected, accepted: true, imageHash };
      }
      return {
        ...rejected,
        rejectionReason: entry.reason ?? IMAGE_REJECTIONS.alreadyRegistered,
        registrationId: entry.registrationId,
      };
    }
    default:
      return standing satisfies never;
  }
}
