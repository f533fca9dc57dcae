import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

const SQLITE_BUSY = 5;
const POLL_MS = 20;

/**
 * Runs `work` while holding `path` exclusively among all processes. Node offers no `flock`; SQLite's exclusive
 * transaction is one. The kernel releases it with its process, so a killed holder leaves nothing stale, and
 * no process id has to be judged.
 *
 * @throws Error when another process still holds the lock after `timeoutMs`; whatever `work` throws.
 */
export async function underStartLock<Result>(
  path: string,
  timeoutMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  using file = new DatabaseSync(path, { timeout: 0 });
  const deadline = Date.now() + timeoutMs;
  while (!takes(file)) {
    if (Date.now() > deadline) throw new Error(`Another process does not release the start lock ${path}.`);
    await sleep(POLL_MS);
  }
  return await work();
}

function takes(file: DatabaseSync): boolean {
  try {
    file.exec("begin exclusive");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
