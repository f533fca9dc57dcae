import type { RecordAnswer } from "@colophon/client";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { useArrivalFocus } from "../browser/arrival-focus.ts";
import { Cost } from "../desk/cost.tsx";
import { PlaceNumber } from "../components/place-number.tsx";
import { Problem } from "../components/problem.tsx";
import { useDesk } from "../desk/session.ts";
import { useTask } from "../browser/task.ts";
import { grouped } from "../wording.ts";
import { RecordView } from "./record-view.tsx";

/** Reads the record of one original and shows it: at once where that costs nothing, else when asked to. */
export function RecordReader({
  hash,
  file = null,
  number = null,
}: {
  hash: string;
  file?: Uint8Array | null;
  /** Which of several originals it is; null of a single one. */
  number?: number | null;
}): VNode {
  const desk = useDesk();
  const task = useTask<RecordAnswer>();
  const read = (): void =>
    task.run(async (signal) => {
      const record = await desk.client.record(hash, { signal });
      await desk.refreshUsage();
      return record;
    });
  useEffect(() => {
    if (!desk.hasAccount) read();
  }, [desk]);
  if (task.state.kind === "done") return <Arrived record={task.state.result} file={file} number={number} />;
  const busy = task.state.kind === "busy";
  const costId = `cost-${hash}`;
  return (
    <div class="sheet unread">
      <h3>
        {number !== null && <PlaceNumber at={number - 1} />}
        <span>
          <span class="eyebrow">Original{number !== null && ` ${number}`}</span>
          <code>{grouped(hash)}</code>
        </span>
      </h3>
      <div class="actions">
        <button type="button" class="primary" disabled={busy} aria-describedby={costId} onClick={read}>
          {busy ? "Reading…" : "Read the record"}
        </button>
        <Cost of="lookups" id={costId} />
      </div>
      {task.state.kind === "failed" && <Problem error={task.state.error} retry={read} />}
    </div>
  );
}

function Arrived({
  record,
  file,
  number,
}: {
  record: RecordAnswer;
  file: Uint8Array | null;
  number: number | null;
}): VNode {
  const place = useArrivalFocus<HTMLElement>();
  return (
    <section ref={place} tabIndex={-1} aria-label="The record">
      <RecordView record={record} file={file} asked={record} number={number} />
    </section>
  );
}
