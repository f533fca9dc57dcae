import { blake3Hex } from "@colophon/formats";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useObserved } from "../browser/observable.ts";
import { useArrivalFocus } from "../browser/arrival-focus.ts";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { FileInput } from "../components/file-input.tsx";
import { Problem } from "../components/problem.tsx";
import { TextField } from "../components/text-field.tsx";
import { Holdings } from "../library/holdings.tsx";
import { OpenWork } from "../library/open-work.tsx";
import { useDesk } from "../desk/session.ts";
import { useTask } from "../browser/task.ts";
import type { ViewProps } from "../view-props.ts";

/** What is the account's own: registrations to find and to take down, and what is still open. */
export function Library({ subject }: ViewProps): VNode {
  return <LibraryAt key={subject} subject={subject} />;
}

/** The view, opened on a registration or on everything. */
function LibraryAt({ subject }: ViewProps): VNode {
  const desk = useDesk();
  const [wanted, setWanted] = useState(subject);
  const [asked, setAsked] = useState<string | null>(null);
  const task = useTask<string>();
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
  const taken = task.state.kind === "done" ? task.state.result : null;
  return (
    <>
      <h1>What is yours</h1>
      <p class="standfirst">
        Every picture you have registered, newest first. The registry keeps no picture: names are those of the
        files that were registered in this tab.
      </p>
      {taken !== null && <TakenDown key={taken} id={taken} />}
      {task.state.kind === "failed" && <Problem error={task.state.error} />}
      <Search wanted={wanted} onWanted={setWanted} />
      <Holdings key={`${wanted} ${taken}`} wanted={wanted.trim()} onTakeDown={setAsked} />
      {wanted === "" && <OpenWork />}
      {asked !== null && (
        <TakeDownDialog
          id={asked}
          busy={task.state.kind === "busy"}
          onConfirm={() => takeDown(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** Asks for what the list is narrowed to: a hash or an id as typed, or the hash of a file. */
function Search({ wanted, onWanted }: { wanted: string; onWanted: (wanted: string) => void }): VNode {
  const findFile = async (file: File): Promise<void> =>
    onWanted(blake3Hex(new Uint8Array(await file.arrayBuffer())));
  return (
    <search class="sheet">
      <TextField
        id="wanted"
        label="Find a hash or a registration's id"
        mono
        value={wanted}
        onChange={onWanted}
      />
      <div class="actions">
        <FileInput
          label="Find this file"
          accept="image/*"
          onFiles={([file]) => file !== undefined && void findFile(file)}
        />
        {wanted !== "" && (
          <button type="button" onClick={() => onWanted("")}>
            Show all
          </button>
        )}
      </div>
    </search>
  );
}

/** Asks before a registration is taken down, which it shows by its name, where it has one, and its id. */
function TakeDownDialog({
  id,
  ...asking
}: {
  id: string;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}): VNode {
  const name = useObserved(useDesk().registrations).find((registration) => registration.id === id)?.name;
  return (
    <ConfirmDialog title="Take this registration down for good?" action="Take it down for good" {...asking}>
      <p>
        {name !== undefined && (
          <>
            <b>{name}</b>
            <br />
          </>
        )}
        <code class="quiet">{id}</code>
      </p>
      <p>
        Look-ups will no longer find the picture, its record says only that it was taken down, and it may be
        registered again. A registration taken down does not come back.
      </p>
    </ConfirmDialog>
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
