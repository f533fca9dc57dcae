import type { Write } from "../../store/database.ts";
import {
  committingUnits,
  lockAccount,
  quotaRefusal,
  remainingUnits,
  type Units,
} from "../../store/accounts/grants.ts";
import type { Slot } from "../../store/slots/slots.ts";

/**
 * Whether the remaining grant covers what a slot is about to charge. Reservations of other slots do not count, but
 * those of commits under way do: they are about to be charged as well.
 * @throws Refusal quotaExceeded
 */
export async function assertCovered(write: Write, slot: Slot, billable: number): Promise<void> {
  const account = await lockAccount(write, slot.accountId);
  const grant: keyof Units = slot.kind === "registration" ? "registrations" : "lookups";
  const committing = await committingUnits(write, slot.accountId, slot.kind);
  if (billable > Math.max(0, remainingUnits(account)[grant] - committing)) {
    throw quotaRefusal(account, grant);
  }
}
