import { type Selectable, sql } from "kysely";
import type { Extraction } from "../../engine/port.ts";
import type { Read, Write } from "../database.ts";
import type { CustodyEvent } from "../custody/ledgers.ts";
import type { FramePacketTable } from "../sequence-tables.ts";
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
  const { packet_id } = await write
    .insertInto("frame_packet")
    .values({
      account_id: accountId,
      sequence_id: sequenceId,
      frame_id: frameId,
      admission_id: admissionId,
      image_hash: extraction.imageHash,
      original_image_hash: extraction.originalImageHash,
      pixel_hash: extraction.pixelHash,
      packet_version: extraction.packetVersion,
      packet: extraction.packet,
      words: [...extraction.words],
    })
    .returning("packet_id")
    .executeTakeFirstOrThrow();
  return packet_id;
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
    .selectFrom("frame_packet")
    .select("packet_id")
    .where("admission_id", "=", admissionId)
    .execute();
  return rows.map((row) => row.packet_id);
}

/** Removes packets that no member has any more, looks whether they are gone, and says so in the ledger's words. */
export async function dropPackets(
  write: Write,
  packetIds: readonly number[],
): Promise<readonly CustodyEvent[]> {
  if (packetIds.length === 0) return [];
  const dropped = await sql<DroppedPacket>`
    delete from frame_packet where packet_id = any(${packetIds}::bigint[])
    returning packet_id, account_id, sequence_id, frame_id, image_hash, length(packet) as byte_length`.execute(
    write,
  );
  const left = await sql<{ packet_id: number }>`
    select packet_id from frame_packet where packet_id = any(${packetIds}::bigint[])`.execute(write);
  const unverified = new Set(left.rows.map((row) => row.packet_id));
  return dropped.rows
    .toSorted((a, b) => a.packet_id - b.packet_id)
    .map(({ packet_id, ...packet }) => packetGone(packet, !unverified.has(packet_id)));
}

type PacketFacts = Pick<
  CustodyEvent,
  "account_id" | "image_hash" | "sequence_id" | "frame_id" | "byte_length"
>;
type DroppedPacket = PacketFacts & { readonly packet_id: number };

/** The custody row of a packet that was removed. @param gone whether it was then looked for and not found */
export function packetGone(packet: PacketFacts, gone: boolean): CustodyEvent {
  return {
    ...packet,
    kind: gone ? "deleted" : "deleteUnverified",
    subject: "packet",
    check_name: gone ? "absent" : null,
  };
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
    .innerJoin("frame_packet", "frame_packet.packet_id", "frame.packet_id")
    .selectAll("frame_packet")
    .where("frame.sequence_id", "=", sequenceId)
    .where("frame.frame_id", ">", after)
    .orderBy("frame.frame_id")
    .limit(CHUNK_FRAMES)
    .execute();
  return rows.map((row) => ({
    frameId: row.frame_id,
    packetId: row.packet_id,
    extraction: extractionOf(row),
  }));
}

/** Admissions whose intent is gone and whose packets are still there: their process died, or failed to drop them. */
export async function brokenAdmissions(
  read: Read,
): Promise<readonly { admissionId: string; accountId: string }[]> {
  const { rows } = await sql<{ admissionId: string; accountId: string }>`
    select distinct admission_id as "admissionId", account_id as "accountId" from frame_packet
    where admission_id is not null and not exists (select from engine_intent where intent_id = admission_id)`.execute(
    read,
  );
  return rows;
}

function extractionOf(row: Selectable<FramePacketTable>): Extraction {
  return {
    originalImageHash: row.original_image_hash,
    imageHash: row.image_hash,
    pixelHash: row.pixel_hash,
    packet: row.packet,
    packetVersion: row.packet_version,
    words: Int32Array.from(row.words),
  };
}
