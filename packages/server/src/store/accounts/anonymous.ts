import type { Read } from "../database.ts";
import type { Account } from "./grants.ts";

/**
 * The account of callers without a token. It has a custody ledger, but no grant and no token; no route shows it as an
 * account.
 */
export const ANONYMOUS = "00000000-0000-0000-0000-000000000000";

export function isAnonymous(accountId: string): boolean {
  return accountId === ANONYMOUS;
}

/** Its row, which never changes. */
export function anonymousAccount(read: Read): Promise<Account> {
  return read.selectFrom("account").selectAll().where("accountId", "=", ANONYMOUS).executeTakeFirstOrThrow();
}
