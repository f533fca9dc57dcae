import { atMost } from "@colophon/formats";
import { AuditFailure, type ReadLog } from "@colophon/log";
import { Failure } from "../failure.ts";

/** How often one address is tried, and the pause before the second time. */
const TRIES = 5;
const FIRST_PAUSE_MS = 250;
/** Bytes of what a log serves: a bundle has 256 entries of 65,535 bytes at most. */
const MOST_BYTES = 33_554_432;
/** How long a whole answer may take. */
const PATIENCE_MS = 60_000;

/** Reads a log over HTTP, again where an address gives no whole answer in time. */
export function logReader(prefix: string, patienceMs: number = PATIENCE_MS): ReadLog {
  return async (path) => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await answered(`${prefix}/${path}`, patienceMs);
      if (answer?.status === 200) return whole(path, answer.bytes);
      const passing = answer === null || answer.status >= 500 || answer.status === 429;
      if (!passing) throw new AuditFailure(`The log has no ${path} (status ${answer.status}).`);
      if (attempt === TRIES) throw Failure.unreachable(`The log gives no answer at ${prefix}/${path}.`);
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
    }
  };
}

/** What an address answers, null bytes when they are more than any; null where no whole answer comes in time. */
async function answered(
  address: string,
  patienceMs: number,
): Promise<{ readonly status: number; readonly bytes: Uint8Array | null } | null> {
  try {
    const { status, body } = await fetch(address, { signal: AbortSignal.timeout(patienceMs) });
    return { status, bytes: await atMost(MOST_BYTES, body) };
  } catch {
    return null;
  }
}

function whole(path: string, bytes: Uint8Array | null): Uint8Array {
  if (bytes === null) throw new AuditFailure(`The log's ${path} is longer than any.`);
  return bytes;
}
