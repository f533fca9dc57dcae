import {
  type Candidate,
  fetchStore,
  findByBinding,
  fingerprints,
  type Resolver,
} from "@colophon/credentials";
import { fromHex } from "@colophon/formats";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Problem } from "../components/problem.tsx";
import { saveFile } from "../browser/save-file.ts";
import { useDesk } from "../desk/session.ts";
import { useTask } from "../browser/task.ts";
import { byteSize } from "../wording.ts";
import { ReceiptLine } from "../credentials/receipt-line.tsx";
import { OpenButton, OpenStore } from "../credentials/store-view.tsx";

/**
 * The Content Credentials registered with an original, offered for what was made of it. Nothing where there are none,
 * and nothing is charged.
 */
export function Recovered({ hash, file }: { hash: string; file: Uint8Array }): VNode | null {
  const { resolver } = useDesk();
  const task = useTask<readonly Candidate[]>();
  useEffect(() => task.run((signal) => storesOf(resolver, hash, signal)), [resolver, hash]);
  const found = task.state.kind === "done" ? task.state.result : [];
  if (found.length === 0) return null;
  return (
    <section class="sheet recovered">
      <h3>Its Content Credentials, recovered</h3>
      <p class="quiet">
        Registered with the original: what its makers signed. Nobody here has checked it before you do.
      </p>
      {found.map((candidate) => (
        <RecoveredStore key={candidate.address} resolver={resolver} candidate={candidate} file={file} />
      ))}
    </section>
  );
}

function RecoveredStore({
  resolver,
  candidate,
  file,
}: {
  resolver: Resolver;
  candidate: Candidate;
  file: Uint8Array;
}): VNode {
  const task = useTask<Uint8Array>();
  const { state } = task;
  const open = (): void => task.run((signal) => fetchStore(resolver, candidate, signal));
  return (
    <article class="manifest">
      <header>
        <h4>{candidate.manifestId}</h4>
        {state.kind === "done" && <Download name={candidate.manifestId} store={state.result} />}
      </header>
      {state.kind === "failed" && <Problem error={state.error} retry={open} />}
      {state.kind === "done" ? (
        <>
          <ReceiptLine resolver={resolver} candidate={candidate} store={state.result} />
          <OpenStore store={state.result} file={file} />
        </>
      ) : (
        <OpenButton isBusy={state.kind === "busy"} onOpen={open} />
      )}
    </article>
  );
}

function Download({ name, store }: { name: string; store: Uint8Array }): VNode {
  const file = `${name.replaceAll(/[^\w.-]+/g, "-")}.c2pa`;
  return (
    <>
      <span class="quiet">C2PA, {byteSize(store.length)}</span>
      <button
        type="button"
        class="plain"
        aria-label={`Download .c2pa of ${name}`}
        onClick={() => saveFile(file, "application/c2pa", store)}
      >
        Download .c2pa
      </button>
    </>
  );
}

/**
 * The stores under the service's own fingerprint, whose value is the hash; none where the service has this switched
 * off.
 */
async function storesOf(
  resolver: Resolver,
  hash: string,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const [alg] = await ownFingerprints(resolver, signal);
  return alg === undefined ? [] : findByBinding(resolver, { alg, value: fromHex(hash) }, signal);
}

/** What the service has said of its fingerprints, for all originals of an answer. */
const told = new WeakMap<Resolver, readonly string[]>();

async function ownFingerprints(resolver: Resolver, signal: AbortSignal): Promise<readonly string[]> {
  const algs = told.get(resolver) ?? (await fingerprints(resolver, signal));
  told.set(resolver, algs);
  return algs;
}
