import type { Services } from "../../registry/services.ts";
import { refuse } from "@colophon/contract";
import { readAccounts } from "../../store/accounts/accounts.ts";
import { Gathered } from "../../store/gathered.ts";
import { grantsJson } from "../answers/account-json.ts";
import { ok } from "../answers/answer.ts";
import type { AccountHandlers } from "../call.ts";

/** `GET /account/stats`. */
export function accountRoutes({
  database,
  calls,
}: Pick<Services, "database" | "calls">): AccountHandlers<"Account"> {
  // Asked as often as a client likes: together.
  const states = new Gathered(async (accountIds) => {
    await calls.settle();
    return readAccounts(database, accountIds);
  });
  return {
    getAccountStats: async ({ account }) => {
      const state = await states.get(account.accountId);
      if (state === null) throw refuse("unauthorized");
      return ok({ ...grantsJson(state), callCount: state.callCount });
    },
  };
}
