import type { IncomingMessage } from "node:http";
import { refuse } from "@colophon/contract";
import type { OpenedToken } from "../store/accounts/tokens.ts";
import type { CallCounter } from "../store/accounts/call-counter.ts";
import type { TokenResolver } from "../store/accounts/token-resolver.ts";

/** What authenticates accounts. */
export interface AccountAuthentication {
  readonly tokens: TokenResolver<OpenedToken>;
  readonly calls: CallCounter;
}

/** The bearer token of a request (RFC 6750), or null. */
function bearerToken(request: IncomingMessage): string | null {
  const [, token] = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(request.headers.authorization ?? "") ?? [];
  return token ?? null;
}

/**
 * The calling account, with its open slots; the call is counted.
 * @throws Refusal unauthorized, the same for every cause; serviceUnavailable
 */
export async function authenticateAccount(
  { tokens, calls }: AccountAuthentication,
  request: IncomingMessage,
): Promise<OpenedToken> {
  const token = bearerToken(request);
  const opened = token === null ? null : await tokens.resolve(token);
  if (!opened) throw refuse("unauthorized");
  calls.count(opened.account.accountId, opened.tokenId);
  return opened;
}

/** @throws Refusal unauthorized unless the request carries the operator's token; serviceUnavailable */
export async function authenticateOperator(
  tokens: TokenResolver<true>,
  request: IncomingMessage,
): Promise<void> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  const opened = token === undefined ? null : await tokens.resolve(token);
  if (!opened) throw refuse("unauthorized");
}
