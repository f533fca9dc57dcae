import { type AbandonedSequence, refuse } from "@colophon/contract";
import { removeFrame as removeFromChain } from "@colophon/formats";
import { writing } from "../../store/database.ts";
import { deleteAllMembers, findMember, holdingMembers } from "../../store/sequences/frames.ts";
import { lockAccount } from "../../store/accounts/grants.ts";
import { appendCustody } from "../../store/custody/ledgers.ts";
import {
  deleteManifests,
  lockSequence,
  type SequenceRef,
  setExpectedSize as storeExpectedSize,
  setState,
} from "../../store/sequences/sequences.ts";
import { purgeMembers } from "./purge-members.ts";
import type { Services } from "../services.ts";

type Needs = Pick<Services, "database" | "engine">;

/** A sequence takes commands until it is committed or abandoned. */
export const UNFINISHED = ["open", "sealed"] as const;

/**
 * Removes a BODY with its packet; its place becomes a gap.
 * @throws Refusal sequenceNotFound, sequenceDoesNotAcceptThisCommand, frameNotFound, frameIsNotABodyFrame
 */
export async function removeFrame(needs: Needs, ref: SequenceRef, frameId: number | null): Promise<void> {
  await writing(needs.database, async (write) => {
    await lockSequence(write, ref, UNFINISHED);
    const member = frameId === null ? null : await findMember(write, ref.sequenceId, frameId);
    if (frameId === null || !member) throw refuse("frameNotFound");
    const removal = removeFromChain([member], frameId);
    if ("refusal" in removal) throw refuse("frameIsNotABodyFrame", { frameId });
    const purged = await purgeMembers(needs, write, ref.sequenceId, [removal.removed]);
    await lockAccount(write, ref.accountId);
    await appendCustody(write, purged);
  });
}

/** Stores the size expected. @throws Refusal sequenceNotFound, sequenceDoesNotAcceptThisCommand */
export async function setExpectedSize(
  { database }: Pick<Services, "database">,
  ref: SequenceRef,
  size: number,
): Promise<void> {
  await writing(database, async (write) => {
    await lockSequence(write, ref, UNFINISHED);
    await storeExpectedSize(write, ref.sequenceId, size);
  });
}

/**
 * Abandons a sequence: every member but HEAD is purged, and nothing of it stays published.
 * @throws Refusal sequenceNotFound, sequenceDoesNotAcceptThisCommand
 */
export function abandonSequence(needs: Needs, ref: SequenceRef): Promise<AbandonedSequence> {
  return writing(needs.database, async (write) => {
    await lockSequence(write, ref, UNFINISHED);
    const holding = await holdingMembers(write, ref.sequenceId);
    const purged = await purgeMembers(needs, write, ref.sequenceId, holding);
    await deleteAllMembers(write, ref.sequenceId);
    await deleteManifests(write, ref.sequenceId);
    await setState(write, ref.sequenceId, "abandoned");
    await lockAccount(write, ref.accountId);
    await appendCustody(write, purged);
    return { sequenceId: ref.sequenceId, state: "abandoned", packetsPurged: purged.length };
  });
}
