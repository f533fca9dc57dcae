import type { Account as AccountBody } from "@colophon/contract";
import type { AccountState } from "../../store/accounts/accounts.ts";
import { remainingUnits, type Units } from "../../store/accounts/grants.ts";

type Grants = Pick<AccountBody, "registrations" | "lookups">;

/** An account's two grants as stats and the operator's routes state them. */
export function grantsJson({ account, held }: Pick<AccountState, "account" | "held">): Grants {
  const remaining = remainingUnits(account);
  const of = (grant: number, consumed: number, unit: keyof Units): Grants["lookups"] => ({
    grant,
    consumed,
    held: held[unit],
    remaining: remaining[unit],
  });
  return {
    registrations: of(account.registrationGrant, account.registrationConsumed, "registrations"),
    lookups: of(account.lookupGrant, account.lookupConsumed, "lookups"),
  };
}

/** An account as its operator sees it. */
export function accountJson(state: AccountState): AccountBody {
  const { account, callCount } = state;
  return {
    accountId: account.accountId,
    name: account.name,
    ...grantsJson(state),
    sequencesEnabled: account.sequencesEnabled,
    maxRequestBytes: account.maxRequestBytes,
    maxFramesPerSequence: account.maxFramesPerSequence,
    callCount,
    createdAt: account.createdAt.toISOString(),
  };
}
