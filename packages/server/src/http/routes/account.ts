import type { Services } from "../../registry/services.ts";
import { readAccount } from "../../store/accounts.ts";
import { grantsJson } from "../account-json.ts";
import { ok } from "../answer.ts";
import type { AccountHandlers } from "../call.ts";

/** `GET /account/stats`. */
export function accountRoutes({ database }: Pick<Services, "database">): AccountHandlers {
  return {
    getAccountStats: async ({ account }) => {
      const state = await readAccount(database, account.account_id);
      return ok({ ...grantsJson(state), callCount: state.callCount });
    },
  };
}
