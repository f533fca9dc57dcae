import type { Write } from "../../store/database.ts";
import { hasFeatures, packetInCustody } from "../../store/index/match-index.ts";
import { packetDeleted } from "../../store/custody/events.ts";
import type { CustodyEvent } from "../../store/custody/ledgers.ts";
import { deleteRecord } from "../../store/originals/records.ts";
import type { Services } from "../services.ts";

/**
 * Takes what originals have published out of index and records, and looks whether their packets are gone.
 * @returns the custody row of each packet, in the order given, to be appended once the account is locked
 */
export async function withdrawOriginals(
  { engine }: Pick<Services, "engine">,
  write: Write,
  imageNos: readonly number[],
): Promise<readonly CustodyEvent[]> {
  const held = [];
  for (const imageNo of imageNos) held.push({ imageNo, ...(await packetInCustody(write, imageNo)) });
  await engine.withdraw(write, imageNos);
  const events: CustodyEvent[] = [];
  for (const { imageNo, accountId, packet } of held) {
    await deleteRecord(write, imageNo);
    events.push(packetDeleted(accountId, packet, !(await hasFeatures(write, imageNo))));
  }
  return events;
}
