import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { refuse } from "@colophon/contract";
import { accountOfToken, tokenHash } from "../store/accounts.ts";
import type { Database } from "../store/database.ts";
import type { Account } from "../store/grants.ts";

/** The bearer token of a request (RFC 6750), or null. */
function bearerToken(request: IncomingMessage): string | null {
  const [, token] = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(request.headers.authorization ?? "") ?? [];
  return token ?? null;
}

/** The calling account; the call is counted. @throws Refusal unauthorized, the same for every cause */
export async function authenticateAccount(database: Database, request: IncomingMessage): Promise<Account> {
  const token = bearerToken(request);
  const account = token === null ? null : await accountOfToken(database, token);
  if (!account) throw refuse("unauthorized");
  return account;
}

/** @throws Refusal unauthorized unless the request carries the operator's token */
export function authenticateOperator(adminToken: string, request: IncomingMessage): void {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
  if (!timingSafeEqual(tokenHash(token), tokenHash(adminToken))) throw refuse("unauthorized");
}
