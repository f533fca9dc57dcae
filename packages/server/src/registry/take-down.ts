import { Refusal, refuse } from "@colophon/contract";
import { type Write, writing } from "../store/database.ts";
import { lockAccount } from "../store/grants.ts";
import { appendCustody } from "../store/ledgers.ts";
import { endRegistration } from "../store/originals.ts";
import { deleteRecord } from "../store/records.ts";
import type { Services } from "./services.ts";

type Needs = Pick<Services, "database" | "engine">;

/**
 * Takes a registration of the account down for good: index, record and manifests go, a tombstone stays. A
 * look-up that begins afterwards does not match it.
 * @throws Refusal registrationNotFound; takeDownRefused, its cause attached, when any part of it cannot be removed:
 *   the registration is then untouched
 */
export async function takeDown(needs: Needs, accountId: string, registrationId: string): Promise<void> {
  try {
    await removeAll(needs, accountId, registrationId);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw Object.assign(refuse("takeDownRefused"), { cause: error });
  }
}

async function removeAll(needs: Needs, accountId: string, registrationId: string): Promise<void> {
  await writing(needs.database, async (write) => {
    const imageNo = await endRegistration(write, accountId, registrationId);
    if (imageNo === null) throw refuse("registrationNotFound");
    const packet = await packetOf(write, imageNo);
    await needs.engine.withdraw(write, imageNo);
    await deleteRecord(write, imageNo);
    await lockAccount(write, accountId);
    const gone = (await packetOf(write, imageNo)) === null;
    await appendCustody(write, [
      {
        account_id: accountId,
        kind: gone ? "deleted" : "deleteUnverified",
        subject: "packet",
        image_hash: packet?.imageHash ?? null,
        byte_length: packet?.byteLength ?? 0,
        check_name: gone ? "absent" : null,
      },
    ]);
  });
}

async function packetOf(
  write: Write,
  imageNo: number,
): Promise<{ imageHash: Buffer; byteLength: number } | null> {
  const row = await write
    .selectFrom("feature")
    .innerJoin("original", "original.image_no", "feature.image_no")
    .select(["original.image_hash", (column) => column.fn<number>("length", ["feature.packet"]).as("bytes")])
    .where("feature.image_no", "=", imageNo)
    .executeTakeFirst();
  return row ? { imageHash: row.image_hash, byteLength: row.bytes } : null;
}
