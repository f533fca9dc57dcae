import { blake3 } from "@colophon/engine";
import { sql } from "kysely";
import type { Write } from "../store/database.ts";
import type { RecordedFrame, SequenceNotRecorded, SequenceRecorded } from "./port.ts";

const HASH_LENGTH = 32;
const COUNT = 4;
const ID = 4;

/** Records a sequence under the hash of the originals that its frames were published as. */
export async function recordSequence(
  write: Write,
  sequenceId: string,
  frames: readonly RecordedFrame[],
): Promise<SequenceRecorded | SequenceNotRecorded> {
  const hashes = await liveHashes(write, frames);
  const preimage = Buffer.alloc(1 + COUNT + frames.length * (ID + HASH_LENGTH));
  preimage.writeUInt8(1);
  let at = preimage.writeUInt32BE(frames.length, 1);
  for (const { frameId, imageNo } of frames) {
    const hash = hashes.get(imageNo);
    if (!hash) return { outcome: "refused" };
    at = preimage.writeUInt32BE(frameId, at);
    at += hash.copy(preimage, at);
  }
  const sequenceHash = Buffer.from(blake3(preimage));
  const recorded = await write
    .insertInto("sequence_record")
    .values({ sequence_hash: sequenceHash, sequence_id: sequenceId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  const isNew = recorded.numInsertedOrUpdatedRows === 1n;
  return { outcome: isNew ? "registered" : "alreadyRegistered", sequenceHash };
}

async function liveHashes(
  write: Write,
  frames: readonly RecordedFrame[],
): Promise<ReadonlyMap<number, Buffer>> {
  const rows = await write
    .selectFrom("original")
    .select(["image_no", "original_image_hash"])
    .where(sql<boolean>`image_no = any(${frames.map((frame) => frame.imageNo)}::int[])`)
    .where("taken_down_at", "is", null)
    .execute();
  return new Map(rows.map((row) => [row.image_no, row.original_image_hash]));
}
