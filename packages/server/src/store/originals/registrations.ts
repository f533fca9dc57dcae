import { isUuid } from "@colophon/formats";
import { sql } from "kysely";
import type { Read, Write } from "../database.ts";
import { endOriginal, type LiveOriginal } from "./originals.ts";

/** The account's own live registrations of exactly these bytes, by image hash in hex. */
export async function ownRegistrationsByImage(
  read: Read,
  accountId: string,
  imageHashes: readonly Buffer[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await read
    .selectFrom("registration")
    .innerJoin("original", "original.imageNo", "registration.imageNo")
    .select(["registrationId", "imageHash"])
    .where("registration.accountId", "=", accountId)
    .where("original.takenDownAt", "is", null)
    .where(sql<boolean>`image_hash = any(${imageHashes}::bytea[])`)
    .execute();
  return new Map(rows.map((row) => [row.imageHash.toString("hex"), row.registrationId]));
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
    .select(["registrationId", "imageNo"])
    .where("accountId", "=", accountId)
    .where("takenDownAt", "is", null)
    .where(sql<boolean>`image_no = any(${numbers}::int[])`)
    .execute();
  return rows
    .toSorted((a, b) => numbers.indexOf(a.imageNo) - numbers.indexOf(b.imageNo))
    .map((row) => row.registrationId);
}

/** Notes live registrations of originals. */
export async function insertRegistrations(
  write: Write,
  accountId: string,
  registrations: readonly { registrationId: string; imageNo: number }[],
  fromSlot: boolean,
): Promise<void> {
  if (registrations.length === 0) return;
  await write
    .insertInto("registration")
    .values(
      registrations.map(({ registrationId, imageNo }) => ({
        registrationId,
        accountId,
        imageNo,
        fromSlot,
        takenDownAt: null,
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
    .set({ takenDownAt: sql<Date>`now()` })
    .where("registrationId", "=", registrationId)
    .where("accountId", "=", accountId)
    .where("takenDownAt", "is", null)
    .returning("imageNo")
    .executeTakeFirst();
  if (!ended) return null;
  await endOriginal(write, ended.imageNo);
  return ended.imageNo;
}
