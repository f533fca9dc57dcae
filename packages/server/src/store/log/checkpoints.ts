import { sql } from "kysely";
import type { Read, Write } from "../database.ts";

/** A checkpoint as it was signed, with the cosignatures that came. */
export interface SignedCheckpoint {
  readonly size: number;
  /** The signed note. */
  readonly note: string;
  /** Lines that go behind it. */
  readonly cosignatures: string;
}

/** How many cosignatures a checkpoint has. */
const WITNESSES = sql`cardinality(string_to_array(cosignatures, chr(10)))`;

const COLUMNS = ["size", "note", "cosignatures"] as const;

/** The latest checkpoint; null before the first. */
export async function latestCheckpoint(read: Read): Promise<SignedCheckpoint | null> {
  const row = await read
    .selectFrom("logCheckpoint")
    .select(COLUMNS)
    .orderBy("size", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Every checkpoint that is kept, in order. */
export function allCheckpoints(read: Read): Promise<readonly SignedCheckpoint[]> {
  return read.selectFrom("logCheckpoint").select(COLUMNS).orderBy("size").execute();
}

/** Seconds since the latest checkpoint was signed; null before the first. */
export async function checkpointAge(read: Read): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from now() - max(signed_at))::float8 as seconds from log_checkpoint`.execute(read);
  return rows[0]?.seconds ?? null;
}

/**
 * Of the checkpoints that have an entry, the one that most witnesses have signed, and of those the latest; null while
 * none has it.
 */
export async function bestCheckpointOver(read: Read, position: number): Promise<SignedCheckpoint | null> {
  const { rows } = await sql<SignedCheckpoint>`select size, note, cosignatures from log_checkpoint
    where size > ${position} order by ${WITNESSES} desc, size desc limit 1`.execute(read);
  return rows[0] ?? null;
}

/**
 * Stores a signed checkpoint. Of those before the last minute, whose witnesses may still answer, the ones stay that a
 * time-stamping authority has signed, and the latest of those that most witnesses have.
 */
export async function insertCheckpoint(write: Write, size: number, note: string): Promise<void> {
  await sql`delete from log_checkpoint
    where timestamp_reply is null and signed_at < now() - interval '1 minute' and size <> (
    select size from log_checkpoint order by ${WITNESSES} desc, size desc limit 1)`.execute(write);
  await write.insertInto("logCheckpoint").values({ size, note }).execute();
}

/** Adds a line with a cosignature to a checkpoint, if it is still there. */
export async function addCosignature(write: Read, size: number, line: string): Promise<void> {
  await sql`update log_checkpoint set cosignatures = cosignatures || ${line}
    where size = ${size} and position(${line} in cosignatures) = 0`.execute(write);
}

/** Whether a time-stamping authority has signed a checkpoint on this UTC day. */
export async function isTimestamped(read: Read, day: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists(select from log_checkpoint
    where timestamp_reply is not null and (timestamped_at at time zone 'UTC')::date = ${day}::date) as found`.execute(
    read,
  );
  return rows[0]?.found === true;
}

/** Keeps the answer of a time-stamping authority about a checkpoint. */
export async function setTimestamp(write: Read, size: number, reply: Buffer, at: Date): Promise<void> {
  await write
    .updateTable("logCheckpoint")
    .set({ timestampReply: reply, timestampedAt: at })
    .where("size", "=", size)
    .execute();
}

/** The answer of a time-stamping authority about the checkpoint of a size; null for none. */
export async function readTimestamp(read: Read, size: number): Promise<Buffer | null> {
  const row = await read
    .selectFrom("logCheckpoint")
    .select("timestampReply")
    .where("size", "=", size)
    .executeTakeFirst();
  return row?.timestampReply ?? null;
}
