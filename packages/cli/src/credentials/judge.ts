import { Worker } from "node:worker_threads";
import type { CredentialsJudgement, CredentialsToJudge } from "@colophon/credentials";

/** What judging one store may take; a store of 4 MiB takes a second and 100 MB. */
const MOST_MS = 30_000;
const MOST_BYTES = 1_073_741_824;
const WATCH_EVERY_MS = 50;

/** Why there is no judgement: what follows the name of the bytes. */
export const NOT_JUDGED = "cannot be read as Content Credentials, or not within 30 seconds and a gigabyte";

const WORKER = `./judging-worker${import.meta.url.slice(import.meta.url.lastIndexOf("."))}`;

/**
 * Validates a C2PA manifest store in a thread of its own, which is ended when it takes more than 30 seconds or a
 * gigabyte. Null for bytes that the library cannot read as a store, and for those that take more.
 */
export async function judge(asked: CredentialsToJudge): Promise<CredentialsJudgement | null> {
  const worker = new Worker(new URL(WORKER, import.meta.url));
  const before = process.memoryUsage.rss();
  let watch: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const until = Date.now() + MOST_MS;
      watch = setInterval(() => {
        if (Date.now() > until || process.memoryUsage.rss() - before > MOST_BYTES) resolve(null);
      }, WATCH_EVERY_MS);
      worker.on("message", resolve);
      worker.on("error", reject);
      worker.postMessage(asked, []);
    });
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}
