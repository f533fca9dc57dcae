import type { TargetedSubmitEvent, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useArrivalFocus } from "../arrival-focus.ts";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { Problem } from "../components/problem.tsx";
import { TextField } from "../components/text-field.tsx";
import type { MadeRegistration } from "../desk.ts";
import { useObserved } from "../observable.ts";
import { useDesk } from "../session.ts";
import { useTask } from "../task.ts";
import type { ViewProps } from "../view-props.ts";
import { instant } from "../wording.ts";

/** Withdraws a registration: by its id, or picked from those made in this tab. */
export function TakeDown({ subject }: ViewProps): VNode {
  const desk = useDesk();
  const made = useObserved(desk.registrations);
  const [id, setId] = useState(subject);
  const [asked, setAsked] = useState<string | null>(null);
  const task = useTask<string>();
  useEffect(() => setId(subject), [subject]);
  const takeDown = (registrationId: string): void =>
    task.run(async (signal) => {
      try {
        await desk.client.takeDown(registrationId, { signal });
      } finally {
        setAsked(null);
      }
      desk.forget(registrationId);
      return registrationId;
    });
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setAsked(id.trim());
  };
  return (
    <>
      <h1>Take a registration down</h1>
      <p class="standfirst">
        The picture stops matching, its record says only that it was taken down, and it may be registered
        again. A registration taken down does not come back.
      </p>
      {task.state.kind === "done" && <TakenDown key={task.state.result} id={task.state.result} />}
      {task.state.kind === "failed" && <Problem error={task.state.error} />}
      <form onSubmit={submit} class="sheet">
        <TextField id="registration" label="Registration id" mono required value={id} onChange={setId} />
        <button class="primary">Take down…</button>
      </form>
      <Made registrations={made} onAsk={setAsked} />
      {asked !== null && (
        <ConfirmDialog
          title="Take this registration down for good?"
          action="Take it down for good"
          busy={task.state.kind === "busy"}
          onConfirm={() => takeDown(asked)}
          onClose={() => setAsked(null)}
        >
          <p>
            <code>{asked}</code>
          </p>
          <p>Look-ups will no longer find the picture, and its manifests are no longer published.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function TakenDown({ id }: { id: string }): VNode {
  const notice = useArrivalFocus<HTMLParagraphElement>();
  return (
    <p ref={notice} tabIndex={-1} class="notice">
      Taken down: <code>{id}</code>
    </p>
  );
}

const SHOWN = 100;

function Made({
  registrations,
  onAsk,
}: {
  registrations: readonly MadeRegistration[];
  onAsk: (id: string) => void;
}): VNode {
  return (
    <section>
      <h2>Made in this tab</h2>
      {registrations.length === 0 && (
        <p class="quiet">
          None yet. The registry has no list of an account's registrations; the ids are yours to keep, and
          looking a picture up names the registrations of your own that cover it.
        </p>
      )}
      <ul class="rows">
        {registrations.slice(0, SHOWN).map(({ id, name, at }) => (
          <li key={id}>
            <span>
              {name}
              <br />
              <code class="quiet">{id}</code>
              <br />
              <span class="quiet">{instant(new Date(at))}</span>
            </span>
            <button type="button" aria-label={`Take down ${name}`} onClick={() => onAsk(id)}>
              Take down…
            </button>
          </li>
        ))}
      </ul>
      {registrations.length > SHOWN && <p class="quiet">The newest {SHOWN} are shown.</p>}
    </section>
  );
}
