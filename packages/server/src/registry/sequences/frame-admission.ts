import { type AdmittedFrames, type Refusal, refuse } from "@colophon/contract";
import { admitBatch, type BodyFrame, type ChainRefusal, type EndFrame } from "@colophon/formats";
import type { Declined, NotYet, Pixels } from "../../engine/port.ts";
import { type Write, writing } from "../../store/database.ts";
import { publishedOriginals } from "../../store/sequences/frame-originals.ts";
import { dropPackets, keepPackets, stagedPackets, stagePacket } from "../../store/sequences/frame-packets.ts";
import { findMember, insertMembers, type Member, membersAround } from "../../store/sequences/frames.ts";
import { lockAccount } from "../../store/accounts/grants.ts";
import { type PixelCustody, packetDerived } from "../../store/custody/events.ts";
import type { Intent } from "../../store/custody/intents.ts";
import { appendCustody, type CustodyEvent } from "../../store/custody/ledgers.ts";
import {
  assertState,
  lockSequence,
  readSequence,
  type SequenceRef,
  setState,
} from "../../store/sequences/sequences.ts";
import { askPatiently } from "../ask-patiently.ts";
import { UNFINISHED } from "./change-sequence.ts";
import { erasePixels, NOTHING_SPENT } from "../engine-call.ts";
import { type PreCheck, preCheckOf } from "../pre-check.ts";
import { purgeMembers } from "./purge-members.ts";
import { progressOf } from "./read-sequence.ts";
import type { Services } from "../services.ts";

export type AdmissionNeeds = Pick<Services, "config" | "database" | "intents" | "engine" | "disk">;

/** A valid frame of the sequence as it arrived, its image in memory until it is erased. */
export interface ArrivedFrame {
  readonly frame: BodyFrame | EndFrame;
  readonly frameHash: string;
  readonly image: Pixels | null;
  /** Zeroes the image. True when every byte is gone. */
  erase(): boolean;
}

/**
 * One batch of frames on its way into a chain. Packets are stored as the frames come, for the admission alone; at the end
 * the chain takes all frames at once, or everything is dropped. So a refused batch changes nothing, and memory
 * holds one image at a time.
 */
export class FrameAdmission {
  readonly #needs: AdmissionNeeds;
  readonly #ref: SequenceRef;
  readonly #batch: Member[] = [];
  /** The last of the batch under each frame id. */
  readonly #latest = new Map<number, Member>();
  /** Of the batch, those with an image that the chain held already when they came: they have brought no packet. */
  readonly #known = new Set<Member>();
  #intent: Intent;
  #inHand: ArrivedFrame | null = null;

  private constructor(needs: AdmissionNeeds, ref: SequenceRef, intent: Intent) {
    this.#needs = needs;
    this.#ref = ref;
    this.#intent = intent;
  }

  /** @throws Refusal sequenceNotFound, sequenceDoesNotAcceptThisCommand */
  static async begin(needs: AdmissionNeeds, ref: SequenceRef): Promise<FrameAdmission> {
    needs.disk.assertRoomToStore();
    const intent = await needs.intents.take(ref.accountId, NOTHING_SPENT, null, async (write) => {
      assertState(await readSequence(write, ref), UNFINISHED);
    });
    return new FrameAdmission(needs, ref, intent);
  }

  /**
   * Takes the next frame: compares its image with every live original that is not of this sequence, and keeps what
   * would publish it. The image is erased before this returns.
   * @throws Refusal imageCouldNotBeChecked
   */
  async take(arrived: ArrivedFrame): Promise<void> {
    this.#inHand = arrived;
    const member = arrived.image ? await this.#takeImage(arrived, arrived.image) : chained(arrived);
    this.#batch.push(member);
    this.#latest.set(member.frameId, member);
  }

