import { type AdmittedFrames, refuse } from "@colophon/contract";
import { admitBatch, type BodyFrame, type EndFrame } from "@colophon/formats";
import type { ByteBudget } from "../../custody/body-budget.ts";
import type { Pixels } from "../../engine/port.ts";
import { lockAccount } from "../../store/accounts/grants.ts";
import { heldBytes } from "../../store/accounts/held-bytes.ts";
import { packetDerived } from "../../store/custody/events.ts";
import { appendCustody, type CustodyEvent } from "../../store/custody/ledgers.ts";
import type { Write } from "../../store/database.ts";
import type { Extraction } from "../../store/originals/extraction.ts";
import { publishedOriginals } from "../../store/sequences/frame-originals.ts";
import { dropPackets, keepPackets, stagedPackets, stagePacket } from "../../store/sequences/frame-packets.ts";
import { findMember, insertMembers, type Member, membersAround } from "../../store/sequences/frames.ts";
import {
  assertState,
  lockSequence,
  readSequence,
  type SequenceRef,
  setState,
} from "../../store/sequences/sequences.ts";
import { NOTHING_SPENT } from "../engine-call.ts";
import { type Hindrance, hindranceNow } from "../pre-check.ts";
import { RunningIntent } from "../running-intent.ts";
import type { Services } from "../services.ts";
import { UNFINISHED } from "./change-sequence.ts";
import { chainRefusal } from "./chain-refusal.ts";
import { purgeMembers } from "./purge-members.ts";
import { progressOf } from "./read-sequence.ts";

export type AdmissionNeeds = Pick<Services, "config" | "database" | "intents" | "engine" | "disk">;

/** A member that a batch brings. */
export interface BatchMember extends Member {
  /** The chain held it, with its image, when it came: it has brought no packet. */
  readonly wasHeld?: true;
}

/** A frame as a member, without what its image gives. */
export function unheld({ type, frameId, prev, next }: BodyFrame | EndFrame, frameHash: string): BatchMember {
  const nothing = { originalImageHash: null, packetId: null, imageNo: null };
  return { type, frameId, prev, next, frameHash, erratum: null, holdsPacket: false, ...nothing };
}

/**
 * The transactions of an admission. Packets are stored as the frames come, for the admission alone; at the end the
 * chain takes all frames at once, or everything is dropped.
 */
export class FrameAdmission {
  readonly ref: SequenceRef;
  readonly running: RunningIntent;
  readonly #needs: AdmissionNeeds;

  private constructor(needs: AdmissionNeeds, ref: SequenceRef, running: RunningIntent) {
    this.#needs = needs;
    this.ref = ref;
    this.running = running;
  }

  /** @throws Refusal sequenceNotFound, sequenceDoesNotAcceptThisCommand; ReserveUsedUp */
  static async begin(needs: AdmissionNeeds, ref: SequenceRef): Promise<FrameAdmission> {
    needs.disk.assertRoomToStore();
    const running = await RunningIntent.take(needs, ref.accountId, async (write) => {
      assertState(await readSequence(write, ref), UNFINISHED);
      needs.disk.assertShare(await heldBytes(write, ref.accountId));
    });
    return new FrameAdmission(needs, ref, running);
  }

  /**
   * Takes the pixels of a frame into custody and names the sequence's own originals, or finds that the chain holds it.
   */
  admitPixels(
    { frameId, frameHash }: BatchMember,
    { imageHash, byteLength }: Pixels,
  ): Promise<{ readonly held: BatchMember } | { readonly ownOriginals: ReadonlySet<number> }> {
    const { sequenceId } = this.ref;
    return this.running.change(async (write, change) => {
      assertState(await readSequence(write, this.ref), UNFINISHED);
      const held = await findMember(write, sequenceId, frameId);
      if (held?.frameHash === frameHash) return { held: { ...held, wasHeld: true } };
      const frame = { sequenceId, frameId };
      await change({ pixels: { subject: "frame", imageHash, byteLength, frame } });
      return { ownOriginals: await publishedOriginals(write, sequenceId) };
    });
  }

