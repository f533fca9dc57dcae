import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Copyable } from "../components/copyable.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { Problem } from "../components/problem.tsx";
import { UsageBar } from "../components/usage-bar.tsx";
import { href } from "../route.ts";
import { useTask } from "../browser/task.ts";
import { instant } from "../wording.ts";
import { AccountControl } from "./account-control.tsx";
import { accountName } from "./account-name.ts";
import type { Account, AccountSettings } from "./answers.ts";
import { draftOf } from "./settings-draft.ts";
import { SettingsForm } from "./settings-form.tsx";
import { Tokens } from "./tokens.tsx";
import { useOperator } from "./use-operator.ts";

/** One account: what it has left, its settings, its tokens, and the way to its ledgers. */
export function AccountPage({ accountId }: { accountId: string }): VNode {
  const operator = useOperator();
  const [account, setAccount] = useState<Account | null>(null);
  const [since, setSince] = useState<string | null>(null);
  const task = useTask<void>();
  const ask = (): void =>
    task.run(async (signal) => setAccount(await operator.account(accountId, { signal })));
  useEffect(ask, [operator, accountId]);
  return (
    <>
      <p class="up">
        <a href={href("accounts")}>All accounts</a>
      </p>
      <h1>{account === null ? "Account" : accountName(account)}</h1>
      {since !== null && <p class="warning">Suspended since {instant(new Date(since))}.</p>}
      {task.state.kind === "failed" && <Problem error={task.state.error} retry={ask} />}
      {account !== null && (
        <>
          <Identity account={account} />
          <UsageBar title="Registrations" grant={account.registrations} />
          <UsageBar title="Look-ups" grant={account.lookups} />
          <Tokens accountId={accountId} />
          <Settings account={account} onAccount={setAccount} />
          <AccountControl accountId={accountId} since={since} onSince={setSince} />
        </>
      )}
    </>
  );
}

function Identity({ account: { accountId, createdAt, callCount } }: { account: Account }): VNode {
  return (
    <Facts>
      <Fact name="Id">
        <Copyable name="the account's id" text={accountId} />
      </Fact>
      <Fact name="Since">{instant(new Date(createdAt))}</Fact>
      <Fact name="Calls answered">{callCount.toLocaleString("en")}</Fact>
      <Fact name="Ledgers">
        <a href={href("custody", accountId)}>Custody</a> and <a href={href("usage", accountId)}>usage</a>
      </Fact>
    </Facts>
  );
}

function Settings({
  account,
  onAccount,
}: {
  account: Account;
  onAccount: (account: Account) => void;
}): VNode {
  const operator = useOperator();
  const task = useTask<string>();
  const save = (settings: AccountSettings): void =>
    task.run(async (signal) => {
      if (Object.keys(settings).length === 0) return "Nothing was changed.";
      onAccount(await operator.updateAccount(account.accountId, settings, { signal }));
      return "Saved. It holds at once, in every process of the service.";
    });
  return (
    <section class="sheet settings">
      <h2>Allowance and settings</h2>
      <p class="quiet">
        An allowance is set, not added to: what was spent stays spent, and one below it leaves nothing.
      </p>
      <SettingsForm
        draft={draftOf(account)}
        action="Save"
        busy={task.state.kind === "busy"}
        onSettings={save}
      />
      <div role="status">{task.state.kind === "done" && <p class="notice">{task.state.result}</p>}</div>
      {task.state.kind === "failed" && <Problem error={task.state.error} />}
    </section>
  );
}
