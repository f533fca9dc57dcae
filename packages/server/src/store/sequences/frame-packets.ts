import { sql } from "kysely";
import type { Read, Write } from "../database.ts";
import { type PacketCustody, packetDeleted } from "../custody/events.ts";
import type { CustodyEvent } from "../custody/ledgers.ts";
import { type Extraction, extractionColumns, extractionOf } from "../originals/extraction.ts";
import type { SequenceRef } from "./sequences.ts";

/** Frames that one transaction of a commit publishes. */
const CHUNK_FRAMES = 50;

/** A frame as one part of a sequence. */
export interface FrameRef extends SequenceRef {
  readonly frameId: number;
}

/** A BODY that is not published, with what publishes it. */
export interface UnpublishedFrame {
  readonly frameId: number;
  readonly packetId: number;
  readonly extraction: Extraction;
}

/** Stores the packet of a frame for the admission that brings it. Returns its number. */
export async function stagePacket(
  write: Write,
  { accountId, sequenceId, frameId }: FrameRef,
  admissionId: string,
  extraction: Extraction,
): Promise<number> {
  const { packetId } = await write
    .insertInto("framePacket")
    .values({ accountId, sequenceId, frameId, admissionId, ...extractionColumns(extraction) })
    .returning("packetId")
    .executeTakeFirstOrThrow();
  return packetId;
}

/** Ends the admission of packets: they are their members' from now on. */
export async function keepPackets(write: Write, packetIds: readonly number[]): Promise<void> {
  await sql`update frame_packet set admission_id = null where packet_id = any(${packetIds}::bigint[])`.execute(
    write,
  );
}

/** Numbers of the packets that an admission still brings. */
export async function stagedPackets(read: Read, admissionId: string): Promise<readonly number[]> {
  const rows = await read
    .selectFrom("framePacket")
    .select("packetId")
    .where("admissionId", "=", admissionId)
    .execute();
  return rows.map((row) => row.packetId);
}

/** Removes packets that no member has any more, looks whether they are gone, and says so in the ledger's words. */
export async function dropPackets(
  write: Write,
  packetIds: readonly number[],
): Promise<readonly CustodyEvent[]> {
  if (packetIds.length === 0) return [];
  const dropped = await sql<PacketCustody & { packetId: number; accountId: string }>`
    delete from frame_packet where packet_id = any(${packetIds}::bigint[])
    returning packet_id, account_id, sequence_id, frame_id, image_hash, length(packet) as byte_length`.execute(
    write,
  );
  const left = await sql<{ packetId: number }>`
    select packet_id from frame_packet where packet_id = any(${packetIds}::bigint[])`.execute(write);
  const unverified = new Set(left.rows.map((row) => row.packetId));
  return dropped.rows
    .toSorted((a, b) => a.packetId - b.packetId)
    .map(({ packetId, accountId, ...packet }) => packetDeleted(accountId, packet, !unverified.has(packetId)));
}

/** Lets go of packets that now belong to published originals; they have not left custody. */
export async function releasePackets(write: Write, packetIds: readonly number[]): Promise<void> {
  await sql`delete from frame_packet where packet_id = any(${packetIds}::bigint[])`.execute(write);
}

/** The next BODYs in walk order after a frame that hold a packet: as many as one transaction publishes. */
export async function nextUnpublished(
  read: Read,
  sequenceId: string,
  after: number,
): Promise<readonly UnpublishedFrame[]> {
  const rows = await read
    .selectFrom("frame")
    .innerJoin("framePacket", "framePacket.packetId", "frame.packetId")
    .selectAll("framePacket")
    .where("frame.sequenceId", "=", sequenceId)
    .where("frame.frameId", ">", after)
    .orderBy("frame.frameId")
    .limit(CHUNK_FRAMES)
    .execute();
  return rows.map((row) => ({
    frameId: row.frameId,
    packetId: row.packetId,
    extraction: extractionOf(row),
  }));
}

/** Admissions whose intent is gone and whose packets are still there: their process died, or failed to drop them. */
export async function brokenAdmissions(
  read: Read,
): Promise<readonly { admissionId: string; accountId: string }[]> {
  const { rows } = await sql<{ admissionId: string; accountId: string }>`
    select distinct admission_id, account_id from frame_packet
    where admission_id is not null and not exists (select from engine_intent where intent_id = admission_id)`.execute(
    read,
  );
  return rows;
}
