import { BASE_URL } from "../session.ts";

/** An account as the operator sees it. */
export interface Account {
  readonly accountId: string;
  readonly name: string | null;
}

/** Every account of the deployment. @throws Error with the service's sentence */
export async function listAccounts(token: string): Promise<readonly Account[]> {
  const answer = await fetch(`${BASE_URL}/admin/accounts`, { headers: { authorization: `Bearer ${token}` } });
  const body = (await answer.json()) as { accounts: Account[]; detail: string };
  if (!answer.ok) throw new Error(body.detail);
  return body.accounts;
}
