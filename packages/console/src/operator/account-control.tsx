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
  const suspend: Deed = {
    title: "Suspend this account?",
    button: "Suspend",
    action: "Suspend it",
    says: "None of its tokens opens anything until it is resumed. What it registered stays published.",
    run: async (reason) => {
      await operator.suspendAccount(accountId, reason);
      ask();
      return "Suspended, in every process of the service.";
    },
  };
  const resume: Deed = {
    title: "Resume this account?",
    button: "Resume",
    action: "Resume it",
    says: "Its tokens open again what they opened before.",
    run: async (reason) => {
      await operator.resumeAccount(accountId, reason);
      ask();
      return "Resumed: its tokens open again.";
    },
  };
  const takeDown: Deed = {
    title: "Take down all that this account registered?",
    button: "Take everything down",
    action: "Take it all down for good",
    says: "No look-up finds any of it, and each record says only that it was taken down. It does not come back. The account may register again, unless it is suspended.",
    run: async (reason) => {
      let count = 0;
      for (;;) {
        const { takenDown, more } = await operator.takeDownAccount(accountId, reason);
        count += takenDown;
        if (!more) return `Taken down for good: ${counted(count, "original")}.`;
      }
    },
  };
  return (
    <section>
      <h2>Suspend, take down</h2>
      {task.state.kind === "failed" && <Problem error={task.state.error} retry={ask} />}
      <Deeds deeds={[since === null ? suspend : resume, takeDown]} disabled={task.state.kind !== "done"} />
    </section>
  );
}
