import type { IncomingMessage } from "node:http";
import type { OperationOf, Tag } from "@colophon/contract";
import type { Account, AccountSlots } from "../store/accounts/grants.ts";
import type { Answer } from "./answers/answer.ts";
import type { Body } from "./body/body.ts";

/** One request as a handler sees it: authenticated, its body unread. */
export interface Call {
  readonly request: IncomingMessage;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** A call by an account. */
export interface AccountCall extends Call {
  readonly account: Account;
  /** As they were when the call began. */
  readonly slots: AccountSlots;
}

/** What answers a route once the caller is known to be allowed to ask. */
export type Handler<C extends Call = Call> = (call: C) => Promise<Answer>;

/** A handler for every route an account may call, of the groups named, or of all. */
export type AccountHandlers<T extends Tag = Tag> = Readonly<
  Record<OperationOf<{ auth: "account"; tag: T }>, Handler<AccountCall>>
>;
/** Likewise for the operator's routes. */
export type OperatorHandlers<T extends Tag = Tag> = Readonly<
  Record<OperationOf<{ auth: "admin"; tag: T }>, Handler>
>;
/** Likewise for those that take no token. */
export type OpenHandlers<T extends Tag = Tag> = Readonly<
  Record<OperationOf<{ auth: "none"; tag: T }>, Handler>
>;

/** A path parameter, which the router has matched. */
export function param(call: Call, name: string): string {
  return call.params[name] ?? "";
}
