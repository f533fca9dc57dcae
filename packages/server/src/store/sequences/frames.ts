import { ChainWalk, type CommitMember, type LinkedMember } from "@colophon/formats";
import { type Selectable, sql } from "kysely";
import type { ByteBudget } from "../../custody/body-budget.ts";
import type { Read, Write } from "../database.ts";
import type { FrameTable } from "../tables/sequence-tables.ts";
import type { SequenceRef } from "./sequences.ts";

/** A member of a chain with what the store has of it. */
export interface Member extends CommitMember {
  /** BLAKE3-256 of its image, lowercase hex; null without an image, and of an erratum. */
  readonly originalImageHash: string | null;
  /** Its packet, until it is published. */
  readonly packetId: number | null;
  /** The original it was published as. */
  readonly imageNo: number | null;
}

/** A range of frame ids, both ends included. */
interface Span {
  low: number;
  high: number;
}

/** Members that are read at once where a chain is gone through: a millisecond or two of the event loop. */
const PAGE = 250;
/** What a member takes of memory. */
const MEMBER_BYTES = 600;
/** What a gap or an erratum takes of memory until it is printed. */
const NOTED_BYTES = 200;

/**
 * Goes through a chain in pages: it may be of any length, and others have their turns in between.
 * @param room where its gaps and errata are counted
 * @throws Refusal serviceUnavailable when there is no room for them
 */
export async function walkChain(read: Read, sequenceId: string, room: ByteBudget): Promise<ChainWalk> {
  const walk = new ChainWalk();
  let noted = 0;
  for (let after = -1; ; ) {
    const rows = await read
      .selectFrom("frame")
      .select(["type", "frameId", "prev", "next", "erratum", "packetId", "imageNo"])
      .where("sequenceId", "=", sequenceId)
      .where("frameId", ">", after)
      .orderBy("frameId")
      .limit(PAGE)
      .execute();
    walk.take(rows.map(linkedMember));
    const now = walk.gaps.length + walk.errata.length;
    room.take(NOTED_BYTES * (now - noted));
    noted = now;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return walk;
    after = last.frameId;
  }
}

/** The whole chain, by frame id. */
export async function listMembers(read: Read, sequenceId: string): Promise<readonly Member[]> {
  const rows = await read
    .selectFrom("frame")
    .selectAll()
    .where("sequenceId", "=", sequenceId)
    .orderBy("frameId")
    .execute();
  return rows.map(memberOf);
}

/** The members that hold a packet, or were published as an original. */
export async function holdingMembers(read: Read, sequenceId: string): Promise<readonly Member[]> {
  const rows = await read
    .selectFrom("frame")
    .selectAll()
    .where("sequenceId", "=", sequenceId)
    .where((row) => row.or([row("packetId", "is not", null), row("imageNo", "is not", null)]))
    .execute();
  return rows.map(memberOf);
}

/** The member under a frame id. */
export async function findMember(read: Read, sequenceId: string, frameId: number): Promise<Member | null> {
  const row = await read
    .selectFrom("frame")
    .selectAll()
    .where("sequenceId", "=", sequenceId)
    .where("frameId", "=", frameId)
    .executeTakeFirst();
  return row ? memberOf(row) : null;
}

/**
 * The part of a chain that decides on a batch, by frame id: HEAD, END, what the frames span, and the members next to
 * that. Its cost follows what the batch spans, which may be all of the chain: it is read in pages.
 * @param room where they are counted
 * @throws Refusal serviceUnavailable when there is no room for them
 */
export async function membersAround(
  write: Write,
  sequenceId: string,
  batch: readonly Pick<Member, "frameId" | "prev" | "next">[],
  room: ByteBudget,
): Promise<readonly Member[]> {
  const spans = merged(
    batch.map(({ frameId, prev, next }) => ({ low: prev ?? frameId, high: next ?? frameId + 1 })),
  );
  await sql`
    declare around no scroll cursor for
    with span as materialized (
      select
        (select max(frame_id) from frame where sequence_id = ${sequenceId} and frame_id <= low) as low,
        (select min(frame_id) from frame where sequence_id = ${sequenceId} and frame_id >= high) as high
      from unnest(
        ${spans.map((span) => span.low)}::bigint[], ${spans.map((span) => span.high)}::bigint[]
      ) as span (low, high)
    )
    select frame.* from span join frame on frame.sequence_id = ${sequenceId}
      and frame.frame_id between span.low and coalesce(span.high, 4294967295)
    union
    select * from frame where sequence_id = ${sequenceId} and frame_id = 0
    union
    select * from frame where sequence_id = ${sequenceId} and type = 'END'
    order by frame_id`.execute(write);
  const members: Member[] = [];
  for (;;) {
    const { rows } = await sql<Selectable<FrameTable>>`fetch forward ${sql.lit(PAGE)} from around`.execute(
      write,
    );
    room.take(MEMBER_BYTES * rows.length);
    members.push(...rows.map(memberOf));
    if (rows.length < PAGE) break;
  }
  await sql`close around`.execute(write);
  return members;
}

