import type { Services } from "../../registry/services.ts";
import { readAccount } from "../../store/accounts/accounts.ts";
import { grantsJson } from "../answers/account-json.ts";
import { ok } from "../answers/answer.ts";
import type { AccountHandlers } from "../call.ts";

/** `GET /account/stats`. */
export function accountRoutes({
  database,
  calls,
}: Pick<Services, "database" | "calls">): AccountHandlers<"Account"> {
  return {
    getAccountStats: async ({ account }) => {
      await calls.settle();
      const state = await readAccount(database, account.accountId);
      return ok({ ...grantsJson(state), callCount: state.callCount });
    },
  };
}
