import type { VNode } from "preact";
import { useCallback, useState } from "preact/hooks";
import { Cost } from "../desk/cost.tsx";
import { PictureInput } from "../components/picture-input.tsx";
import { Problem } from "../components/problem.tsx";
import { Answer } from "../look-up/answer.tsx";
import { find, type Found } from "../look-up/found.ts";
import { useDesk } from "../desk/session.ts";
import { useTask } from "../browser/task.ts";

interface Answered {
  readonly found: Found;
  readonly picture: File;
  readonly bytes: Uint8Array;
}

/** Asks where a picture comes from. */
export function LookUp(): VNode {
  const desk = useDesk();
  const [picture, setPicture] = useState<File | null>(null);
  const task = useTask<Answered>();
  const choose = useCallback((chosen: File) => {
    setPicture(chosen);
    task.reset();
  }, []);
  const lookUp = (image: File): void =>
    task.run(async (signal) => {
      const [found, bytes] = await Promise.all([find(desk.client, image, signal), image.arrayBuffer()]);
      void desk.refreshUsage();
      return { found, picture: image, bytes: new Uint8Array(bytes) };
    });
  const busy = task.state.kind === "busy";
  const answered = task.state.kind === "done" ? task.state.result : null;
  return (
    <>
      <h1 class={answered === null ? "" : "answered"}>Where does it come from?</h1>
      {answered === null ? (
        <p class="standfirst">
          Give a picture: a crop, a screenshot or a copy saved again will do. The registry looks for the
          original it was made from, and erases what you sent as soon as it has answered.
        </p>
      ) : (
        <Answer {...answered} />
      )}
      <PictureInput picture={answered === null ? picture : null} onPicture={choose}>
        {picture !== null && answered === null && (
          <div class="actions">
            <button
              type="button"
              class="primary"
              disabled={busy}
              aria-describedby="cost"
              onClick={() => lookUp(picture)}
            >
              {busy ? "Looking…" : "Look it up"}
            </button>
            <Cost of="lookups" id="cost" />
            {busy && <progress aria-label="Looking for originals" />}
          </div>
        )}
      </PictureInput>
      {task.state.kind === "failed" && picture !== null && (
        <Problem error={task.state.error} retry={() => lookUp(picture)} />
      )}
    </>
  );
}
