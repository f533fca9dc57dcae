import type { Type } from "typebox";
import type { RefusalCode } from "./refusals.ts";
import {
  FrameProblem,
  ImageNotRegisteredProblem,
  NotCommittableProblem,
  OpenSequenceCapProblem,
  OpenSlotCapProblem,
  Problem,
  QuotaProblem,
} from "./schemas/problems.ts";

type Extended = Partial<Record<RefusalCode, Type.TObject>>;

const EXTENDED: Extended = {
  openSlotCapReached: OpenSlotCapProblem,
  openSequenceCapReached: OpenSequenceCapProblem,
  imageNotRegistered: ImageNotRegisteredProblem,
  quotaExceeded: QuotaProblem,
  sequenceNotCommittable: NotCommittableProblem,
};

const EXTENDED_IN_SEQUENCES: Extended = {
  frameRefused: FrameProblem,
  frameConflict: FrameProblem,
  frameIsNotABodyFrame: FrameProblem,
  imageCouldNotBeChecked: FrameProblem,
  sequenceDoesNotAcceptThisCommand: FrameProblem,
};

/** The schema of a refusal's body; on the routes of a sequence some name the frame at fault. */
export function problemSchema(code: RefusalCode, where: { readonly inSequence: boolean }): Type.TObject {
  const inSequence = where.inSequence ? EXTENDED_IN_SEQUENCES[code] : undefined;
  return inSequence ?? EXTENDED[code] ?? Problem;
}