  /** Erases the image in hand and keeps the packet that was made of it. */
  keepPacket(member: BatchMember, extraction: Extraction): Promise<BatchMember> {
    const { frameId } = member;
    const { accountId, sequenceId } = this.ref;
    const { imageHash, packet, originalImageHash } = extraction;
    return this.#releasePixels(async (write) => {
      const admissionId = this.running.intent.intentId;
      const packetId = await stagePacket(write, { ...this.ref, frameId }, admissionId, extraction);
      const derived = { imageHash, sequenceId, frameId, byteLength: packet.length };
      await appendCustody(write, [packetDerived(accountId, derived)]);
      const original = { originalImageHash: originalImageHash.toString("hex") };
      return { ...member, ...original, holdsPacket: true, packetId };
    });
  }

  /**
   * Erases the image in hand and keeps the original that it is or derives from.
   * @param ownOriginals as of `admitPixels`
   */
  keepErratum(
    member: BatchMember,
    { imageHash }: Pixels,
    hindrance: Hindrance,
    ownOriginals: ReadonlySet<number>,
  ): Promise<BatchMember> {
    return this.#releasePixels(async (write) => {
      const { originals } = await hindranceNow(write, imageHash, hindrance, ownOriginals);
      return { ...member, erratum: originals[0].originalImageHash.toString("hex") };
    });
  }

  /**
   * Ends the admission: the chain takes the batch.
   * @param room where the part of the chain is counted that decides on it
   * @throws Refusal sequenceDoesNotAcceptThisCommand, frameConflict, serviceUnavailable; nothing has changed then
   */
  accept(batch: readonly BatchMember[], room: ByteBudget): Promise<AdmittedFrames> {
    const { sequenceId } = this.ref;
    return this.running.settle(async (write, settle) => {
      await lockSequence(write, this.ref, UNFINISHED);
      const around = await membersAround(write, sequenceId, batch, room);
      const admission = admitBatch<BatchMember>(around, batch);
      if (!admission.admitted) throw chainRefusal(admission.refusal, around, batch);
      const gone = [...admission.replaced, ...admission.evicted];
      const purged = await purgeMembers(this.#needs, write, sequenceId, gone);
      await this.#store(write, admission.stored);
      if (admission.seals) await setState(write, sequenceId, "sealed");
      const custody = [...purged, ...(await this.#dropStaged(write))];
      await settle({ spent: NOTHING_SPENT, usage: [], custody });
      return {
        frames: batch.map(({ frameId, erratum }) => ({ frameId, errata: erratum !== null })),
        verdict: admission.seals ? await progressOf(write, await readSequence(write, this.ref), room) : null,
      };
    });
  }

  /** Ends the admission: nothing has changed. What cannot be dropped now is dropped by the sweep. */
  drop(): Promise<void> {
    return this.running.giveUp((write) => this.#dropStaged(write));
  }

  /** Erases the image in hand, and ledgers that with what `work` writes. */
  #releasePixels<T>(work: (write: Write) => Promise<T>): Promise<T> {
    const erased = this.running.erase();
    return this.running.change(async (write, change) => {
      await change({ pixels: null });
      await appendCustody(write, erased);
      return work(write);
    });
  }

  /** Adds the batch's new members with their packets. @throws Refusal frameConflict */
  async #store(write: Write, stored: readonly BatchMember[]): Promise<void> {
    const lost = stored.find((member) => member.wasHeld);
    if (lost) throw refuse("frameConflict", "sequenceChanged", { frameId: lost.frameId });
    const added = await insertMembers(write, this.ref, stored);
    const repeated = stored.find((member) => !added.has(member.frameId));
    if (repeated) throw refuse("frameConflict", "repeated", { frameId: repeated.frameId });
    await keepPackets(
      write,
      stored.flatMap(({ packetId }) => packetId ?? []),
    );
  }

  /** Drops the packets that no member took. */
  async #dropStaged(write: Write): Promise<readonly CustodyEvent[]> {
    await lockAccount(write, this.ref.accountId);
    return dropPackets(write, await stagedPackets(write, this.running.intent.intentId));
  }
}
