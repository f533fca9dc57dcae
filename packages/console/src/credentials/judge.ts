import type { CredentialsJudgement, CredentialsToJudge } from "@colophon/credentials";

/** The worker's own loading of 9 MB included. */
const MOST_MS = 60_000;

/**
 * Validates a C2PA manifest store in a worker of its own, which loads the library and is ended after a minute. Null for
 * bytes that the library cannot read as a store.
 *
 * @throws Error when it took longer or could not be loaded; the signal's reason
 */
export async function judge(
  asked: CredentialsToJudge,
  signal: AbortSignal,
): Promise<CredentialsJudgement | null> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("./judging-worker.ts", import.meta.url), { type: "module" });
  const ended = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)]);
  try {
    return await new Promise((resolve, reject) => {
      ended.addEventListener("abort", () => reject(new Error("Checking these credentials took too long.")));
      worker.addEventListener("message", ({ data }: MessageEvent<CredentialsJudgement | null>) =>
        resolve(data),
      );
      worker.addEventListener("error", () =>
        reject(new Error("What checks credentials could not be loaded.")),
      );
      worker.postMessage(asked, []);
    });
  } finally {
    worker.terminate();
  }
}
