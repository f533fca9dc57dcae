import { type RawBuilder, sql } from "kysely";
import { copiedRows } from "../copied-rows.ts";
import type { Database, Read, Write } from "../database.ts";
import type { PacketCustody } from "../custody/events.ts";
import { affordableWords } from "./heavy-words.ts";
import { packWords, unpackWords } from "./packed-words.ts";

/** Originals that share fewer keys with a query than this are not looked at. */
const LEAST_SHARED = 2;
/** Originals that share the most keys, at most so many, go on to ranking. */
const MOST_CANDIDATES = 500;

/** How many keys an original shares at least, and how many originals are named at most. */
interface Limits {
  readonly least: number;
  readonly most: number;
}

const USUAL: Limits = { least: LEAST_SHARED, most: MOST_CANDIDATES };
const NONE: ReadonlySet<number> = new Set();

/**
 * Bytes of posting lists that one look-up reads, those of the lightest words first: some 50,000 postings, about 50 ms. So that a look-up costs
 * no more than that however many originals there are. The heaviest words tell least.
 */
const LIST_BYTES = 200_000;
/** What a posting of a list weighs: its bytes on other servers, whose lists are of whole numbers. */
const POSTING_BYTES = 4;

/** A candidate of retrieval with its sealed ranking part; null where it has none yet. */
export interface IndexedCandidate {
  readonly imageNo: number;
  readonly part: Buffer | null;
}

/** The originals that share most retrieval keys with a query, but those set aside, best first, leaving out those named and the heaviest keys. */
export async function retrieveCandidates(
  database: Database,
  keys: Int32Array,
  apartFrom: ReadonlySet<number>,
): Promise<readonly IndexedCandidate[]> {
  const words = await affordableWords(database, keys);
  if (words.length < LEAST_SHARED) return [];
  const rows = await copiedRows(database, vote(words, apartFrom).compile(database).sql);
  return rows.map(({ no, bytes }) => ({ imageNo: no, part: bytes }));
}

/** The originals that share most words with one, but that one and those set aside, at most so many: their sealed packets by number. */
export async function packetsNear(
  database: Database,
  { imageNo, words }: Pick<CopiedOriginal, "imageNo" | "words">,
  most: number,
): Promise<ReadonlyMap<number, Buffer>> {
  const affordable = await affordableWords(database, words);
  if (affordable.length < LEAST_SHARED) return new Map();
  const near = sql`select near.image_no, packet from (
      ${mostShared(affordable, new Set([imageNo]))} limit ${sql.lit(most)}
    ) near join feature on feature.image_no = near.image_no order by shared desc, near.image_no`;
  const rows = await copiedRows(database, near.compile(database).sql);
  return new Map(rows.flatMap(({ no, bytes }) => (bytes === null ? [] : [[no, bytes]])));
}

/** An original that shares keys of the whole picture with a query: its sealed packet, and the words of its points. */
export interface CopiedOriginal {
  readonly imageNo: number;
  readonly sealed: Buffer;
  readonly words: Int32Array;
}

/** The one live original that shares keys of the whole picture with a query; null when there is none, or more than one. */
export async function retrieveCopied(database: Database, keys: Int32Array): Promise<CopiedOriginal | null> {
  const { rows } = await sql<{ imageNo: number; packet: Buffer; words: Buffer }>`
    with found as materialized (${mostShared([...keys], NONE, { least: 1, most: 2 })})
    select image_no, packet, words from feature
    where image_no in (select image_no from found) and (select count(*) from found) = 1`.execute(database);
  const [found] = rows;
  if (found === undefined) return null;
  // Negative ones are of the whole picture.
  const words = unpackWords(found.words).filter((word) => word >= 0);
  return { imageNo: found.imageNo, sealed: found.packet, words };
}

/** All that the index files originals under. */
export async function filedUnder(read: Read, imageNos: readonly number[]): Promise<readonly number[]> {
  if (imageNos.length === 0) return [];
  const rows = await read.selectFrom("feature").select("words").where("imageNo", "in", imageNos).execute();
  return rows.flatMap(({ words }) => [...unpackWords(words)]);
}

/** The statement that finds the originals sharing most words, and their ranking parts. Without parameters, which COPY does not take. */
export function vote(
  words: readonly number[],
  apartFrom: ReadonlySet<number>,
  limits?: Limits,
): RawBuilder<{ imageNo: number; part: Buffer | null }> {
  return sql`select vote.image_no, part from (${mostShared(words, apartFrom, limits)}) vote
    left join ranking_part on ranking_part.image_no = vote.image_no order by shared desc, vote.image_no`;
}

