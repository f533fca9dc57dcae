import type { Account as AccountBody } from "@colophon/contract";
import type { AccountState } from "../store/accounts/accounts.ts";
import { remainingUnits, type Units } from "../store/accounts/grants.ts";

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
    registrations: of(account.registration_grant, account.registration_consumed, "registrations"),
    lookups: of(account.lookup_grant, account.lookup_consumed, "lookups"),
  };
}

/** An account as its operator sees it. */
export function accountJson(state: AccountState): AccountBody {
  const { account, callCount } = state;
  return {
    accountId: account.account_id,
    name: account.name,
    ...grantsJson(state),
    sequencesEnabled: account.sequences_enabled,
    maxRequestBytes: account.max_request_bytes,
    maxFramesPerSequence: account.max_frames_per_sequence,
    callCount,
    createdAt: account.created_at.toISOString(),
  };
}
