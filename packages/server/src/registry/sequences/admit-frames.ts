import { type AdmittedFrames, Refusal, refuse } from "@colophon/contract";
import type { BodyFrame, EndFrame } from "@colophon/formats";
import type { ByteBudget } from "../../custody/body-budget.ts";
import type { Pixels } from "../../engine/port.ts";
import { isPassing } from "../../store/database-fault.ts";
import type { SequenceRef } from "../../store/sequences/sequences.ts";
import { askPatiently } from "../ask-patiently.ts";
import { ClientGone } from "../client-gone.ts";
import type { Erasable } from "../engine-call.ts";
import { preCheckOf } from "../pre-check.ts";
import { type AdmissionNeeds, type BatchMember, FrameAdmission, unheld } from "./frame-admission.ts";

/** A valid frame of the sequence as it arrived, its image in memory until it is erased. */
export interface ArrivedFrame extends Erasable {
  readonly frame: BodyFrame | EndFrame;
  readonly frameHash: string;
  readonly image: Pixels | null;
}

/**
 * Admits a batch of frames to a sequence: works frame by frame as they are read, then has the chain take all of them,
 * or none. So a refused batch changes nothing, and memory holds one image at a time.
 * @param room where members are counted that the frames span
 * @throws Refusal sequenceNotFound, sequenceDoesNotAcceptThisCommand, frameConflict, imageCouldNotBeChecked,
 *   serviceUnavailable, and what `frames` throws; sequenceAdmissionFailed for a fault of the service
 */
export async function admitFrames(
  needs: AdmissionNeeds,
  ref: SequenceRef,
  frames: AsyncIterable<ArrivedFrame>,
  room: ByteBudget,
): Promise<AdmittedFrames> {
  const admission = await FrameAdmission.begin(needs, ref);
  const batch: BatchMember[] = [];
  const latest = new Map<number, BatchMember>();
  try {
    for await (const arrived of frames) {
      const { frameId } = arrived.frame;
      const earlier = latest.get(frameId);
      const isRepeated = earlier?.frameHash === arrived.frameHash;
      const member = isRepeated ? { ...earlier } : await memberOf(needs, admission, arrived);
      batch.push(member);
      latest.set(frameId, member);
    }
    return await admission.accept(batch, room);
  } catch (error) {
    await admission.drop();
    if (error instanceof Refusal || error instanceof ClientGone || isPassing(error)) throw error;
    throw refuse("sequenceAdmissionFailed").causedBy(error);
  }
}

/** A frame as a member: its image compared with every live original that is not of this sequence, and erased. */
async function memberOf(
  { engine, config, disk }: AdmissionNeeds,
  admission: FrameAdmission,
  arrived: ArrivedFrame,
): Promise<BatchMember> {
  const { frame, frameHash, image } = arrived;
  const member = unheld(frame, frameHash);
  if (!image) return member;
  disk.assertRoomToStore();
  admission.running.inHand = arrived;
  const admitted = await admission.admitPixels(member, image);
  if ("held" in admitted) return admitted.held;
  const { accountId } = admission.ref;
  const { ownOriginals } = admitted;
  const answer = await askPatiently(() => engine.preCheck(image, accountId, ownOriginals));
  const checked = preCheckOf(answer, config.preCheckCover);
  if (checked.outcome === "clear") return admission.keepPacket(member, checked.extraction);
  if (checked.outcome === "hindered") return admission.keepErratum(member, image, checked, ownOriginals);
  throw refuse("imageCouldNotBeChecked", "declined", { frameId: frame.frameId });
}
