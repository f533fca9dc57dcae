import type { Route } from "../route.ts";
import { AccountStats } from "../schemas/account.ts";

export const ACCOUNT_ROUTES = [
  {
    operationId: "getAccountStats",
    method: "GET",
    path: "/account/stats",
    tag: "Account",
    summary: "Grants and use",
    description: "Tells what the caller's own account was granted and what it used.",
    auth: "account",
    answer: { status: 200, description: "The account's grants and use.", schema: AccountStats },
    refusals: [],
  },
] as const satisfies readonly Route[];
