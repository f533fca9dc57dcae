import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { Problem } from "../components/problem.tsx";
import { TextField } from "../components/text-field.tsx";
import { useTask } from "../browser/task.ts";

/** Something that an operator does to an account or an original, for a reason that the ledger of operations keeps. */
export interface Deed {
  readonly title: string;
  /** The button that opens it. */
  readonly button: string;
  readonly action: string;
  readonly says: string;
  /** @returns what was done, in a sentence */
  readonly run: (reason: string) => Promise<string>;
}

/** A button for each deed; it asks for the reason before anything is done, and says afterwards what was. */
export function Deeds({ deeds, disabled = false }: { deeds: readonly Deed[]; disabled?: boolean }): VNode {
  const [asked, setAsked] = useState<Deed | null>(null);
  const [reason, setReason] = useState("");
  const task = useTask<string>();
  const close = (): void => {
    setAsked(null);
    setReason("");
  };
  const confirm = ({ run }: Deed): void =>
    task.run(async () => {
      try {
        return await run(reason.trim());
      } finally {
        close();
      }
    });
  return (
    <>
      <div class="actions">
        {deeds.map((deed) => (
          <button key={deed.button} type="button" disabled={disabled} onClick={() => setAsked(deed)}>
            {deed.button}…
          </button>
        ))}
      </div>
      <div role="status">{task.state.kind === "done" && <p class="notice">{task.state.result}</p>}</div>
      {task.state.kind === "failed" && <Problem error={task.state.error} />}
      {asked !== null && (
        <ConfirmDialog
          title={asked.title}
          action={asked.action}
          refusal="Leave it as it is"
          busy={task.state.kind === "busy"}
          ready={reason.trim() !== ""}
          onConfirm={() => confirm(asked)}
          onClose={close}
        >
          <p>{asked.says}</p>
          <TextField
            id="reason"
            label="Reason"
            hint="Kept for good in the account's ledger of operations: nothing that must be deleted one day."
            maxLength={500}
            value={reason}
            onChange={setReason}
          />
        </ConfirmDialog>
      )}
    </>
  );
}
