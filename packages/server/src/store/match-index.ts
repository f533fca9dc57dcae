import { sql } from "kysely";
import type { Read, Write } from "./database.ts";
import { affordableWords } from "./heavy-words.ts";

/** Originals that share fewer keys with a query than this are not looked at. */
const LEAST_SHARED = 2;
/** Originals that share the most keys, at most so many, go on to ranking. */
const MOST_CANDIDATES = 500;

/** A candidate of retrieval with its sealed registration packet. */
export interface IndexedPacket {
  readonly imageNo: number;
  readonly packetVersion: number;
  readonly sealed: Buffer;
}

/**
 * The live originals that share most retrieval keys with a query, best first, leaving out those named and the heaviest keys. Every
 * server counts its own postings: `= any` rather than a join with `unnest`, which would not be sent to another one.
 */
export async function retrieveCandidates(
  read: Read,
  keys: Int32Array,
  apartFrom: ReadonlySet<number>,
): Promise<readonly IndexedPacket[]> {
  const words = await affordableWords(read, keys);
  if (words.length < LEAST_SHARED) return [];
  const votesOf = (postings: string) => sql`select image_no, count(*) as shared from ${sql.table(postings)}
    where word = any(${words}::int[]) and image_no <> all(${[...apartFrom]}::int[])
    group by image_no having count(*) >= ${LEAST_SHARED}`;
  const { rows } = await sql<{ image_no: number; packet_version: number; packet: string }>`
    select vote.image_no, feature.packet_version, encode(feature.packet, 'base64') as packet
    from (
      select image_no, shared from (${votesOf("own_posting")} union all ${votesOf("remote_posting")}) counted
      order by shared desc, image_no limit ${MOST_CANDIDATES}
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
  await sql`insert into recent_posting (word, image_no)
    select word, image_no from unnest(${words}::int[], ${numbers}::int[]) as filed (word, image_no)
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
  for (const table of ["own_posting", "remote_posting"])
    await sql`delete from ${sql.table(table)} where image_no = ${imageNo} and word = any(${gone.words}::int[])`.execute(
      write,
    );
}
