import { refuse } from "@colophon/contract";
import type { StoredManifest } from "@colophon/formats";
import { type Selectable, sql } from "kysely";
import type { Read, Write } from "../database.ts";
import type { SequenceState, SequenceTable } from "../sequence-tables.ts";

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
  await write
    .insertInto("sequence")
    .values({ sequence_id: sequenceId, account_id: accountId, expected_size: expectedSize })
    .execute();
  if (manifests.length === 0) return;
  await write
    .insertInto("sequence_manifest")
    .values(
      manifests.map(({ kind, form, stored }, position) => ({
        sequence_id: sequenceId,
        position,
        kind,
        form,
        stored: Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength),
      })),
    )
    .execute();
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
  await write.updateTable("sequence").set({ state }).where("sequence_id", "=", sequenceId).execute();
}

/** Ends the commit of a locked sequence. */
export async function closeSequence(write: Write, sequenceId: string, result: SequenceResult): Promise<void> {
  await write
    .updateTable("sequence")
    .set({
      state: "committed",
      sequence_hash: result.sequenceHash,
      outcome: result.outcome,
      final_size: result.finalSize,
      committed_at: sql<Date>`clock_timestamp()`,
    })
    .where("sequence_id", "=", sequenceId)
    .execute();
}

/** Stores the size that a caller expects of a locked sequence. */
export async function setExpectedSize(write: Write, sequenceId: string, size: number): Promise<void> {
  await write
    .updateTable("sequence")
    .set({ expected_size: size })
    .where("sequence_id", "=", sequenceId)
    .execute();
}

/** The manifests of a sequence, in order. */
export function sequenceManifests(read: Read, sequenceId: string): Promise<readonly StoredManifest[]> {
  return read
    .selectFrom("sequence_manifest")
    .select(["kind", "form", "stored"])
    .where("sequence_id", "=", sequenceId)
    .orderBy("position")
    .execute();
}

/** Removes the manifests of a sequence that will never be committed. */
export async function deleteManifests(write: Write, sequenceId: string): Promise<void> {
  await write.deleteFrom("sequence_manifest").where("sequence_id", "=", sequenceId).execute();
}

function ofAccount(read: Read, { accountId, sequenceId }: SequenceRef) {
  return read
    .selectFrom("sequence")
    .selectAll()
    .where("sequence_id", "=", sequenceId)
    .where("account_id", "=", accountId);
}
