import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Problem } from "../components/problem.tsx";
import { href } from "../route.ts";
import { useTask } from "../browser/task.ts";
import { accountName } from "./account-name.ts";
import type { Account } from "./answers.ts";
import { useOperator } from "./use-operator.ts";

/** Asks whose ledger a view is to show; the address keeps the answer. */
export function AccountPicker({ view, accountId }: { view: string; accountId: string }): VNode {
  const operator = useOperator();
  const task = useTask<readonly Account[]>();
  const ask = (): void => task.run(async (signal) => (await operator.accounts({ signal })).accounts);
  useEffect(ask, [operator]);
  const accounts = task.state.kind === "done" ? task.state.result : [];
  return (
    <>
      <div class="field">
        <label for="account">Account</label>
        <select
          id="account"
          value={accountId}
          onChange={({ currentTarget }) => (location.hash = href(view, currentTarget.value))}
        >
          <option value="">Choose an account</option>
          {accounts.map((account) => (
            <option key={account.accountId} value={account.accountId}>
              {accountName(account)} ({account.accountId.slice(0, 8)})
            </option>
          ))}
        </select>
      </div>
      {task.state.kind === "failed" && <Problem error={task.state.error} retry={ask} />}
    </>
  );
}
