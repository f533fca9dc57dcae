import type { Write } from "../../store/database.ts";
import { hasFeatures, packetInCustody } from "../../store/index/match-index.ts";
import { packetDeleted } from "../../store/custody/events.ts";
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
  const { accountId, packet } = await packetInCustody(write, imageNo);
  await engine.withdraw(write, imageNo);
  await deleteRecord(write, imageNo);
  return packetDeleted(accountId, packet, !(await hasFeatures(write, imageNo)));
}
