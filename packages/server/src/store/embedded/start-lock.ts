import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;
const POLL_MS = 20;

/** Another process still held the lock when patience was over. */
export class StartLockHeld extends Error {
  override readonly name = "StartLockHeld";
  constructor(path: string) {
    super(`Another process does not release the start lock ${path}.`);
  }
}

/**
 * Runs `work` while holding `path` exclusively among all processes. Node offers no `flock`; SQLite's exclusive
 * transaction is one. The kernel releases it with its process, so a killed holder leaves nothing stale, and
 * no process id has to be judged.
 *
 * @throws StartLockHeld when another process still holds the lock after `timeoutMs`; whatever `work` throws.
 */
export async function underStartLock<Result>(
  path: string,
  timeoutMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  using file = new DatabaseSync(path, { timeout: 0 });
  const deadline = performance.now() + timeoutMs;
  while (!takes(file, path)) {
    if (performance.now() > deadline) throw new StartLockHeld(path);
    await sleep(POLL_MS);
  }
  return await work();
}

function takes(file: DatabaseSync, path: string): boolean {
  try {
    // With its journal in memory the transaction writes nothing: a full disk keeps nobody from the lock.
    file.exec("pragma journal_mode = memory; begin exclusive");
    return true;
  } catch (error) {
    if (isCode(error, SQLITE_BUSY)) return false;
    if (isCode(error, SQLITE_NOTADB)) {
      throw new Error(`The start lock ${path} is damaged: remove the file while no Colophon runs on it.`, {
        cause: error,
      });
    }
    throw error;
  }
}

function isCode(error: unknown, code: number): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === code;
}