/** Spans in order, those that overlap or touch as one. */
function merged(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.low - b.low)) {
    const last = result.at(-1);
    if (last && span.low <= last.high) last.high = Math.max(last.high, span.high);
    else result.push({ ...span });
  }
  return result;
}

/**
 * Adds members to a chain.
 * @returns the ids of those that were added: a frame hash that the account holds already is not
 */
export async function insertMembers(
  write: Write,
  { accountId, sequenceId }: SequenceRef,
  members: readonly Omit<Member, "holdsPacket">[],
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ frameId: number }>`
    insert into frame (sequence_id, account_id, frame_id, type, prev, next, frame_hash, erratum, original_image_hash,
      packet_id)
    select ${sequenceId}::uuid, ${accountId}::uuid, frame_id, type, prev, next, decode(frame_hash, 'hex'),
      decode(erratum, 'hex'), decode(original_image_hash, 'hex'), packet_id
    from unnest(
      ${members.map((member) => member.frameId)}::bigint[], ${members.map((member) => member.type)}::text[],
      ${members.map((member) => member.prev)}::bigint[], ${members.map((member) => member.next)}::bigint[],
      ${members.map((member) => member.frameHash)}::text[], ${members.map((member) => member.erratum)}::text[],
      ${members.map((member) => member.originalImageHash)}::text[],
      ${members.map((member) => member.packetId)}::bigint[]
    ) as member (frame_id, type, prev, next, frame_hash, erratum, original_image_hash, packet_id)
    on conflict (account_id, frame_hash) do nothing
    returning frame_id`.execute(write);
  return new Set(rows.map((row) => row.frameId));
}

/** Removes members from a chain; their packets and originals stay. */
export async function deleteMembers(
  write: Write,
  sequenceId: string,
  frameIds: readonly number[],
): Promise<void> {
  await sql`delete from frame where sequence_id = ${sequenceId} and frame_id = any(${frameIds}::bigint[])`.execute(
    write,
  );
}

/** Removes every member but HEAD from a chain; their packets and originals stay. */
export async function deleteAllMembers(write: Write, sequenceId: string): Promise<void> {
  await write.deleteFrom("frame").where("sequenceId", "=", sequenceId).where("type", "!=", "HEAD").execute();
}

/** Notes what members were published as; they have no packet of their own from then on. */
export async function setPublished(
  write: Write,
  sequenceId: string,
  published: readonly { frameId: number; imageNo: number }[],
): Promise<void> {
  await sql`update frame set image_no = published.image_no, packet_id = null
    from unnest(
      ${published.map((frame) => frame.frameId)}::bigint[], ${published.map((frame) => frame.imageNo)}::int[]
    ) as published (frame_id, image_no)
    where sequence_id = ${sequenceId} and frame.frame_id = published.frame_id`.execute(write);
}

/** Those of the packets that members have, locked as the sequence is. */
export async function heldPackets(read: Read, packetIds: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ packetId: number }>`
    select packet_id from frame where packet_id = any(${packetIds}::bigint[])`.execute(read);
  return new Set(rows.map((row) => row.packetId));
}

function linkedMember({
  type,
  frameId,
  prev,
  next,
  erratum,
  packetId,
  imageNo,
}: Omit<
  Selectable<FrameTable>,
  "sequenceId" | "accountId" | "frameHash" | "originalImageHash"
>): LinkedMember {
  const holdsPacket = packetId !== null || imageNo !== null;
  return { type, frameId, prev, next, erratum: erratum?.toString("hex") ?? null, holdsPacket };
}

function memberOf(row: Selectable<FrameTable>): Member {
  return {
    ...linkedMember(row),
    frameHash: row.frameHash.toString("hex"),
    originalImageHash: row.originalImageHash?.toString("hex") ?? null,
    packetId: row.packetId,
    imageNo: row.imageNo,
  };
}
