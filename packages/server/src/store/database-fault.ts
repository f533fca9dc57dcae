import { errorCode } from "../error-code.ts";

/**
 * A failure of what the service stores in: it is away for the moment, it is full, or it refused a statement. The first
 * two pass, and nothing was written. `lost` passes, too, but something may have been written.
 */
export type DatabaseFault = "away" | "full" | "statement" | "lost";

/** The database went away during a COMMIT and did not come back in time: it may have been carried out. */
export class CommitLost extends Error {
  constructor(cause: unknown) {
    super("what became of a COMMIT is not known", { cause });
  }
}

/**
 * Codes of a server that is starting, stopping, crashed or out of connections (SQLSTATE classes 08, 57P and 53300),
 * that only reads (25006), or of a lost socket.
 */
const AWAY =
  /^(08...|57P0[1-5]|53300|25006|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;

/** What the driver says of a connection that is gone; it gives these no code. */
const GONE =
  /^Connection terminated|^timeout exceeded when trying to connect|^Client (has encountered a connection error|was closed) and is not queryable/;

/** A disk without room: PostgreSQL's word for it (SQLSTATE 53100), and the operating system's. */
const FULL = /^(53100|ENOSPC|EDQUOT)$/;

/** What kind of failure of the store an error is; null for any other error. */
export function databaseFault(error: unknown): DatabaseFault | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof CommitLost) return "lost";
  const code = errorCode(error) ?? "";
  if (FULL.test(code)) return "full";
  if (AWAY.test(code) || GONE.test(error.message) || isSocketMissing(error)) return "away";
  return /^[0-9A-Z]{5}$/.test(code) ? "statement" : null;
}

/** A unix socket that is not there, unlike any other file that is not. */
function isSocketMissing(error: Error): boolean {
  return errorCode(error) === "ENOENT" && "syscall" in error && error.syscall === "connect";
}

/** The kind of a failure and its code; never its message, which may quote a value. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const kind = databaseFault(error) ?? error.name;
  const code = errorCode(error);
  return code === undefined ? kind : `${kind} ${code}`;
}

/** Whether what failed may succeed when it is asked again, once the database is back or the disk has room. */
export function isPassing(error: unknown): boolean {
  const fault = databaseFault(error);
  return fault === "away" || fault === "full" || fault === "lost";
}
