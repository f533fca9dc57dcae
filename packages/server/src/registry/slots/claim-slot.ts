import { sql } from "kysely";
import type { Write } from "../../store/database.ts";
import { lockAccount, quotaRefusal, remainingUnits, type Units } from "../../store/accounts/grants.ts";
import type { Slot } from "../../store/slots/slots.ts";

/**
 * Whether the remaining grant covers what a slot is about to charge. Reservations of other slots do not count, but
 * those of commits under way do: they are about to be charged as well.
 * @throws Refusal quotaExceeded
 */
export async function assertCovered(write: Write, slot: Slot, billable: number): Promise<void> {
  const account = await lockAccount(write, slot.account_id);
  const grant: keyof Units = slot.kind === "registration" ? "registrations" : "lookups";
  const { committing } = await write
    .selectFrom("slot")
    .select(sql<number>`coalesce(sum(held), 0)::bigint`.as("committing"))
    .where("account_id", "=", slot.account_id)
    .where("kind", "=", slot.kind)
    .where("committing_owner", "is not", null)
    .executeTakeFirstOrThrow();
  if (billable > Math.max(0, remainingUnits(account)[grant] - committing)) {
    throw quotaRefusal(account, grant);
  }
}
