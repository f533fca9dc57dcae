import type { OperatorClient } from "@colophon/client";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Problem } from "../components/problem.tsx";
import { useTask } from "../browser/task.ts";
import { counted } from "../wording.ts";
import { type Deed, Deeds } from "./deed.tsx";
import { useOperator } from "./use-operator.ts";

/** What an operator may do against an account: suspend it, resume it, take down what it registered. */
export function AccountControl({
  accountId,
  since,
  onSince,
}: {
  accountId: string;
  /** Since when it is suspended; null while it is not. */
  since: string | null;
  onSince: (since: string | null) => void;
}): VNode {
  const operator = useOperator();
  const task = useTask<void>();
  const ask = (): void =>
    task.run(async (signal) => onSince((await operator.suspension(accountId, { signal })).suspendedAt));
  useEffect(ask, [operator, accountId]);
  const { suspend, resume, takeDown } = deedsOn(operator, accountId, ask);
  return (
    <section>
      <h2>Suspend, take down</h2>
      {task.state.kind === "failed" && <Problem error={task.state.error} retry={ask} />}
      <Deeds deeds={[since === null ? suspend : resume, takeDown]} disabled={task.state.kind !== "done"} />
    </section>
  );
}

/** The deeds against an account. `onSuspension`: called when it was suspended or resumed. */
function deedsOn(
  operator: OperatorClient,
  accountId: string,
  onSuspension: () => void,
): Readonly<Record<"suspend" | "resume" | "takeDown", Deed>> {
  return {
    suspend: {
      title: "Suspend this account?",
      button: "Suspend",
      action: "Suspend it",
      says: "None of its tokens opens anything until it is resumed. What it registered stays published.",
      run: async (reason) => {
        await operator.suspendAccount(accountId, reason);
        onSuspension();
        return "Suspended, in every process of the service.";
      },
    },
    resume: {
      title: "Resume this account?",
      button: "Resume",
      action: "Resume it",
      says: "Its tokens open again what they opened before.",
      run: async (reason) => {
        await operator.resumeAccount(accountId, reason);
        onSuspension();
        return "Resumed: its tokens open again.";
      },
    },
    takeDown: {
      title: "Take down all that this account registered?",
      button: "Take everything down",
      action: "Take it all down for good",
      says: "No look-up finds any of it, and each record says only that it was taken down. It does not come back. The account may register again, unless it is suspended.",
      run: async (reason) => {
        const count = await takeDownAll(operator, accountId, reason);
        return `Taken down for good: ${counted(count, "original")}.`;
      },
    },
  };
}

/** Takes down all that an account registered, which the service does in parts; answers how many originals it was. */
async function takeDownAll(operator: OperatorClient, accountId: string, reason: string): Promise<number> {
  let count = 0;
  for (;;) {
    const { takenDown, more } = await operator.takeDownAccount(accountId, reason);
    count += takenDown;
    if (!more) return count;
  }
}
