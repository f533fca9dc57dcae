import type { OperatorClient } from "@colophon/client";

type AnswerOf<Method extends "account" | "mintToken" | "tokens" | "trustRoot"> = Awaited<
  ReturnType<OperatorClient[Method]>
>;
type RowOf<Ledger extends "custody" | "usage"> =
  ReturnType<OperatorClient[Ledger]> extends AsyncGenerator<infer Row> ? Row : never;

/** An account as its operator sees it. */
export type Account = AnswerOf<"account">;
/** What an account can be given. */
export type AccountSettings = Parameters<OperatorClient["updateAccount"]>[1];
/** A token just minted, the only time it is shown. */
export type MintedToken = AnswerOf<"mintToken">;
/** A token without its secret. */
export type Token = AnswerOf<"tokens">["tokens"][number];
/** The certificate every record leads to. */
export type TrustRoot = AnswerOf<"trustRoot">;
/** A row of the custody ledger. */
export type CustodyRow = RowOf<"custody">;
/** A row of the usage ledger. */
export type UsageRow = RowOf<"usage">;
