import { sql } from "kysely";
import type { MatchedOriginal } from "../engine/port.ts";
import type { Read, Write } from "./database.ts";
import { isUuid } from "./accounts.ts";

/** The live original registered with exactly these bytes; its SHA-256 is the key. */
export async function liveOriginalByImage(read: Read, imageHash: Buffer): Promise<MatchedOriginal | null> {
  const row = await read
    .selectFrom("original")
    .select(["image_no", "original_image_hash"])
    .where("image_hash", "=", imageHash)
    .where("taken_down_at", "is", null)
    .executeTakeFirst();
  return row ? matched(row, true) : null;
}

/** The live originals that decode to exactly these pixels. */
export async function liveOriginalsByPixels(
  read: Read,
  pixelHash: Uint8Array,
): Promise<readonly MatchedOriginal[]> {
  const rows = await read
    .selectFrom("original")
    .select(["image_no", "original_image_hash"])
    .where("pixel_hash", "=", Buffer.from(pixelHash))
    .where("taken_down_at", "is", null)
    .orderBy("image_no")
    .execute();
  return rows.map((row) => matched(row, false));
}

/** Those of the numbered originals that are still live, in the order given. */
export async function liveOriginalsByNumber(
  read: Read,
  numbers: readonly number[],
): Promise<readonly MatchedOriginal[]> {
  if (numbers.length === 0) return [];
  const rows = await read
    .selectFrom("original")
    .select(["image_no", "original_image_hash"])
    .where(sql<boolean>`image_no = any(${numbers}::int[])`)
    .where("taken_down_at", "is", null)
    .execute();
  const byNumber = new Map(rows.map((row) => [row.image_no, row]));
  return numbers.flatMap((number) => {
    const row = byNumber.get(number);
    return row ? [matched(row, false)] : [];
  });
}

function matched(
  row: { image_no: number; original_image_hash: Buffer },
  identical: boolean,
): MatchedOriginal {
  return { imageNo: row.image_no, originalImageHash: row.original_image_hash, identical };
}

/** The account's own live registrations of the given originals, in the order of the originals. */
export async function ownRegistrations(
  read: Read,
  accountId: string,
  matches: readonly MatchedOriginal[],
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

/** Notes a live registration of an original. */
export async function insertRegistration(
  write: Write,
  values: { registrationId: string; accountId: string; imageNo: number },
): Promise<void> {
  await write
    .insertInto("registration")
    .values({
      registration_id: values.registrationId,
      account_id: values.accountId,
      image_no: values.imageNo,
      taken_down_at: null,
    })
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
  await write
    .updateTable("original")
    .set({ taken_down_at: sql<Date>`now()` })
    .where("image_no", "=", ended.image_no)
    .execute();
  return ended.image_no;
}