/**
 * The originals sharing most words, best first. Every server counts its own postings, of the words that the lists of all of them together leave
 * affordable: `= any` rather than a join with `unnest`, which would not be sent to another one.
 */
function mostShared(
  words: readonly number[],
  apartFrom: ReadonlySet<number>,
  { least, most }: Limits = USUAL,
): RawBuilder<{ imageNo: number; shared: number }> {
  const asked = sql`word = any(${array(words)})`;
  const others = apartFrom.size === 0 ? sql`true` : sql`image_no <> all(${array(apartFrom)})`;
  const counted = sql`${others} group by image_no having count(*) >= ${sql.lit(least)}`;
  return sql`with list as materialized (
      select word, begins_at, numbers, length(numbers) / 3 * ${sql.lit(POSTING_BYTES)} as bytes
      from posting_list where ${asked}
    ), weight as (
      select word, bytes from list union all select word, bytes from remote_list where ${asked}
    ), too_heavy as materialized (
      select word from (
        select word, sum(sum(bytes)) over (order by sum(bytes), word) as together from weight group by word
      ) weighed where together > ${sql.lit(LIST_BYTES)}
    )
    select image_no, shared from (
      select image_no, shared from (
        select image_no, count(*) as shared from (
          select image_no from recent_posting where ${asked} and word not in (select word from too_heavy)
          union all
          select listed.image_no from list cross join lateral listed_numbers(begins_at, numbers) as listed (image_no)
            where word not in (select word from too_heavy)
        ) own where ${counted}
        union all
        select image_no, count(*) as shared from remote_posting where word = any(array(
          select word from unnest(${array(words)}) as word where word not in (select word from too_heavy)
        )) and ${counted}
      ) counted
      order by shared desc, image_no limit ${sql.lit(most)}
    ) vote
    where not exists (
      select from original where original.image_no = vote.image_no and original.set_aside_at is not null
    )
    order by shared desc, image_no`;
}

function array(numbers: Iterable<number>): RawBuilder<unknown> {
  return sql.raw(`'{${[...numbers].join(",")}}'::int[]`);
}

/** What the index keeps of an original. */
export interface IndexedOriginal {
  readonly imageNo: number;
  /** Sealed. */
  readonly packet: Buffer;
  readonly packetVersion: number;
  /** Sealed; null when the packet cannot be read. */
  readonly part: Buffer | null;
  readonly words: Int32Array;
}

/** Writes packets, ranking parts and postings of originals, the postings in the order of the index. */
export async function insertFeatures(write: Write, originals: readonly IndexedOriginal[]): Promise<void> {
  if (originals.length === 0) return;
  // Bytes that are values of their own go out as they are, those of an array in hexadecimal.
  const features = originals.map(({ imageNo, packetVersion, packet, words }) => ({
    imageNo,
    packetVersion,
    packet,
    words: packWords(words),
  }));
  const filed = write.insertInto("feature").values(features);
  const parts = originals.flatMap(({ imageNo, part }) => (part === null ? [] : [{ imageNo, part }]));
  const ranked =
    parts.length === 0 ? sql`` : sql`, ranked as (${write.insertInto("rankingPart").values(parts)})`;
  const words = originals.map((original) => `{${original.words.join(",")}}`);
  await sql`with filed as (${filed})${ranked}
    insert into recent_posting (word, image_no)
    select word, image_no from unnest(${originals.map(({ imageNo }) => imageNo)}::int[], ${words}::text[])
      as original (image_no, words) cross join lateral unnest(words::int[]) as word
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

/** Removes the packet, the ranking part and the postings of one original; those on other servers once the sweep reaches them. */
export async function deleteFeatures(write: Write, imageNo: number): Promise<void> {
  const gone = await write
    .deleteFrom("feature")
    .where("imageNo", "=", imageNo)
    .returning("words")
    .executeTakeFirst();
  if (!gone) return;
  await write.deleteFrom("rankingPart").where("imageNo", "=", imageNo).execute();
  const words = [...unpackWords(gone.words)];
  await sql`delete from own_posting where image_no = ${imageNo} and word = any(${words}::int[])`.execute(
    write,
  );
  await sql`insert into posting_removal (image_no, words) select ${imageNo}, ${words}::int[]
    from index_part where begins_at <= ${imageNo} and ends_at > ${imageNo}`.execute(write);
}
