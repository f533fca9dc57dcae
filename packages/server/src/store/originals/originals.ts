import { sql } from "kysely";
import type { Read, Write } from "../database.ts";
import { isUuid } from "../accounts/accounts.ts";

/** A live original. */
export interface LiveOriginal {
  readonly imageNo: number;
  readonly originalImageHash: Buffer;
  /** SHA-256 of its bytes. */
  readonly imageHash: Buffer;
}

/** The live original registered with exactly these bytes; its SHA-256 is the key. */
export async function liveOriginalByImage(read: Read, imageHash: Buffer): Promise<LiveOriginal | null> {
  const row = await read
    .selectFrom("original")
    .select(["image_no", "original_image_hash", "image_hash"])
    .where("image_hash", "=", imageHash)
    .where("taken_down_at", "is", null)
    .executeTakeFirst();
  return row ? live(row) : null;
}

/** The live originals that decode to exactly these pixels. */
export async function liveOriginalsByPixels(
  read: Read,
  pixelHash: Uint8Array,
): Promise<readonly LiveOriginal[]> {
  const rows = await read
    .selectFrom("original")
    .select(["image_no", "original_image_hash", "image_hash"])
    .where("pixel_hash", "=", Buffer.from(pixelHash))
    .where("taken_down_at", "is", null)
    .orderBy("image_no")
    .execute();
  return rows.map(live);
}

/** Those of the numbered originals that are still live, in the order given. */
export async function liveOriginalsByNumber(
  read: Read,
  numbers: readonly number[],
): Promise<readonly LiveOriginal[]> {
  if (numbers.length === 0) return [];
  const rows = await read
    .selectFrom("original")
    .select(["image_no", "original_image_hash", "image_hash"])
    .where(sql<boolean>`image_no = any(${numbers}::int[])`)
    .where("taken_down_at", "is", null)
    .execute();
  const byNumber = new Map(rows.map((row) => [row.image_no, row]));
  return numbers.flatMap((number) => {
    const row = byNumber.get(number);
    return row ? [live(row)] : [];
  });
}

function live(row: { image_no: number; original_image_hash: Buffer; image_hash: Buffer }): LiveOriginal {
  return { imageNo: row.image_no, originalImageHash: row.original_image_hash, imageHash: row.image_hash };
}

/**
 * Writes originals that go live with the transaction, in the order of their image hashes, so that no two batches wait
 * for each other in a ring. Waits for a registration of the same bytes that is under way, and yields to it.
 * @returns the numbers of those written, by image hash in hex
 */
export async function insertOriginals(
  write: Write,
  accountId: string,
  originals: readonly { originalImageHash: Buffer; imageHash: Buffer; pixelHash: Buffer }[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ image_no: number; image_hash: Buffer }>`
    insert into original (original_image_hash, image_hash, pixel_hash, account_id)
    select original_image_hash, image_hash, pixel_hash, ${accountId}::uuid from unnest(
      ${originals.map((original) => original.originalImageHash)}::bytea[],
      ${originals.map((original) => original.imageHash)}::bytea[],
      ${originals.map((original) => original.pixelHash)}::bytea[]
    ) as original (original_image_hash, image_hash, pixel_hash)
    order by image_hash
    on conflict (image_hash) where taken_down_at is null do nothing
    returning image_no, image_hash`.execute(write);
  return new Map(rows.map((row) => [row.image_hash.toString("hex"), row.image_no]));
}

/** The account's own live registrations of exactly these bytes, by image hash in hex. */
export async function ownRegistrationsByImage(
  read: Read,
  accountId: string,
  imageHashes: readonly Buffer[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await read
    .selectFrom("registration")
    .innerJoin("original", "original.image_no", "registration.image_no")
    .select(["registration_id", "image_hash"])
    .where("registration.account_id", "=", accountId)
    .where("original.taken_down_at", "is", null)
    .where(sql<boolean>`image_hash = any(${imageHashes}::bytea[])`)
    .execute();
  return new Map(rows.map((row) => [row.image_hash.toString("hex"), row.registration_id]));
}

/** The account's own live registrations of the given originals, in the order of the originals. */
export async function ownRegistrations(
  read: Read,
  accountId: string,
  matches: readonly Pick<LiveOriginal, "imageNo">[],
): Promise<readonly string[]> {
  if (matches.length === 0) return [];
  const numbers = matches.map((match) => match.imageNo);
  const rows = await read
    .selectFrom("registration")
    .select(["registration_id", "image_no"])
    .where("account_id", "=", accountId)
    .where("taken_down_at", "is", null)
    .where(sql<boolean>`image_no = any(${numbers}::int[])`)
    .execute();
  return rows
    .toSorted((a, b) => numbers.indexOf(a.image_no) - numbers.indexOf(b.image_no))
    .map((row) => row.registration_id);
}

/** Notes live registrations of originals. */
export async function insertRegistrations(
  write: Write,
  accountId: string,
  registrations: readonly { registrationId: string; imageNo: number }[],
): Promise<void> {
  if (registrations.length === 0) return;
  await write
    .insertInto("registration")
    .values(
      registrations.map(({ registrationId, imageNo }) => ({
        registration_id: registrationId,
        account_id: accountId,
        image_no: imageNo,
        taken_down_at: null,
      })),
    )
    .execute();
}

/**
 * Ends a live registration of the account and with it its original; the tombstones stay.
 * @returns the original's number, or null when the account has no such live registration
 */
export async function endRegistration(
  write: Write,
  accountId: string,
  registrationId: string,
): Promise<number | null> {
  if (!isUuid(registrationId)) return null;
  const ended = await write
    .updateTable("registration")
    .set({ taken_down_at: sql<Date>`now()` })
    .where("registration_id", "=", registrationId)
    .where("account_id", "=", accountId)
    .where("taken_down_at", "is", null)
    .returning("image_no")
    .executeTakeFirst();
  if (!ended) return null;
  await endOriginal(write, ended.image_no);
  return ended.image_no;
}

/** Ends a live original; its row stays as the tombstone. */
export async function endOriginal(write: Write, imageNo: number): Promise<void> {
  await write
    .updateTable("original")
    .set({ taken_down_at: sql<Date>`now()` })
    .where("image_no", "=", imageNo)
    .execute();
}
