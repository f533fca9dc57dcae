import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Problem } from "../components/problem.tsx";
import { useObserved } from "../browser/observable.ts";
import { saveFile } from "../browser/save-file.ts";
import { useTask } from "../browser/task.ts";
import { counted } from "../wording.ts";
import { BatchProgressBar } from "./batch-progress.tsx";
import type { BatchRow } from "./batch-row.ts";
import type { BatchRun } from "./batch-run.ts";
import { BatchTable } from "./batch-table.tsx";
import { GiveBack } from "./give-back.tsx";
import { resultsCsv, resultsJson } from "./results-file.ts";
import { rowWords } from "./row-words.ts";

/** A batch that was started: progress, what can be done about it, and every file. */
export function BatchPanel({
  run,
  onNew,
  onAgain,
}: {
  run: BatchRun;
  onNew: () => void;
  onAgain: (files: readonly File[]) => void;
}): VNode {
  const state = useObserved(run.state);
  const { phase, rows, error } = state;
  const dropping = useTask<void>();
  const drop = (): void =>
    dropping.run(async () => {
      await run.drop();
      onNew();
    });
  useStayingGuard(phase === "running");
  return (
    <section>
      <h2>{TITLES[run.task.kind][phase === "done" ? "done" : "underWay"]}</h2>
      {phase === "done" && <Summary run={run} rows={rows} />}
      {phase === "fileless" && <GiveBack run={run} rows={rows} />}
      {phase !== "done" && phase !== "fileless" && <BatchProgressBar state={state} />}
      <p class="visually-hidden" role="status">
        {phase === "running" ? "The batch is under way." : PHASE_WORDS[phase]}
      </p>
      {phase === "failed" && <Problem error={error} />}
      <div class="actions">
        {phase === "running" && (
          <button type="button" onClick={() => run.stop()}>
            Stop
          </button>
        )}
        {(phase === "stopped" || phase === "failed") && (
          <button type="button" class="primary" onClick={() => void run.run()}>
            Go on
          </button>
        )}
        {phase !== "running" && phase !== "done" && (
          <>
            <button type="button" onClick={drop}>
              Drop the batch
            </button>
            <span class="quiet">Going on sends nothing again that the service holds.</span>
          </>
        )}
        {phase === "done" && <Done run={run} rows={rows} onNew={onNew} onAgain={onAgain} />}
      </div>
      {dropping.state.kind === "failed" && <Problem error={dropping.state.error} />}
      <BatchTable run={run} rows={rows} />
    </section>
  );
}

const TITLES = {
  register: { underWay: "Registering", done: "Registering is done" },
  lookUp: { underWay: "Looking up", done: "Looking up is done" },
  check: { underWay: "Checking", done: "Checking is done" },
} as const;

const PHASE_WORDS = {
  stopped: "The batch is stopped.",
  failed: "The batch was refused.",
  fileless: "The batch waits for its files.",
  done: "The batch is done.",
} as const;

function Done({
  run,
  rows,
  onNew,
  onAgain,
}: {
  run: BatchRun;
  rows: readonly BatchRow[];
  onNew: () => void;
  onAgain: (files: readonly File[]) => void;
}): VNode {
  const again = rows.flatMap(({ state }, at) => (state === "retry" ? (run.fileAt(at) ?? []) : []));
  return (
    <>
      <button type="button" class="primary" onClick={onNew}>
        New batch
      </button>
      <button type="button" onClick={() => saveFile("batch.csv", "text/csv", resultsCsv(rows))}>
        Save as CSV
      </button>
      <button type="button" onClick={() => saveFile("batch.json", "application/json", resultsJson(rows))}>
        Save as JSON
      </button>
      {again.length > 0 && (
        <button type="button" onClick={() => onAgain(again)}>
          Send {counted(again.length, "file")} again
        </button>
      )}
    </>
  );
}

const REPEATED = { state: "the same again", tone: "plain" } as const;

/** How many files came out how. Of files of the same bytes one counts, as the service counts and charges them. */
function Summary({ run: { task }, rows }: { run: BatchRun; rows: readonly BatchRow[] }): VNode {
  const first = new Map(rows.toReversed().map((row) => [row.imageHash ?? row, row]));
  const words = rows.map((row) => (first.get(row.imageHash ?? row) === row ? rowWords(row, task) : REPEATED));
  return (
    <ul class="tally">
      {[...Map.groupBy(words, ({ state }) => state)].map(([state, alike]) => (
        <li key={state}>
          <b>{alike.length}</b> <span class={`state tone-${alike[0]?.tone ?? "plain"}`}>{state}</span>
        </li>
      ))}
    </ul>
  );
}

/** Asks before the tab is closed over work that would be lost. */
function useStayingGuard(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const guard = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", guard);
    return () => removeEventListener("beforeunload", guard);
  }, [active]);
}
