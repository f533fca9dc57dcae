import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../../components/problem.tsx";
import { useTask } from "../../browser/task.ts";
import type { ViewProps } from "../../view-props.ts";
import { counted } from "../../wording.ts";
import { AccountPicker } from "../account-picker.tsx";
import type { CustodyRow } from "../answers.ts";
import { ChainVerdict } from "./chain-verdict.tsx";
import { CustodyTable } from "./custody-table.tsx";
import { type LedgerReading, readLedger } from "./read-ledger.ts";
import { useOperator } from "../use-operator.ts";

/** An account's custody ledger: every byte received, derived and deleted, its chain checked in this browser. */
export function Custody({ subject }: ViewProps): VNode {
  return (
    <>
      <h1>Custody ledger</h1>
      <p class="standfirst">
        Every picture taken into custody, what was derived from it, and how its deletion was verified. Each
        row carries a hash over itself and the row before, so that one missing or altered shows.
      </p>
      <AccountPicker view="custody" accountId={subject} />
      {subject !== "" && <Ledger key={subject} accountId={subject} />}
    </>
  );
}

function Ledger({ accountId }: { accountId: string }): VNode {
  const operator = useOperator();
  const [progress, setProgress] = useState(0);
  const task = useTask<LedgerReading<CustodyRow>>();
  const read = (): void => {
    setProgress(0);
    task.run((signal) => readLedger(operator.custody(accountId, { signal }), setProgress));
  };
  useEffect(read, [operator, accountId]);
  return (
    <>
      <div role="status">
        {task.state.kind === "busy" && <p>Reading and checking… {counted(progress, "row")} so far.</p>}
      </div>
      {task.state.kind === "failed" && <Problem error={task.state.error} retry={read} />}
      {task.state.kind === "done" && (
        <>
          <ChainVerdict reading={task.state.result} />
          <CustodyTable reading={task.state.result} />
          <div class="actions">
            <button type="button" onClick={read}>
              Read it again
            </button>
          </div>
        </>
      )}
    </>
  );
}
