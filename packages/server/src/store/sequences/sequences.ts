import { refuse } from "@colophon/contract";
import type { StoredManifest } from "@colophon/formats";
import { type Selectable, sql } from "kysely";
import type { Read, Write } from "../database.ts";
import { manifestRows } from "../stored-manifests.ts";
import type { SequenceState, SequenceTable } from "../tables/sequence-tables.ts";

export type Sequence = Selectable<SequenceTable>;

/** A sequence as its account names it. */
export interface SequenceRef {
  readonly accountId: string;
  readonly sequenceId: string;
}

/** What a commit that came to its end made of a sequence. */
export interface SequenceResult {
  readonly sequenceHash: Buffer;
  readonly outcome: "registered" | "alreadyRegistered";
  readonly finalSize: number;
}

/** Writes an open sequence with its manifests. */
export async function insertSequence(
  write: Write,
  { accountId, sequenceId }: SequenceRef,
  expectedSize: number | null,
  manifests: readonly StoredManifest[],
): Promise<void> {
  await write.insertInto("sequence").values({ sequenceId, accountId, expectedSize }).execute();
  if (manifests.length === 0) return;
  await write
    .insertInto("sequenceManifest")
    .values(manifestRows(manifests).map((row) => ({ sequenceId, ...row })))
    .execute();
}

/** The account's open and sealed sequences, newest first. */
export function unfinishedSequences(read: Read, accountId: string): Promise<readonly Sequence[]> {
  return read
    .selectFrom("sequence")
    .selectAll()
    .where("accountId", "=", accountId)
    .where("state", "in", ["open", "sealed"])
    .orderBy("openedAt", "desc")
    .orderBy("sequenceId")
    .execute();
}

/** How many open and sealed sequences the account has. */
export async function countUnfinished(read: Read, accountId: string): Promise<number> {
  const { count } = await read
    .selectFrom("sequence")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("accountId", "=", accountId)
    .where("state", "in", ["open", "sealed"])
    .executeTakeFirstOrThrow();
  return count;
}

/** A sequence of the account. @throws Refusal sequenceNotFound */
export async function readSequence(read: Read, ref: SequenceRef): Promise<Sequence> {
  const sequence = await ofAccount(read, ref).executeTakeFirst();
  if (!sequence) throw refuse("sequenceNotFound");
  return sequence;
}

/**
 * A sequence in one of the states, locked until the transaction ends: every change of a sequence is made under this
 * lock, taken before any other. Not a key lock, so that packets of its frames can be stored meanwhile.
 * @throws Refusal sequenceNotFound, sequenceDoesNotAcceptThisCommand
 */
export async function lockSequence(
  write: Write,
  ref: SequenceRef,
  states: readonly SequenceState[],
): Promise<Sequence> {
  const sequence = await ofAccount(write, ref).forNoKeyUpdate().executeTakeFirst();
  if (!sequence) throw refuse("sequenceNotFound");
  assertState(sequence, states);
  return sequence;
}

/** @throws Refusal sequenceDoesNotAcceptThisCommand, naming the state */
export function assertState({ state }: Pick<Sequence, "state">, states: readonly SequenceState[]): void {
  if (!states.includes(state)) throw refuse("sequenceDoesNotAcceptThisCommand", state);
}

/** Moves a locked sequence to another state. */
export async function setState(
  write: Write,
  sequenceId: string,
  state: "sealed" | "abandoned",
): Promise<void> {
  await write.updateTable("sequence").set({ state }).where("sequenceId", "=", sequenceId).execute();
}

/** Ends the commit of a locked sequence. */
export async function closeSequence(write: Write, sequenceId: string, result: SequenceResult): Promise<void> {
  await write
    .updateTable("sequence")
    .set({
      state: "committed",
      sequenceHash: result.sequenceHash,
      outcome: result.outcome,
      finalSize: result.finalSize,
      committedAt: sql<Date>`clock_timestamp()`,
    })
    .where("sequenceId", "=", sequenceId)
    .execute();
}

/** Records a sequence under its hash. False when a sequence of the same hash was recorded before. */
export async function insertSequenceRecord(
  write: Write,
  sequenceId: string,
  sequenceHash: Buffer,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await write
    .insertInto("sequenceRecord")
    .values({ sequenceHash, sequenceId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** The next committed sequences after an id, in order. */
export function committedSequencesAfter(
  read: Read,
  sequenceId: string,
  limit: number,
): Promise<readonly Pick<Sequence, "sequenceId" | "sequenceHash">[]> {
  return read
    .selectFrom("sequence")
    .select(["sequenceId", "sequenceHash"])
    .where("state", "=", "committed")
    .where("sequenceId", ">", sequenceId)
    .orderBy("sequenceId")
    .limit(limit)
    .execute();
}

/** Stores the size that a caller expects of a locked sequence. */
export async function setExpectedSize(write: Write, sequenceId: string, size: number): Promise<void> {
  await write
    .updateTable("sequence")
    .set({ expectedSize: size })
    .where("sequenceId", "=", sequenceId)
    .execute();
}

/** The manifests of a sequence, in order. */
export function sequenceManifests(read: Read, sequenceId: string): Promise<readonly StoredManifest[]> {
  return read
    .selectFrom("sequenceManifest")
    .select(["kind", "form", "stored"])
    .where("sequenceId", "=", sequenceId)
    .orderBy("position")
    .execute();
}

/** Removes the manifests of a sequence that will never be committed. */
export async function deleteManifests(write: Write, sequenceId: string): Promise<void> {
  await write.deleteFrom("sequenceManifest").where("sequenceId", "=", sequenceId).execute();
}

function ofAccount(read: Read, { accountId, sequenceId }: SequenceRef) {
  return read
    .selectFrom("sequence")
    .selectAll()
    .where("sequenceId", "=", sequenceId)
    .where("accountId", "=", accountId);
}
