import { type RawBuilder, sql } from "kysely";
import type { Database, Read, Write } from "../database.ts";
import type { PacketCustody } from "../custody/events.ts";
import { affordableWords } from "./heavy-words.ts";
import { sealedPackets } from "../originals/sealed-packets.ts";

/** Originals that share fewer keys with a query than this are not looked at. */
const LEAST_SHARED = 2;
/** Originals that share the most keys, at most so many, go on to ranking. */
const MOST_CANDIDATES = 500;

/** A candidate of retrieval with its sealed registration packet. */
export interface IndexedPacket {
  readonly imageNo: number;
  readonly sealed: Buffer;
}

/** The live originals, but those set aside, that share most retrieval keys with a query, best first, leaving out those named and the heaviest keys. */
export async function retrieveCandidates(
  database: Database,
  keys: Int32Array,
  apartFrom: ReadonlySet<number>,
): Promise<readonly IndexedPacket[]> {
  const words = await affordableWords(database, keys);
  if (words.length < LEAST_SHARED) return [];
  const { rows } = await vote(words, apartFrom).execute(database);
  const packets = await sealedPackets(
    database,
    rows.map((row) => row.imageNo),
  );
  return rows.flatMap(({ imageNo }) => {
    const sealed = packets.get(imageNo);
    return sealed === undefined ? [] : [{ imageNo, sealed }];
  });
}

/**
 * The statement that finds the originals sharing most words. Every server counts its own postings: `= any` rather than a join with
 * `unnest`, which would not be sent to another one.
 */
export function vote(
  words: readonly number[],
  apartFrom: ReadonlySet<number>,
): RawBuilder<{ imageNo: number }> {
  const countIn = (postings: string): RawBuilder<unknown> => sql`select image_no, count(*) as shared
    from ${sql.table(postings)}
    where word = any(${words}::int[]) and image_no <> all(${[...apartFrom]}::int[])
    group by image_no having count(*) >= ${LEAST_SHARED}`;
  return sql`select vote.image_no from (
      select image_no, shared from (${countIn("ownPosting")} union all ${countIn("remotePosting")}) counted
      order by shared desc, image_no limit ${MOST_CANDIDATES}
    ) vote
    join original on original.image_no = vote.image_no
      and original.taken_down_at is null and original.set_aside_at is null
    order by vote.shared desc, vote.image_no`;
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
  await sql`insert into recent_posting (word, image_no)
    select word, image_no from unnest(${words}::int[], ${numbers}::int[]) as filed (word, image_no)
    order by word, image_no`.execute(write);
}

/** An original's packet as the ledger knows it, and whose it is; its length is 0 where there is no packet. */
export async function packetInCustody(
  read: Read,
  imageNo: number,
): Promise<{ accountId: string; packet: PacketCustody }> {
  const { accountId, byteLength, ...facts } = await read
    .selectFrom("original")
    .leftJoin("feature", "feature.imageNo", "original.imageNo")
    .select(["original.accountId", "original.imageHash", "original.sequenceId", "original.frameId"])
    .select((column) => column.fn<number | null>("length", ["feature.packet"]).as("byteLength"))
    .where("original.imageNo", "=", imageNo)
    .executeTakeFirstOrThrow();
  return { accountId, packet: { ...facts, byteLength: byteLength ?? 0 } };
}

/** Whether the index has the packet of an original. */
export async function hasFeatures(read: Read, imageNo: number): Promise<boolean> {
  const row = await read
    .selectFrom("feature")
    .select("imageNo")
    .where("imageNo", "=", imageNo)
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes the packet and the postings of one original. */
export async function deleteFeatures(write: Write, imageNo: number): Promise<void> {
  const gone = await write
    .deleteFrom("feature")
    .where("imageNo", "=", imageNo)
    .returning("words")
    .executeTakeFirst();
  if (!gone) return;
  for (const table of ["ownPosting", "remotePosting"])
    await sql`delete from ${sql.table(table)} where image_no = ${imageNo} and word = any(${gone.words}::int[])`.execute(
      write,
    );
}
