import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../components/problem.tsx";
import { useSigned } from "../session.ts";
import { type Account, listAccounts } from "./admin-client.ts";

/** The operator's start: every account. */
export function Operator(): VNode {
  const { session } = useSigned();
  const [accounts, setAccounts] = useState<readonly Account[]>([]);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    listAccounts(session.token).then(setAccounts, setError);
  }, [session]);
  return (
    <>
      <h1>Accounts</h1>
      {error !== null && <Problem error={error} />}
      <ul>
        {accounts.map(({ accountId, name }) => (
          <li key={accountId}>{name ?? accountId}</li>
        ))}
      </ul>
    </>
  );
}
