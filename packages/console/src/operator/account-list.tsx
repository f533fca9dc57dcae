import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Problem } from "../components/problem.tsx";
import { href } from "../route.ts";
import { useTask } from "../browser/task.ts";
import { instant } from "../wording.ts";
import { accountName } from "./account-name.ts";
import { EMPTY_DRAFT } from "./settings-draft.ts";
import { SettingsForm } from "./settings-form.tsx";
import type { Account, AccountSettings } from "./answers.ts";
import { useOperator } from "./use-operator.ts";

interface Listed {
  readonly accounts: readonly Account[];
  /** Ids of those that are suspended. */
  readonly suspended: ReadonlySet<string>;
}

/** Every account with what is left to it, and a way to make one more. */
export function AccountList(): VNode {
  const operator = useOperator();
  const task = useTask<Listed>();
  const ask = (): void =>
    task.run(async (signal) => {
      const [{ accounts }, { suspensions }] = await Promise.all([
        operator.accounts({ signal }),
        operator.suspensions({ signal }),
      ]);
      return { accounts, suspended: new Set(suspensions.map(({ accountId }) => accountId)) };
    });
  useEffect(ask, [operator]);
  return (
    <>
      <h1>Accounts</h1>
      <p class="standfirst">
        Anyone who registers or looks up does so on an account's allowance, under a token you mint and hand
        over.
      </p>
      {task.state.kind === "failed" && <Problem error={task.state.error} retry={ask} />}
      {task.state.kind === "done" && <Table {...task.state.result} />}
      <NewAccount />
    </>
  );
}

function Table({ accounts, suspended }: Listed): VNode {
  if (accounts.length === 0) return <p>There is no account yet.</p>;
  return (
    <div class="scroll" role="region" aria-label="Accounts" tabIndex={0}>
      <table class="ledger">
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col" class="number">
              Registrations left
            </th>
            <th scope="col" class="number">
              Look-ups left
            </th>
            <th scope="col" class="number wide">
              Calls
            </th>
            <th scope="col" class="wide">
              Since
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <tr key={account.accountId}>
              <th scope="row">
                <a href={href("accounts", account.accountId)}>{accountName(account)}</a>
                {suspended.has(account.accountId) && <span class="quiet"> suspended</span>}
              </th>
              <Left {...account.registrations} />
              <Left {...account.lookups} />
              <td class="number wide">{account.callCount.toLocaleString("en")}</td>
              <td class="quiet wide">{instant(new Date(account.createdAt))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Left({ remaining, grant }: { remaining: number; grant: number }): VNode {
  return (
    <td class="number">
      {remaining.toLocaleString("en")} <span class="quiet">of {grant.toLocaleString("en")}</span>
    </td>
  );
}

function NewAccount(): VNode {
  const operator = useOperator();
  const task = useTask<void>();
  const create = (settings: AccountSettings): void =>
    task.run(async (signal) => {
      const { accountId } = await operator.createAccount(settings, { signal });
      location.hash = href("accounts", accountId);
    });
  return (
    <section class="sheet new-account">
      <h2>Open an account</h2>
      <SettingsForm
        draft={EMPTY_DRAFT}
        action="Open the account"
        busy={task.state.kind === "busy"}
        onSettings={create}
      />
      {task.state.kind === "failed" && <Problem error={task.state.error} />}
    </section>
  );
}
