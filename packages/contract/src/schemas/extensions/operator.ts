import { Type } from "typebox";
import { EXAMPLE } from "../examples.ts";
import { count, instant, nullable, resource, uuid } from "../values.ts";

export const Suspension = resource(
  "Whether an account is suspended.",
  { suspendedAt: nullable(instant("Since when; null while it is not.")) },
  { suspendedAt: EXAMPLE.earlier },
);
export type Suspension = Type.Static<typeof Suspension>;

const SuspendedAccount = Type.Object(
  { accountId: uuid("The account's id."), suspendedAt: instant("Since when.") },
  { additionalProperties: false, description: "An account that is suspended." },
);

export const Suspensions = resource(
  "The accounts that are suspended, in the order of their list.",
  { suspensions: Type.Array(SuspendedAccount) },
  { suspensions: [{ accountId: EXAMPLE.accountId, suspendedAt: EXAMPLE.earlier }] },
);
export type Suspensions = Type.Static<typeof Suspensions>;

const expiresAt = nullable(instant("When the token stops opening anything; null: never."));

export const TokenExpiryChange = Type.Object(
  { expiresAt },
  {
    additionalProperties: false,
    description: "When a token expires.",
    examples: [{ expiresAt: EXAMPLE.later }],
  },
);
export type TokenExpiryChange = Type.Static<typeof TokenExpiryChange>;

const TokenExpiry = Type.Object(
  { tokenId: uuid("The token's id."), expiresAt },
  { additionalProperties: false, description: "When a token expires." },
);

export const TokenExpiries = resource(
  "When the tokens of an account expire, in the order of their list.",
  { tokens: Type.Array(TokenExpiry) },
  { tokens: [{ tokenId: EXAMPLE.tokenId, expiresAt: EXAMPLE.later }] },
);
export type TokenExpiries = Type.Static<typeof TokenExpiries>;

export const AccountTakeDown = resource(
  "What a take-down of an account did.",
  {
    takenDown: count("How many live originals were taken down."),
    more: Type.Boolean({ description: "Whether some are left; if so, send the request again." }),
  },
  { takenDown: 3, more: false },
);
export type AccountTakeDown = Type.Static<typeof AccountTakeDown>;
