import { ColophonError, type RecordAnswer } from "@colophon/client";
import { parseLogProof, parseVkey, type VerifierKey, verifyLogProof } from "@colophon/log";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { BASE_URL } from "../browser/base-url.ts";
import { useConfiguration } from "../configuration.ts";
import { Fact } from "../components/facts.tsx";
import type { Desk } from "../desk/desk.ts";
import { useDesk } from "../desk/session.ts";
import { counted, instant } from "../wording.ts";

/** What the service's log has of a record: its place there, or why it shows none. */
type Logged =
  | { readonly kind: "shown"; readonly place: string; readonly seenBy: number }
  | { readonly kind: "broken"; readonly sentence: string }
  | { readonly kind: "absent" };

/**
 * One line: since when a record that was just read is in the log, and how many of the witnesses that the operator names
 * have seen it there. Nothing where no log is kept.
 */
export function InLog({ record }: { record: RecordAnswer }): VNode | null {
  const desk = useDesk();
  const { witnesses } = useConfiguration();
  const [logged, setLogged] = useState<Logged | null>(null);
  useEffect(() => {
    const asked = new AbortController();
    void readLogged(desk, witnesses, record, asked.signal).then(
      (found) => asked.signal.aborted || setLogged(found),
    );
    return () => asked.abort();
  }, [record]);
  if (logged === null || record.verification === null || logged.kind === "absent") return null;
  if (logged.kind === "broken") {
    return (
      <Fact name="In the log">
        <span class="warning">{logged.sentence}</span>
      </Fact>
    );
  }
  const second = new Date(record.verification.signedAtUtc);
  return (
    <Fact name="In the log">
      since {instant(second)}, {logged.place}, seen by {seenInWords(logged.seenBy, witnesses.length)}
    </Fact>
  );
}

async function readLogged(
  desk: Desk,
  witnessKeys: readonly VerifierKey[],
  record: RecordAnswer,
  signal: AbortSignal,
): Promise<Logged> {
  try {
    const proof = await desk.client.logProof(record.originalImageHash, { signal });
    const vkey = await (await fetch(new URL("log/vkey", BASE_URL), { signal })).text();
    const logKey = parseVkey(vkey);
    const checks = verifyLogProof(record, proof, { logKey, witnessKeys });
    const fault = checks.find(({ result }) => result === "failed");
    if (fault !== undefined) return { kind: "broken", sentence: fault.sentence };
    const seen = checks.filter(({ name, result }) => name === "logWitness" && result === "passed");
    return { kind: "shown", place: `entry ${parseLogProof(proof).index}`, seenBy: seen.length };
  } catch (error) {
    const isOff = error instanceof ColophonError || signal.aborted;
    return isOff ? { kind: "absent" } : { kind: "broken", sentence: "The proof cannot be read." };
  }
}

function seenInWords(seen: number, known: number): string {
  if (known === 0) return "no witness: this registry has none";
  if (seen === 0) return "no witness yet";
  return seen === known ? counted(seen, "witness", "witnesses") : `${seen} of ${known} witnesses`;
}
