import { type Refusal, refuse } from "@colophon/contract";
import type { ChainRefusal } from "@colophon/formats";
import type { Member } from "../../store/sequences/frames.ts";

/** Why a chain does not take a batch, as a refusal. @param around the part of the chain that decides on the batch */
export function chainRefusal(
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
