import type { SequenceGaps, SequenceProgress, SequenceResults } from "@colophon/contract";
import { encodeFrame, gapsOf, isConnected, reachOf } from "@colophon/formats";
import { type Database, type Read, reading } from "../../store/database.ts";
import { listMembers } from "../../store/sequences/frames.ts";
import {
  assertState,
  readSequence,
  type Sequence,
  type SequenceRef,
} from "../../store/sequences/sequences.ts";

/** The verdict on a sequence as it stands. */
export async function progressOf(
  read: Read,
  { sequenceId, state, expectedSize }: Pick<Sequence, "sequenceId" | "state" | "expectedSize">,
): Promise<SequenceProgress> {
  const members = await listMembers(read, sequenceId);
  return {
    state,
    framesReceived: members.filter(({ type }) => type === "BODY").length,
    expectedSize,
    reach: reachOf(members),
    gaps: gapsOf(members).map(({ from, to }) => ({ from, to })),
    errata: members.flatMap(({ frameId, erratum }) =>
      erratum === null ? [] : [{ frameId, originalImageHash: erratum }],
    ),
    connected: isConnected(members),
  };
}

/** `progressOf` on one snapshot. @throws Refusal sequenceNotFound */
export function reportSequence(database: Database, ref: SequenceRef): Promise<SequenceProgress> {
  return reading(database, async (read) => progressOf(read, await readSequence(read, ref)));
}

/** Mints a GAP frame for every range of missing frames. @throws Refusal sequenceNotFound */
export function mintGaps(database: Database, ref: SequenceRef): Promise<SequenceGaps> {
  return reading(database, async (read) => {
    const { sequenceId } = await readSequence(read, ref);
    const gaps = gapsOf(await listMembers(read, sequenceId));
    return {
      gaps: gaps.map(({ from, to, prev, next }) => {
        const frame = encodeFrame({ type: "GAP", sequenceId, frameId: from, prev, next, from, to });
        return { from, to, gapFrame: Buffer.from(frame).toString("base64") };
      }),
    };
  });
}

/** The record of a committed sequence. @throws Refusal sequenceNotFound, sequenceDoesNotAcceptThisCommand */
export async function sequenceResults(read: Read, ref: SequenceRef): Promise<SequenceResults> {
  const sequence = await readSequence(read, ref);
  assertState(sequence, ["committed"]);
  const { sequenceHash, outcome, finalSize, committedAt } = sequence;
  if (!sequenceHash || !outcome || finalSize === null || !committedAt) {
    throw new Error("A committed sequence has no record.");
  }
  return {
    sequenceHash: sequenceHash.toString("hex"),
    outcome,
    finalSize,
    committedAt: committedAt.toISOString(),
  };
}
