import type { CredentialsJudgement } from "@colophon/credentials";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../components/problem.tsx";
import { useObserved } from "../browser/observable.ts";
import { useTask } from "../browser/task.ts";
import { judge } from "./judge.ts";
import { JudgementView } from "./judgement-view.tsx";
import { TrustListInput } from "./trust-list-input.tsx";
import { trustLists } from "./trust-lists.ts";

/** A C2PA manifest store, judged here when the reader opens it: what judges it is loaded then, 3 MB. */
export function StoreView({ store, file }: { store: Uint8Array; file: Uint8Array | null }): VNode {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    <OpenStore store={store} file={file} />
  ) : (
    <OpenButton isBusy={false} onOpen={() => setOpen(true)} />
  );
}

/** Asks whether to open Content Credentials. */
export function OpenButton({ isBusy, onOpen }: { isBusy: boolean; onOpen: () => void }): VNode {
  return (
    <div class="actions">
      <button type="button" disabled={isBusy} onClick={onOpen}>
        Open the credentials
      </button>
      <span class="quiet">They are checked here, in your browser; nobody is asked.</span>
    </div>
  );
}

/** A store that the reader has opened. */
export function OpenStore({ store, file }: { store: Uint8Array; file: Uint8Array | null }): VNode {
  const lists = useObserved(trustLists);
  const task = useTask<CredentialsJudgement | null>();
  useEffect(() => task.run((signal) => judge({ store, file, lists }, signal)), [store, file, lists]);
  return (
    <section class="store" aria-label="Content Credentials" aria-busy={task.state.kind === "busy"}>
      {task.state.kind === "busy" && <p role="status">Checking…</p>}
      {task.state.kind === "failed" && <Problem error={task.state.error} />}
      {task.state.kind === "done" &&
        (task.state.result === null ? (
          <p class="warning">This cannot be read as Content Credentials.</p>
        ) : (
          <JudgementView judgement={task.state.result} />
        ))}
      <TrustListInput />
    </section>
  );
}
