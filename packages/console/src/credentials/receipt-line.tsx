import { type Candidate, fetchReceipt, type Resolver } from "@colophon/credentials";
import { parseReceipt, parseVkey, type VerifierKey, verifyReceipt } from "@colophon/log";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { BASE_URL } from "../browser/base-url.ts";
import { useConfiguration } from "../configuration.ts";
import { useTask } from "../browser/task.ts";
import { instant } from "../wording.ts";

/**
 * One line: since when a store is in the service's log, by its receipt, checked here. Nothing where there is no log.
 */
export function ReceiptLine({
  resolver,
  candidate,
  store,
}: {
  resolver: Resolver;
  candidate: Candidate;
  store: Uint8Array;
}): VNode | null {
  const { witnesses } = useConfiguration();
  const task = useTask<VNode | null>();
  useEffect(
    () => task.run((signal) => readReceipt(resolver, candidate, store, witnesses, signal)),
    [resolver, candidate, store],
  );
  if (task.state.kind === "failed") {
    return <p class="warning">Its receipt of the log did not come.</p>;
  }
  return task.state.kind === "done" ? task.state.result : null;
}

async function readReceipt(
  resolver: Resolver,
  candidate: Candidate,
  store: Uint8Array,
  witnessKeys: readonly VerifierKey[],
  signal: AbortSignal,
): Promise<VNode | null> {
  const said = await fetchReceipt(resolver, candidate, signal);
  if (said === null) return null;
  const vkey = await (await fetch(new URL("log/vkey", BASE_URL), { signal })).text();
  try {
    const receipt = parseReceipt(said);
    const checks = verifyReceipt(receipt, store, { logKey: parseVkey(vkey), witnessKeys });
    const fault = checks.find(({ result }) => result === "failed");
    if (fault !== undefined) return <p class="warning">{fault.sentence}</p>;
    return (
      <p class="quiet">
        In the log since {instant(receipt.statement.signedAt)}, entry {receipt.entry}.
      </p>
    );
  } catch {
    return <p class="warning">Its receipt of the log cannot be read.</p>;
  }
}
