import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { Usage } from "../answers.ts";
import { Problem } from "../components/problem.tsx";
import { UsageBar } from "../components/usage-bar.tsx";
import { useDesk } from "../desk/session.ts";
import { useTask } from "../browser/task.ts";
import { counted } from "../wording.ts";

/** The account's allowance and what became of it. */
export function Account(): VNode {
  const desk = useDesk();
  const task = useTask<Usage>();
  const ask = (): void =>
    task.run(async (signal) => {
      const usage = await desk.client.stats({ signal });
      desk.usage.set(usage);
      return usage;
    });
  useEffect(ask, [desk]);
  return (
    <>
      <h1>Your account</h1>
      <p class="standfirst">
        Your allowance is for life, not for a month: what is spent is spent, and the operator of this registry
        raises it.
      </p>
      {task.state.kind === "failed" && <Problem error={task.state.error} retry={ask} />}
      {task.state.kind === "done" && <Spending usage={task.state.result} />}
    </>
  );
}

function Spending({ usage: { registrations, lookups, callCount } }: { usage: Usage }): VNode {
  return (
    <>
      <UsageBar title="Registrations" grant={registrations} />
      <UsageBar title="Look-ups" grant={lookups} />
      <p class="quiet">
        {counted(callCount, "call")} of this account were answered so far. A registration is spent when a
        picture registers; a look-up when a picture gets its answer, when a record is read, and when a picture
        to be registered turns out to be registered already.
      </p>
    </>
  );
}
