import { type RawBuilder, sql } from "kysely";
import { type CopiedRow, copiedRows } from "../copied-rows.ts";
import type { Database, Read, Write } from "../database.ts";
import type { PacketCustody } from "../custody/events.ts";
import { packWords, unpackWords } from "./packed-words.ts";
import { readPostings } from "./postings.ts";
import { elected, LEAST_SHARED, MOST_CANDIDATES } from "./vote.ts";

/** Postings that one statement removes; a word's own are never divided. */
const STRETCH = 20_000;

/** A candidate of retrieval with its sealed ranking part; null where it has none yet. */
export interface IndexedCandidate {
  readonly imageNo: number;
  readonly part: Buffer | null;
}

/**
 * The originals that share most with the retrieval keys of a query, but those set aside, best first, leaving out those
 * named and the heaviest keys.
 */
export async function retrieveCandidates(
  database: Database,
  keys: Int32Array,
  apartFrom: ReadonlySet<number>,
): Promise<readonly IndexedCandidate[]> {
  const imageNos = await sharingMost(database, keys, apartFrom, MOST_CANDIDATES);
  const rows = await copiedOf(database, imageNos, sql`left join ranking_part`, sql`part`);
  return rows.map(({ no, bytes }) => ({ imageNo: no, part: bytes }));
}

/**
 * The originals that share most with the words of one, but that one and those set aside, at most so many: their sealed
 * packets by number.
 */
export async function packetsNear(
  database: Database,
  { imageNo, words }: Pick<CopiedOriginal, "imageNo" | "words">,
  most: number,
): Promise<ReadonlyMap<number, Buffer>> {
  const near = await sharingMost(database, words, new Set([imageNo]), most);
  const rows = await copiedOf(database, near, sql`join feature`, sql`packet`);
  return new Map(rows.flatMap(({ no, bytes }) => (bytes === null ? [] : [[no, bytes]])));
}

/** Numbers of the originals that share most with some words, best first, those set aside as well. */
async function sharingMost(
  database: Database,
  keys: Int32Array,
  apartFrom: ReadonlySet<number>,
  most: number,
): Promise<readonly number[]> {
  if (keys.length < LEAST_SHARED) return [];
  return elected(await readPostings(database, keys), { least: LEAST_SHARED, most, apartFrom });
}

/** What a table has of some originals but those set aside, in the order given. */
async function copiedOf(
  database: Database,
  imageNos: readonly number[],
  joined: RawBuilder<unknown>,
  bytes: RawBuilder<unknown>,
): Promise<readonly CopiedRow[]> {
  if (imageNos.length === 0) return [];
  const numbers = sql.raw(`'{${imageNos.join(",")}}'::int[]`);
  const statement = sql`select image_no, ${bytes}
    from unnest(${numbers}) with ordinality as named (image_no, at) ${joined} using (image_no)
    where not exists (
      select from original where original.image_no = named.image_no and original.set_aside_at is not null
    ) order by at`;
  return copiedRows(database, statement.compile(database).sql);
}

/** An original that shares keys of the whole picture with a query: its sealed packet, and the words of its points. */
export interface CopiedOriginal {
  readonly imageNo: number;
  readonly sealed: Buffer;
  readonly words: Int32Array;
}

/**
 * The one live original that shares keys of the whole picture with a query; null when there is none, or more than one.
 */
export async function retrieveCopied(database: Database, keys: Int32Array): Promise<CopiedOriginal | null> {
  const { rows } = await sql<{ imageNo: number; packet: Buffer; words: Buffer }>`
    with found as materialized (
      select distinct image_no from posting
      where word = any(${[...keys]}::int[]) and not exists (
        select from original where original.image_no = posting.image_no and original.set_aside_at is not null
      ) limit 2
    )
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

/**
 * Removes the packets, the ranking parts and the postings of originals; postings on other servers once the sweep
 * reaches them. All that one transaction removes is one call, so that lists of postings are locked in the order of the
 * index.
 */
export async function deleteFeatures(write: Write, imageNos: readonly number[]): Promise<void> {
  const named = sql<number>`any(${imageNos}::int[])`;
  const rows = await write
    .deleteFrom("feature")
    .where("imageNo", "=", named)
    .returning(["imageNo", "words"])
    .execute();
  const gone = rows.map(({ imageNo, words }) => ({ imageNo, words: unpackWords(words) }));
  await write.deleteFrom("rankingPart").where("imageNo", "=", named).execute();
  await removePostings(write, gone);
  for (const { imageNo, words } of gone) {
    await sql`insert into posting_removal (image_no, words) select ${imageNo}, ${[...words]}::int[]
      from index_part where begins_at <= ${imageNo} and ends_at > ${imageNo}`.execute(write);
  }
}

/**
 * Removes postings in the order of the words over all originals, a stretch of words in each statement: a sequence may
 * end with millions of them.
 */
async function removePostings(
  write: Write,
  gone: readonly { readonly imageNo: number; readonly words: Int32Array }[],
): Promise<void> {
  const all = new Int32Array(gone.reduce((sum, { words }) => sum + words.length, 0));
  let filled = 0;
  for (const { words } of gone) {
    all.set(words, filled);
    filled += words.length;
  }
  all.sort();
  const next = gone.map(() => 0);
  for (let done = 0; done < all.length; done += STRETCH) {
    const last = all[Math.min(done + STRETCH, all.length) - 1]!;
    const [numbers, words]: [number[], number[]] = [[], []];
    for (const [n, original] of gone.entries()) {
      for (; next[n]! < original.words.length && original.words[next[n]!]! <= last; next[n]! += 1) {
        numbers.push(original.imageNo);
        words.push(original.words[next[n]!]!);
      }
    }
    if (words.length > 0) {
      await sql`select remove_postings(${numbers}::int[], ${words}::int[])`.execute(write);
    }
  }
}
