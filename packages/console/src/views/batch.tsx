import type { VNode } from "preact";
import { BatchPanel } from "../batch/batch-panel.tsx";
import { BatchSetup } from "./batch-setup.tsx";
import { useObserved } from "../browser/observable.ts";
import { useDesk } from "../desk/session.ts";

/** Works through many files at once. */
export function Batch(): VNode {
  const desk = useDesk();
  const run = useObserved(desk.batch);
  return (
    <>
      <h1>A batch of pictures</h1>
      <p class="standfirst">
        Any number of files, looked up, checked or registered together. Leave this view as you like; only
        closing the tab ends the batch.
      </p>
      {run === null ? (
        <BatchSetup onStart={(task, files) => desk.startBatch(task, files)} />
      ) : (
        <BatchPanel
          run={run}
          onNew={() => desk.endBatch()}
          onAgain={(files) => desk.startBatch(run.task, files)}
        />
      )}
    </>
  );
}
