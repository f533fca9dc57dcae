import { blake3 } from "@colophon/engine";
import type { Write } from "../store/database.ts";
import { liveOriginalsByNumber } from "../store/originals/originals.ts";
import { insertSequenceRecord } from "../store/sequences/sequences.ts";
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
  const isNew = await insertSequenceRecord(write, sequenceId, sequenceHash);
  return { outcome: isNew ? "registered" : "alreadyRegistered", sequenceHash };
}

async function liveHashes(
  write: Write,
  frames: readonly RecordedFrame[],
): Promise<ReadonlyMap<number, Buffer>> {
  const originals = await liveOriginalsByNumber(
    write,
    frames.map((frame) => frame.imageNo),
  );
  return new Map(originals.map(({ imageNo, originalImageHash }) => [imageNo, originalImageHash]));
}
