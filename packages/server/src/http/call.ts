import type { IncomingMessage } from "node:http";
import type { OperationId } from "@colophon/contract";
import type { Account } from "../store/grants.ts";
import type { Answer } from "./answer.ts";

/** One request as a handler sees it: authenticated, its body unread. */
export interface Call {
  readonly request: IncomingMessage;
  readonly params: Readonly<Record<string, string>>;
}

/** A call by an account. */
export interface AccountCall extends Call {
  readonly account: Account;
}

/** Handlers by the names of the contract's routes, grouped by who may call. */
export type AccountHandlers = Partial<Record<OperationId, (call: AccountCall) => Promise<Answer>>>;
export type OpenHandlers = Partial<Record<OperationId, (call: Call) => Promise<Answer>>>;

/** A path parameter, which the router has matched. */
export function param(call: Call, name: string): string {
  return call.params[name] ?? "";
}

/** Whether the request carries a query string, an empty one included. */
export function hasQueryString({ request }: Call): boolean {
  return request.url?.includes("?") ?? false;
}