  /**
   * Ends the admission: the chain takes the batch.
   * @throws Refusal sequenceDoesNotAcceptThisCommand, frameConflict; nothing has changed then
   */
  async accept(): Promise<AdmittedFrames> {
    const admitted = await writing(this.#needs.database, async (write) => {
      const sequence = await lockSequence(write, this.#ref, UNFINISHED);
      const around = await membersAround(write, this.#ref.sequenceId, this.#batch);
      const admission = admitBatch(around, this.#batch);
      if (!admission.admitted) throw refusalOf(admission.refusal, around, this.#batch);
      const gone = [...admission.replaced, ...admission.evicted];
      const purged = await purgeMembers(this.#needs, write, sequence.sequenceId, gone);
      await this.#store(write, admission.stored);
      if (admission.seals) await setState(write, sequence.sequenceId, "sealed");
      await this.#settle(write, purged);
      return {
        frames: this.#batch.map(({ frameId, erratum }) => ({ frameId, errata: erratum !== null })),
        verdict: admission.seals ? await progressOf(write, this.#ref) : null,
      };
    });
    this.#needs.intents.done(this.#intent);
    return admitted;
  }

  /** Ends the admission: nothing has changed. What cannot be dropped now is dropped by the sweep. */
  async drop(): Promise<void> {
    try {
      const erased = this.#inHand?.erase() ?? true;
      await writing(this.#needs.database, async (write) => {
        const dropped = await this.#dropStaged(write);
        await this.#needs.intents.giveUp(write, this.#intent, erased, dropped);
      });
    } catch {
      // The database is away, or another process has settled the admission already.
    } finally {
      this.#needs.intents.done(this.#intent);
    }
  }

  async #takeImage(arrived: ArrivedFrame, image: Pixels): Promise<Member> {
    this.#needs.disk.assertRoomToStore();
    const { frameId } = arrived.frame;
    const met = this.#met(arrived);
    if (met) return met;
    const apartFrom = await this.#admitPixels(arrived, image);
    if (!(apartFrom instanceof Set)) return apartFrom;
    const { engine, config } = this.#needs;
    const answer = await askPatiently(() => engine.preCheck(image, this.#ref.accountId, apartFrom));
    const checked = preCheckOf(answer, config.preCheckCover);
    if (checked.outcome === "declined" || checked.outcome === "notYet") {
      throw refuse("imageCouldNotBeChecked", "declined", { frameId });
    }
    return this.#keep(arrived, checked);
  }

  /** The same frame earlier in the batch, as one more member. */
  #met({ frame, frameHash }: ArrivedFrame): Member | null {
    const earlier = this.#latest.get(frame.frameId);
    if (earlier?.frameHash !== frameHash) return null;
    const again = { ...earlier };
    if (this.#known.has(earlier)) this.#known.add(again);
    return again;
  }

  /** Takes the pixels of a frame into custody and names the sequence's own originals, or finds the chain holds it. */
  #admitPixels(arrived: ArrivedFrame, image: Pixels): Promise<Set<number> | Member> {
    const { sequenceId } = this.#ref;
    const { frameId } = arrived.frame;
    return this.#amend(async (write, amend) => {
      assertState(await readSequence(write, this.#ref), UNFINISHED);
      const held = await findMember(write, sequenceId, frameId);
      if (held?.frameHash === arrived.frameHash) {
        this.#known.add(held);
        return held;
      }
      const pixels: PixelCustody = {
        subject: "frame",
        imageHash: image.imageHash,
        byteLength: image.byteLength,
        frame: { sequenceId, frameId },
      };
      await amend(pixels);
      return new Set(await publishedOriginals(write, sequenceId));
    });
  }

  /** Erases the image and keeps what the engine made of it: its packet, or the original that it derives from. */
  #keep(arrived: ArrivedFrame, checked: Exclude<PreCheck, Declined | NotYet>): Promise<Member> {
    const erased = erasePixels(arrived, this.#intent);
    const { accountId, sequenceId } = this.#ref;
    const { frameId } = arrived.frame;
    return this.#amend(async (write, amend) => {
      await amend(null);
      await appendCustody(write, erased);
      if (checked.outcome === "hindered") {
        return { ...chained(arrived), erratum: checked.originals[0].originalImageHash.toString("hex") };
      }
      const { extraction } = checked;
      const packetId = await stagePacket(
        write,
        { accountId, sequenceId, frameId },
        this.#intent.intentId,
        extraction,
      );
      const { imageHash, packet } = extraction;
      await appendCustody(write, [
        packetDerived(accountId, { imageHash, sequenceId, frameId, byteLength: packet.length }),
      ]);
      const originalImageHash = extraction.originalImageHash.toString("hex");
      return { ...chained(arrived), holdsPacket: true, packetId, originalImageHash };
    });
  }

  /** Adds the batch's new members with their packets. @throws Refusal frameConflict */
  async #store(write: Write, stored: readonly Member[]): Promise<void> {
    const lost = stored.find((member) => this.#known.has(member));
    if (lost) throw refuse("frameConflict", "sequenceChanged", { frameId: lost.frameId });
    const added = await insertMembers(write, this.#ref, stored);
    const repeated = stored.find((member) => !added.has(member.frameId));
    if (repeated) throw refuse("frameConflict", "repeated", { frameId: repeated.frameId });
    await keepPackets(
      write,
      stored.flatMap(({ packetId }) => packetId ?? []),
    );
  }

  /** Settles the intent and drops the packets that no member took. */
  async #settle(write: Write, custody: readonly CustodyEvent[]): Promise<void> {
    const dropped = await this.#dropStaged(write);
    const settlement = { spent: NOTHING_SPENT, usage: [], custody: [...custody, ...dropped] };
    await this.#needs.intents.settle(write, this.#intent, settlement);
  }

  /** Drops the packets that no member took; the account is locked. */
  async #dropStaged(write: Write): Promise<readonly CustodyEvent[]> {
    await lockAccount(write, this.#ref.accountId);
    return dropPackets(write, await stagedPackets(write, this.#intent.intentId));
  }

  /** Changes the pixels in custody along with whatever `work` writes. */
  async #amend<T>(
    work: (write: Write, amend: (pixels: PixelCustody | null) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    let amended = this.#intent;
    const result = await writing(this.#needs.database, async (write) => {
      const account = await lockAccount(write, this.#ref.accountId);
      return work(write, async (pixels) => {
        amended = await this.#needs.intents.amend(write, account, amended, { units: NOTHING_SPENT, pixels });
      });
    });
    this.#intent = amended;
    return result;
  }
}

function chained({ frame, frameHash }: ArrivedFrame): Member {
  const { type, frameId, prev, next } = frame;
  const nothing = { originalImageHash: null, packetId: null, imageNo: null };
  return { type, frameId, prev, next, frameHash, erratum: null, holdsPacket: false, ...nothing };
}

function refusalOf(
  { rule, frameId }: ChainRefusal,
  around: readonly Member[],
  batch: readonly Member[],
): Refusal {
  if (rule === "sealed") return refuse("sequenceDoesNotAcceptThisCommand", "sealed", { frameId });
  const held = [...around, ...batch].find((member) => member.frameId === frameId);
  const { prev, next } = held ?? { prev: null, next: null };
  const encloses = batch.some(
    (frame) =>
      prev !== null &&
      next !== null &&
      frame.frameId > prev &&
      frame.frameId < next &&
      frame.frameId !== frameId,
  );
  return refuse("frameConflict", encloses ? "enclosed" : "neighbour", { frameId });
}
