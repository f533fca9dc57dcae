import { sql } from "kysely";
import type { Read, Write } from "../database.ts";
import type { Extraction } from "./extraction.ts";

/** A live original. */
export interface LiveOriginal {
  readonly imageNo: number;
  readonly originalImageHash: Buffer;
  /** SHA-256 of its bytes. */
  readonly imageHash: Buffer;
  /** Upright size, pixels; null of one registered before sizes were kept. */
  readonly width: number | null;
  readonly height: number | null;
}

type OriginalColumns = Pick<Extraction, "originalImageHash" | "imageHash" | "pixelHash" | "width" | "height">;

/** Originals that are live. */
const liveOriginals = (read: Read) =>
  read
    .selectFrom("original")
    .select(["imageNo", "originalImageHash", "imageHash", "width", "height"])
    .where("takenDownAt", "is", null);

/** The live original registered with exactly these bytes; its SHA-256 is the key. */
export async function liveOriginalByImage(read: Read, imageHash: Buffer): Promise<LiveOriginal | null> {
  const row = await liveOriginals(read).where("imageHash", "=", imageHash).executeTakeFirst();
  return row ?? null;
}

/** What a picture was found to be like. */
export interface Likeness {
  /** SHA-256 of its bytes. */
  readonly imageHash: Buffer;
  readonly pixelHash: Uint8Array;
  /** Numbers of the originals that it shows. */
  readonly shown: readonly number[];
}

/**
 * The live originals of exactly these bytes, those that decode to exactly these pixels, but for what is set aside, and
 * those that are shown; in the order of their numbers.
 */
export async function liveOriginalsLike(
  read: Read,
  { imageHash, pixelHash, shown }: Likeness,
): Promise<readonly (LiveOriginal & { readonly pixelHash: Buffer })[]> {
  return liveOriginals(read)
    .select("pixelHash")
    .where(
      sql<boolean>`(image_hash = ${imageHash} or pixel_hash = ${Buffer.from(pixelHash)} and set_aside_at is null
        or image_no = any(${shown}::int[]))`,
    )
    .orderBy("imageNo")
    .execute();
}

/** The next live originals after a number, in order. */
export function liveOriginalsAfter(
  read: Read,
  imageNo: number,
  limit: number,
): Promise<readonly LiveOriginal[]> {
  return liveOriginals(read).where("imageNo", ">", imageNo).orderBy("imageNo").limit(limit).execute();
}

/** Those of the numbered originals that are still live, in the order given. */
export async function liveOriginalsByNumber(
  read: Read,
  numbers: readonly number[],
): Promise<readonly LiveOriginal[]> {
  if (numbers.length === 0) return [];
  const rows = await liveOriginals(read).where(sql<boolean>`image_no = any(${numbers}::int[])`).execute();
  const byNumber = new Map(rows.map((row) => [row.imageNo, row]));
  return numbers.flatMap((number) => {
    const row = byNumber.get(number);
    return row ? [row] : [];
  });
}

/**
 * Writes originals that go live with the transaction, in the order of their image hashes, so that no two batches wait
 * for each other in a ring. Waits for a registration of the same bytes that is under way, and yields to it.
 * @returns the numbers of those written, by image hash in hex
 */
export async function insertOriginals(
  write: Write,
  accountId: string,
  originals: readonly OriginalColumns[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ imageNo: number; imageHash: Buffer }>`
    insert into original (original_image_hash, image_hash, pixel_hash, width, height, account_id)
    select original_image_hash, image_hash, pixel_hash, width, height, ${accountId}::uuid from unnest(
      ${originals.map((original) => original.originalImageHash)}::bytea[],
      ${originals.map((original) => original.imageHash)}::bytea[],
      ${originals.map((original) => original.pixelHash)}::bytea[],
      ${originals.map((original) => original.width)}::int[],
      ${originals.map((original) => original.height)}::int[]
    ) as original (original_image_hash, image_hash, pixel_hash, width, height)
    order by image_hash
    on conflict (image_hash) where taken_down_at is null do nothing
    returning image_no, image_hash`.execute(write);
  return new Map(rows.map((row) => [row.imageHash.toString("hex"), row.imageNo]));
}

/** Ends a live original; its row stays as the tombstone. */
export async function endOriginal(write: Write, imageNo: number): Promise<void> {
  await write
    .updateTable("original")
    .set({ takenDownAt: sql<Date>`now()` })
    .where("imageNo", "=", imageNo)
    .execute();
}

/**
 * Sets a live original aside, so that it answers equal bytes alone, or lets it match by content again.
 * @returns whose it is and whether that changed it, or null when no live original has this hash
 */
export async function changeSetAside(
  write: Write,
  originalImageHash: Buffer,
  isAside: boolean,
): Promise<{ readonly accountId: string; readonly isChanged: boolean } | null> {
  const row = await write
    .selectFrom("original")
    .select(["imageNo", "accountId", "setAsideAt"])
    .where("originalImageHash", "=", originalImageHash)
    .where("takenDownAt", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  const isChanged = (row.setAsideAt !== null) !== isAside;
  if (isChanged) {
    await write
      .updateTable("original")
      .set({ setAsideAt: isAside ? sql<Date>`now()` : null })
      .where("imageNo", "=", row.imageNo)
      .execute();
  }
  return { accountId: row.accountId, isChanged };
}

/** Numbers of the live originals with this hash, or of this account, in order. */
export async function liveOriginalsHeld(
  read: Read,
  held: { readonly originalImageHash: string } | { readonly accountId: string },
  limit: number,
): Promise<readonly number[]> {
  const live = read.selectFrom("original").select("imageNo").where("takenDownAt", "is", null);
  const rows = await ("accountId" in held
    ? live.where("accountId", "=", held.accountId)
    : live.where("originalImageHash", "=", Buffer.from(held.originalImageHash, "hex"))
  )
    .orderBy("imageNo")
    .limit(limit)
    .execute();
  return rows.map(({ imageNo }) => imageNo);
}

/**
 * Ends a live original, no matter who holds it, and its registration if it has one; the tombstones stay.
 * @returns whose it was; null when it is not live any more
 */
export async function endHeldOriginal(
  write: Write,
  imageNo: number,
): Promise<{ readonly accountId: string; readonly originalImageHash: Buffer } | null> {
  // In the order of an account's own take-down: the registration's row, then the original's.
  await write
    .updateTable("registration")
    .set({ takenDownAt: sql<Date>`now()` })
    .where("imageNo", "=", imageNo)
    .where("takenDownAt", "is", null)
    .execute();
  const ended = await write
    .updateTable("original")
    .set({ takenDownAt: sql<Date>`now()` })
    .where("imageNo", "=", imageNo)
    .where("takenDownAt", "is", null)
    .returning(["accountId", "originalImageHash"])
    .executeTakeFirst();
  return ended ?? null;
}
