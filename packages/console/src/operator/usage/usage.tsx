import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../../components/problem.tsx";
import { useTask } from "../../browser/task.ts";
import type { ViewProps } from "../../view-props.ts";
import { counted } from "../../wording.ts";
import { AccountPicker } from "../account-picker.tsx";
import { type Series, UsageChart } from "./usage-chart.tsx";
import { type Step, UsageByDay } from "./usage-buckets.ts";
import { useOperator } from "../use-operator.ts";

/** How far back each step looks. */
const SPANS: Readonly<Record<Step, { readonly words: string; readonly count: number }>> = {
  day: { words: "The last 30 days", count: 30 },
  week: { words: "The last 26 weeks", count: 26 },
  month: { words: "The last 24 months", count: 24 },
};

const REGISTRATIONS: readonly Series[] = [{ kind: "registration", words: "Registered" }];
const LOOKUPS: readonly Series[] = [
  { kind: "lookup", words: "Looked up" },
  { kind: "record", words: "Records read" },
  { kind: "preCheck", words: "Found registered already" },
];

/** What an account has spent over time, from its usage ledger. */
export function Usage({ subject }: ViewProps): VNode {
  return (
    <>
      <h1>Usage over time</h1>
      <p class="standfirst">
        What was spent and when, added up from the account's usage ledger, which is what you would bill from.
      </p>
      <AccountPicker view="usage" accountId={subject} />
      {subject !== "" && <Charts key={subject} accountId={subject} />}
    </>
  );
}

function Charts({ accountId }: { accountId: string }): VNode {
  const operator = useOperator();
  const [step, setStep] = useState<Step>("day");
  const task = useTask<UsageByDay>();
  const read = (): void =>
    task.run(async (signal) => {
      const usage = new UsageByDay();
      for await (const row of operator.usage(accountId, { signal })) usage.add(row);
      return usage;
    });
  useEffect(read, [operator, accountId]);
  if (task.state.kind === "failed") return <Problem error={task.state.error} retry={read} />;
  if (task.state.kind !== "done") return <p role="status">Reading the usage ledger…</p>;
  const usage = task.state.result;
  const { registration, ...lookups } = usage.total();
  const lookupUnits = lookups.lookup + lookups.record + lookups.preCheck;
  const span = SPANS[step];
  const buckets = usage.buckets(step, span.count, new Date());
  return (
    <>
      <p>
        Ever since: {counted(registration, "registration")} and {counted(lookupUnits, "look-up")}, in{" "}
        {counted(usage.rows, "row")}.
      </p>
      <div class="field">
        <label for="step">Show</label>
        <select id="step" value={step} onChange={({ currentTarget }) => setStep(currentTarget.value as Step)}>
          {Object.entries(SPANS).map(([value, { words }]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <UsageChart title="Registrations spent" series={REGISTRATIONS} buckets={buckets} step={step} />
      <UsageChart title="Look-ups spent" series={LOOKUPS} buckets={buckets} step={step} />
    </>
  );
}
