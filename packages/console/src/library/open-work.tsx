import type { ColophonClient } from "@colophon/client";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { useDesk } from "../desk/session.ts";
import { useTask } from "../browser/task.ts";
import { counted, instant } from "../wording.ts";

type Own = ColophonClient["library"];
type Rows<Method extends "slots" | "lookupSlots" | "sequences"> = Awaited<ReturnType<Own[Method]>>;

interface Open {
  readonly slots: Rows<"slots">;
  readonly lookupSlots: Rows<"lookupSlots">;
  readonly sequences: Rows<"sequences">;
}

/** Batches and sequences that are not finished; nothing where there are none. */
export function OpenWork(): VNode | null {
  const { library } = useDesk().client;
  const task = useTask<Open>();
  useEffect(
    () =>
      task.run(async (signal) => {
        const [slots, lookupSlots, sequences] = await Promise.all([
          library.slots({ signal }),
          library.lookupSlots({ signal }),
          library.sequences({ signal }),
        ]);
        return { slots, lookupSlots, sequences };
      }),
    [],
  );
  if (task.state.kind !== "done") return null;
  const lines = linesOf(task.state.result);
  if (lines.length === 0) return null;
  return (
    <section>
      <h2>Still open</h2>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}

function linesOf({ slots, lookupSlots, sequences }: Open): string[] {
  return [
    ...slots.map(
      ({ slotId, entryCount, expiresAt }) =>
        `A batch to register ${counted(entryCount, "picture")}, ${until(expiresAt)}: ${slotId}`,
    ),
    ...lookupSlots.map(
      ({ lookupSlotId, entryCount, expiresAt }) =>
        `A batch to look up ${counted(entryCount, "picture")}, ${until(expiresAt)}: ${lookupSlotId}`,
    ),
    ...sequences.map(
      ({ sequenceId, state, framesReceived }) =>
        `A sequence, ${state}, with ${counted(framesReceived, "frame")}: ${sequenceId}`,
    ),
  ];
}

function until(expiresAt: string): string {
  return `kept until ${instant(new Date(expiresAt))}`;
}
