import type { SignedRecord } from "@colophon/engine";
import { fromBase64, fromHex, type StoredManifest } from "@colophon/formats";
import { sql } from "kysely";
import type { Read, Write } from "../database.ts";

/** Numbers of the live originals that a sequence's frames were published as. */
export async function publishedOriginals(read: Read, sequenceId: string): Promise<ReadonlySet<number>> {
  const rows = await read
    .selectFrom("original")
    .select("imageNo")
    .where("sequenceId", "=", sequenceId)
    .where("takenDownAt", "is", null)
    .execute();
  return new Set(rows.map((row) => row.imageNo));
}

/** Whether an original was published for a frame of the sequence. */
export async function isOfSequence(read: Read, imageNo: number, sequenceId: string): Promise<boolean> {
  const row = await read
    .selectFrom("original")
    .select("imageNo")
    .where("imageNo", "=", imageNo)
    .where("sequenceId", "=", sequenceId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes for which frames of a sequence originals were published. */
export async function setFrames(
  write: Write,
  sequenceId: string,
  originals: readonly { imageNo: number; frameId: number }[],
): Promise<void> {
  await sql`update original set sequence_id = ${sequenceId}::uuid, frame_id = published.frame_id
    from unnest(
      ${originals.map((original) => original.imageNo)}::int[],
      ${originals.map((original) => original.frameId)}::bigint[]
    ) as published (image_no, frame_id)
    where original.image_no = published.image_no`.execute(write);
}

/** Those of the originals that no member of any chain was published as any more, locked, in order. */
export async function orphanedOriginals(
  write: Write,
  imageNumbers: readonly number[],
): Promise<readonly number[]> {
  if (imageNumbers.length === 0) return [];
  const { rows } = await sql<{ imageNo: number }>`
    select image_no from original
    where image_no = any(${imageNumbers}::int[]) and taken_down_at is null
      and not exists (select from frame where frame.image_no = original.image_no)
    order by image_no for no key update`.execute(write);
  return rows.map((row) => row.imageNo);
}

/** Writes what the records of frames attest of their sequence's manifests, whose bytes are stored but once. */
export async function insertAttestations(
  write: Write,
  manifests: readonly StoredManifest[],
  records: readonly { imageNo: number; record: SignedRecord }[],
): Promise<void> {
  if (manifests.length === 0 || records.length === 0) return;
  await write
    .insertInto("manifest")
    .values(
      records.flatMap(({ imageNo, record }) =>
        manifests.map(({ kind, form }, position) => {
          const { hash = null, signature = null } = record.manifests[position] ?? {};
          return {
            imageNo,
            position,
            kind,
            form,
            stored: null,
            hash: hash === null ? null : Buffer.from(fromHex(hash)),
            signature: signature === null ? null : Buffer.from(fromBase64(signature)),
          };
        }),
      ),
    )
    .execute();
}
