import { isUuid, type ManifestForm } from "@colophon/formats";
import { sql } from "kysely";
import type { Read } from "../database.ts";
import { FIRST_FRAME } from "./first-frame.ts";

/** A live original of an account as its library lists it: a registration, or a published frame. */
export interface LibraryRow {
  readonly registrationId: string | null;
  readonly imageHash: Buffer;
  readonly originalImageHash: Buffer;
  readonly registeredAt: Date;
  readonly fromSlot: boolean | null;
  readonly manifests: { type: string; form: ManifestForm }[];
  readonly sequenceId: string | null;
  readonly frameId: number | null;
}

/** A registration's place in the list. */
export interface LibraryPosition {
  readonly registeredAt: Date;
  readonly registrationId: string;
}

/** What of a library is asked for; frames are found by `originalImageHash` alone. */
export interface LibraryQuery {
  readonly after: LibraryPosition | null;
  readonly limit: number;
  readonly imageHash: Buffer | null;
  readonly originalImageHash: Buffer | null;
}

/** The account's live originals, newest first. */
export function libraryPage(
  read: Read,
  accountId: string,
  { after, limit, imageHash, originalImageHash }: LibraryQuery,
): Promise<readonly LibraryRow[]> {
  let rows = ofAccount(read, accountId)
    .orderBy("registration.registeredAt", "desc")
    .orderBy("registration.registrationId", "desc")
    .limit(limit);
  if (originalImageHash === null) rows = rows.where("registration.accountId", "=", accountId);
  else rows = rows.where("original.originalImageHash", "=", originalImageHash);
  if (imageHash !== null) rows = rows.where("original.imageHash", "=", imageHash);
  if (after !== null) {
    rows = rows.where(
      sql<boolean>`(registration.registered_at, registration.registration_id) < (${after.registeredAt}, ${after.registrationId}::uuid)`,
    );
  }
  return rows.execute();
}

/** A live registration of the account; null when it has none of that id. */
export async function libraryRegistration(
  read: Read,
  accountId: string,
  registrationId: string,
): Promise<LibraryRow | null> {
  if (!isUuid(registrationId)) return null;
  const row = await ofAccount(read, accountId)
    .where("registration.registrationId", "=", registrationId)
    .executeTakeFirst();
  return row ?? null;
}

function ofAccount(read: Read, accountId: string) {
  return read
    .selectFrom("original")
    .leftJoin("registration", "registration.imageNo", "original.imageNo")
    .select([
      "registration.registrationId",
      "original.imageHash",
      "original.originalImageHash",
      "registration.fromSlot",
      "original.sequenceId",
      FIRST_FRAME.as("frameId"),
    ])
    .select((row) => [
      row.fn.coalesce("registration.registeredAt", "original.publishedAt").as("registeredAt"),
      sql<LibraryRow["manifests"]>`(
        select coalesce(json_agg(json_build_object('type', kind, 'form', form) order by position), '[]')
        from manifest where manifest.image_no = original.image_no)`.as("manifests"),
    ])
    .where("original.accountId", "=", accountId)
    .where("original.takenDownAt", "is", null);
}
