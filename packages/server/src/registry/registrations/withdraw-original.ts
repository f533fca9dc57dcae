import type { Write } from "../../store/database.ts";
import { packetGone } from "../../store/sequences/frame-packets.ts";
import type { CustodyEvent } from "../../store/custody/ledgers.ts";
import { deleteRecord } from "../../store/originals/records.ts";
import type { Services } from "../services.ts";

/**
 * Takes what an original has published out of index and records, and looks whether its packet is gone.
 * @returns the custody row of the packet, to be appended once the account is locked
 */
export async function withdrawOriginal(
  { engine }: Pick<Services, "engine">,
  write: Write,
  imageNo: number,
): Promise<CustodyEvent> {
  const { byte_length, ...packet } = await write
    .selectFrom("original")
    .leftJoin("feature", "feature.image_no", "original.image_no")
    .select(["original.account_id", "original.image_hash", "original.sequence_id", "original.frame_id"])
    .select((column) => column.fn<number | null>("length", ["feature.packet"]).as("byte_length"))
    .where("original.image_no", "=", imageNo)
    .executeTakeFirstOrThrow();
  await engine.withdraw(write, imageNo);
  await deleteRecord(write, imageNo);
  const left = await write
    .selectFrom("feature")
    .select("image_no")
    .where("image_no", "=", imageNo)
    .executeTakeFirst();
  return packetGone({ ...packet, byte_length: byte_length ?? 0 }, left === undefined);
}
