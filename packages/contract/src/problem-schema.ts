import type { Type } from "typebox";
import type { RefusalCode } from "./refusals.ts";
import type { RefusalExtensions } from "./refusal.ts";
import {
  FrameProblem,
  ImageNotRegisteredProblem,
  NotCommittableProblem,
  OpenSlotCapProblem,
  Problem,
  QuotaProblem,
} from "./schemas/problems.ts";

/** The body of every code that may say more than its sentence. */
const EXTENDED: Readonly<Record<keyof RefusalExtensions, Type.TObject>> = {
  openSlotCapReached: OpenSlotCapProblem,
  imageNotRegistered: ImageNotRegisteredProblem,
  quotaExceeded: QuotaProblem,
  imageCouldNotBeCheckedYet: Problem,
  sequenceNotCommittable: NotCommittableProblem,
  frameRefused: FrameProblem,
  frameConflict: FrameProblem,
  frameIsNotABodyFrame: FrameProblem,
  imageCouldNotBeChecked: FrameProblem,
  sequenceDoesNotAcceptThisCommand: FrameProblem,
};

/** The schema of a refusal's body. */
export function problemSchema(code: RefusalCode): Type.TObject {
  const extended: Partial<Record<RefusalCode, Type.TObject>> = EXTENDED;
  return extended[code] ?? Problem;
}
