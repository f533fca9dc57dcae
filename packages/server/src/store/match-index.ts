import { sql } from "kysely";
import type { Database, Read, Write } from "./database.ts";
import { writing } from "./database.ts";
import { affordableWords } from "./heavy-words.ts";

/** Originals a partition of `posting` holds: few and large, for a look-up descends into every one. */
const PARTITION_SIZE = 1_000_000;
/** A partition is made while there is still this much room in the last one. */
const HEADROOM = 250_000;
/** Originals that share fewer keys with a query than this are not looked at. */
const LEAST_SHARED = 2;
/** Originals that share the most keys, at most so many, go on to ranking. */
const MOST_CANDIDATES = 500;
const PARTITION_LOCK = 0x636c_7002;

/** A candidate of retrieval with its sealed registration packet. */
export interface IndexedPacket {
  readonly imageNo: number;
  readonly packetVersion: number;
  readonly sealed: Buffer;
}

/**
 * The live originals that share most retrieval keys with a query, best first, leaving out those named and the heaviest keys. `= any`
 * rather than a join with `unnest`, so that the vote also runs on foreign partitions. Packets come as base64: bytes would come as hexadecimal
 * text, which is half as long again.
 */
export async function retrieveCandidates(
  read: Read,
  keys: Int32Array,
  apartFrom: ReadonlySet<number>,
): Promise<readonly IndexedPacket[]> {
  const words = await affordableWords(read, keys);
  if (words.length < LEAST_SHARED) return [];
  const { rows } = await sql<{ image_no: number; packet_version: number; packet: string }>`
    select vote.image_no, feature.packet_version, encode(feature.packet, 'base64') as packet
    from (
      select image_no, count(*) as shared from posting
      where word = any(${words}::int[]) and image_no <> all(${[...apartFrom]}::int[])
      group by image_no having count(*) >= ${LEAST_SHARED} order by shared desc, image_no limit ${MOST_CANDIDATES}
    ) vote
    join original on original.image_no = vote.image_no and original.taken_down_at is null
    join feature on feature.image_no = vote.image_no
    order by vote.shared desc, vote.image_no`.execute(read);
  return rows.map((row) => ({
    imageNo: row.image_no,
    packetVersion: row.packet_version,
    sealed: Buffer.from(row.packet, "base64"),
  }));
}

/** What the index keeps of an original. */
export interface IndexedOriginal {
  readonly imageNo: number;
  /** Sealed. */
  readonly packet: Buffer;
  readonly packetVersion: number;
  readonly words: Int32Array;
}

/** Writes packets and postings of originals, one statement for each, the postings in the order of the index. */
export async function insertFeatures(write: Write, originals: readonly IndexedOriginal[]): Promise<void> {
  if (originals.length === 0) return;
  await sql`insert into feature (image_no, packet_version, packet, words)
    select image_no, packet_version, packet, words::int[] from unnest(
      ${originals.map((original) => original.imageNo)}::int[],
      ${originals.map((original) => original.packetVersion)}::int[],
      ${originals.map((original) => original.packet)}::bytea[],
      ${originals.map(({ words }) => `{${words.join(",")}}`)}::text[]
    ) as original (image_no, packet_version, packet, words)`.execute(write);
  const words: number[] = [];
  const numbers: number[] = [];
  for (const original of originals) {
    for (const word of original.words) {
      words.push(word);
      numbers.push(original.imageNo);
    }
  }
  await sql`insert into posting (word, image_no)
    select word, image_no from unnest(${words}::int[], ${numbers}::int[]) as posting (word, image_no)
    order by word, image_no`.execute(write);
}

/** Removes the packet and the postings of one original. */
export async function deleteFeatures(write: Write, imageNo: number): Promise<void> {
  const gone = await write
    .deleteFrom("feature")
    .where("image_no", "=", imageNo)
    .returning("words")
    .executeTakeFirst();
  if (!gone) return;
  await sql`delete from posting where image_no = ${imageNo} and word = any(${gone.words}::int[])`.execute(
    write,
  );
}

/**
 * Makes the next partition of the postings in good time. Idempotent, and safe in every process at once. What counts is where the partitions
 * end, not how many there are: an operator may have divided old ones, and moved them to other servers.
 */
export function ensurePartition(database: Database): Promise<void> {
  return writing(database, async (write) => {
    await sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`.execute(write);
    const { rows } = await sql<{ end: number; newest: number }>`select
      (select coalesce(max(substring(pg_get_expr(relpartbound, oid) from 'TO \\((\\d+)\\)')::int), 0)
        from pg_class join pg_inherits on inhrelid = oid where inhparent = 'posting'::regclass) as end,
      (select coalesce(max(image_no), 0)::int from original) as newest`.execute(write);
    const { end, newest } = rows[0] ?? { end: 0, newest: 0 };
    for (let from = end; from <= newest + HEADROOM; from += PARTITION_SIZE) {
      await sql
        .raw(
          `create table posting_${from / PARTITION_SIZE} partition of posting for values from (${from}) to (${from + PARTITION_SIZE})`,
        )
        .execute(write);
    }
  });
}
