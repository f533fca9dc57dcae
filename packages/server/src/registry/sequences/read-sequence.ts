import { setImmediate } from "node:timers/promises";
import type { SequenceGaps, SequenceProgress, SequenceResults } from "@colophon/contract";
import { encodeFrame } from "@colophon/formats";
import type { ByteBudget } from "../../custody/body-budget.ts";
import { type Database, type Read, reading } from "../../store/database.ts";
import { walkChain } from "../../store/sequences/frames.ts";
import {
  assertState,
  readSequence,
  type Sequence,
  type SequenceRef,
} from "../../store/sequences/sequences.ts";

/** Gaps that are minted in one turn of the event loop, some milliseconds. */
const MINTED_AT_ONCE = 100;
/** What a minted gap takes of memory until the answer is printed. */
const GAP_BYTES = 400;

/**
 * The verdict on a sequence as it stands.
 * @param room where its gaps and errata are counted
 * @throws Refusal serviceUnavailable when there is no room for them
 */
export async function progressOf(
  read: Read,
  { sequenceId, state, expectedSize }: Pick<Sequence, "sequenceId" | "state" | "expectedSize">,
  room: ByteBudget,
): Promise<SequenceProgress> {
  const { bodies, reach, gaps, errata, isConnected } = await walkChain(read, sequenceId, room);
  return {
    state,
    framesReceived: bodies,
    expectedSize,
    reach,
    gaps: gaps.map(({ from, to }) => ({ from, to })),
    errata: errata.map(({ frameId, erratum }) => ({ frameId, originalImageHash: erratum })),
    connected: isConnected,
  };
}

/** `progressOf` on one snapshot. @throws Refusal sequenceNotFound, serviceUnavailable */
export function reportSequence(
  database: Database,
  ref: SequenceRef,
  room: ByteBudget,
): Promise<SequenceProgress> {
  return reading(database, async (read) => progressOf(read, await readSequence(read, ref), room));
}

/**
 * Mints a GAP frame for every range of missing frames, and lets others be answered meanwhile.
 * @param room where they are counted
 * @throws Refusal sequenceNotFound, serviceUnavailable when there is no room for them
 */
export async function mintGaps(
  database: Database,
  ref: SequenceRef,
  room: ByteBudget,
): Promise<SequenceGaps> {
  const { sequenceId, missing } = await reading(database, async (read) => {
    const sequence = await readSequence(read, ref);
    const { gaps } = await walkChain(read, sequence.sequenceId, room);
    return { sequenceId: sequence.sequenceId, missing: gaps };
  });
  room.take(GAP_BYTES * missing.length);
  const gaps: SequenceGaps["gaps"] = [];
  for (const { from, to, prev, next } of missing) {
    const frame = encodeFrame({ type: "GAP", sequenceId, frameId: from, prev, next, from, to });
    gaps.push({ from, to, gapFrame: Buffer.from(frame).toString("base64") });
    if (gaps.length % MINTED_AT_ONCE === 0) await setImmediate();
  }
  return { gaps };
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
