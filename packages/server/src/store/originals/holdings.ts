import { sql } from "kysely";
import type { Read } from "../database.ts";
import { FIRST_FRAME } from "./first-frame.ts";
import type { LiveOriginal } from "./originals.ts";

/** As what an account holds an original: by a registration, or as a published frame of a sequence. */
export type Holding =
  | { readonly kind: "registration"; readonly registrationId: string }
  | { readonly kind: "frame"; readonly sequenceId: string; readonly frameId: number };

/** Those of the originals that are live and the account's own, by number. */
export async function holdingsOf(
  read: Read,
  accountId: string,
  originals: readonly Pick<LiveOriginal, "imageNo">[],
): Promise<ReadonlyMap<number, Holding>> {
  if (originals.length === 0) return new Map();
  const rows = await read
    .selectFrom("original")
    .leftJoin("registration", "registration.imageNo", "original.imageNo")
    .select(["original.imageNo", "registrationId", "sequenceId", FIRST_FRAME.as("frameId")])
    .where("original.accountId", "=", accountId)
    .where("original.takenDownAt", "is", null)
    .where(sql<boolean>`original.image_no = any(${originals.map(({ imageNo }) => imageNo)}::int[])`)
    .execute();
  return new Map(
    rows.flatMap(({ imageNo, registrationId, sequenceId, frameId }): [number, Holding][] => {
      if (registrationId !== null) return [[imageNo, { kind: "registration", registrationId }]];
      if (sequenceId === null || frameId === null) return [];
      return [[imageNo, { kind: "frame", sequenceId, frameId }]];
    }),
  );
}
