import { type AccountTakeDown, Refusal, refuse } from "@colophon/contract";
import { readAccount } from "../../store/accounts/accounts.ts";
import { lockAccount } from "../../store/accounts/grants.ts";
import { appendCustody, appendOperation } from "../../store/custody/ledgers.ts";
import { writing } from "../../store/database.ts";
import { isPassing } from "../../store/database-fault.ts";
import { endHeldOriginal, liveOriginalsHeld } from "../../store/originals/originals.ts";
import { withdrawOriginals } from "../registrations/withdraw-originals.ts";
import type { Services } from "../services.ts";

type Needs = Pick<Services, "database" | "engine">;

/** Originals of an account that one request takes down, some seconds' work. */
const MOST = 100;

/**
 * Takes an original or published frame down for good, no matter who holds it, and notes why.
 * @throws Refusal originalNotFound; takeDownRefused when any part of it cannot be removed: it is then untouched
 */
export async function takeDownOriginal(
  needs: Needs,
  originalImageHash: string,
  reason: string,
): Promise<void> {
  const live = await liveOriginalsHeld(needs.database, { originalImageHash }, 1);
  if ((await takeDownEach(needs, live, reason)) === 0) throw refuse("originalNotFound");
}

/**
 * Takes originals and published frames of an account down for good, each in a transaction of its own, so many at once.
 * @throws Refusal accountNotFound; takeDownRefused when one cannot be removed: it is untouched, and those before it are
 * gone
 */
export async function takeDownAccount(
  needs: Needs,
  accountId: string,
  reason: string,
): Promise<AccountTakeDown> {
  await readAccount(needs.database, accountId);
  const live = await liveOriginalsHeld(needs.database, { accountId }, MOST + 1);
  return { takenDown: await takeDownEach(needs, live.slice(0, MOST), reason), more: live.length > MOST };
}

/** @returns how many were still live */
async function takeDownEach(needs: Needs, imageNos: readonly number[], reason: string): Promise<number> {
  let takenDown = 0;
  try {
    for (const imageNo of imageNos) if (await takeDownOne(needs, imageNo, reason)) takenDown += 1;
  } catch (error) {
    if (error instanceof Refusal || isPassing(error)) throw error;
    throw refuse("takeDownRefused").causedBy(error);
  }
  return takenDown;
}

/** @returns whether it was still live */
function takeDownOne(needs: Needs, imageNo: number, reason: string): Promise<boolean> {
  return writing(needs.database, async (write) => {
    const ended = await endHeldOriginal(write, imageNo);
    if (ended === null) return false;
    const withdrawn = await withdrawOriginals(needs, write, [imageNo]);
    await lockAccount(write, ended.accountId);
    await appendCustody(write, withdrawn);
    await appendOperation(write, { ...ended, kind: "takenDown", reason });
    return true;
  });
}
