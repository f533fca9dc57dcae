import type { Suspension, Suspensions, TokenExpiries } from "@colophon/contract";
import { readAccount, suspend, suspendedAccounts } from "../../store/accounts/accounts.ts";
import { listTokens } from "../../store/accounts/tokens.ts";
import { appendOperation } from "../../store/custody/ledgers.ts";
import { type Read, writing } from "../../store/database.ts";
import type { Services } from "../services.ts";

type Needs = Pick<Services, "database">;

/** Whether an account is suspended. @throws Refusal accountNotFound */
export async function readSuspension(read: Read, accountId: string): Promise<Suspension> {
  const { account } = await readAccount(read, accountId);
  return { suspendedAt: account.suspendedAt?.toISOString() ?? null };
}

/** The accounts that are suspended, in order of creation. */
export async function readSuspensions(read: Read): Promise<Suspensions> {
  const rows = await suspendedAccounts(read);
  const suspensions = rows.map(({ accountId, suspendedAt }) => ({
    accountId,
    suspendedAt: suspendedAt.toISOString(),
  }));
  return { suspensions };
}

/** Suspends an account, or resumes it, and notes why where that changes anything. @throws Refusal accountNotFound */
export async function setSuspended(
  { database }: Needs,
  accountId: string,
  { isSuspended, reason }: { readonly isSuspended: boolean; readonly reason: string },
): Promise<void> {
  await writing(database, async (write) => {
    await readAccount(write, accountId);
    if (!(await suspend(write, accountId, isSuspended))) return;
    const kind = isSuspended ? "suspended" : "resumed";
    await appendOperation(write, { accountId, kind, originalImageHash: null, reason });
  });
}

/** When the tokens of an account expire. @throws Refusal accountNotFound */
export async function tokenExpiries(read: Read, accountId: string): Promise<TokenExpiries> {
  const tokens = await listTokens(read, accountId);
  return {
    tokens: tokens.map(({ tokenId, expiresAt }) => ({
      tokenId,
      expiresAt: expiresAt?.toISOString() ?? null,
    })),
  };
}
