import { Refusal, refuse } from "@colophon/contract";
import { writing } from "../../store/database.ts";
import { lockAccount } from "../../store/accounts/grants.ts";
import { appendCustody } from "../../store/custody/ledgers.ts";
import { isPassing } from "../../store/database-fault.ts";
import { endRegistration } from "../../store/originals/registrations.ts";
import type { Services } from "../services.ts";
import { withdrawOriginals } from "./withdraw-originals.ts";

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
    if (error instanceof Refusal || isPassing(error)) throw error;
    throw refuse("takeDownRefused").causedBy(error);
  }
}

async function removeAll(needs: Needs, accountId: string, registrationId: string): Promise<void> {
  await writing(needs.database, async (write) => {
    const imageNo = await endRegistration(write, accountId, registrationId);
    if (imageNo === null) throw refuse("registrationNotFound");
    const withdrawn = await withdrawOriginals(needs, write, [imageNo]);
    await lockAccount(write, accountId);
    await appendCustody(write, withdrawn);
  });
}
