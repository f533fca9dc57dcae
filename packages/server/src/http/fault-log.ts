import type { Logger } from "pino";
import { errorCode } from "../error-code.ts";
import { databaseFault } from "../store/database-fault.ts";

/** Faults of one kind that are logged within a minute; the rest of them is counted. */
const LINES = 10;
const MINUTE_MS = 60_000;

interface Minute {
  lines: number;
  unlogged: number;
}

/**
 * Logs faults of the service: what failed and where, never a value, since messages of the database may quote one. A
 * flood of one kind takes a few lines a minute, the last of them with how many were left out.
 */
export class FaultLog {
  readonly #log: Pick<Logger, "error">;
  readonly #minutes = new Map<string, Minute>();

  constructor(log: Pick<Logger, "error">) {
    this.#log = log;
  }

  report(error: unknown, traceId: string): void {
    const fault = databaseFault(error);
    const err = error instanceof Error ? error : new Error("A value that is no error was thrown.");
    const where = err.stack?.split("\n").slice(1) ?? [];
    const code = errorCode(err);
    // Of a database that is away, where it was missed says nothing.
    const kind = [err.name, code, fault === null || fault === "statement" ? where[0]?.trim() : fault].join(
      " ",
    );
    if (this.#isLogged(kind)) {
      this.#log.error({ traceId, ...(fault ? { fault, code, where } : { err }) }, "request failed");
    }
  }

  #isLogged(kind: string): boolean {
    const minute = this.#minutes.get(kind) ?? this.#begin(kind);
    minute.lines += 1;
    if (minute.lines <= LINES) return true;
    minute.unlogged += 1;
    return false;
  }

  #begin(kind: string): Minute {
    const minute: Minute = { lines: 0, unlogged: 0 };
    this.#minutes.set(kind, minute);
    setTimeout(() => {
      this.#minutes.delete(kind);
      if (minute.unlogged > 0) {
        this.#log.error({ kind, unlogged: minute.unlogged }, "more requests failed alike");
      }
    }, MINUTE_MS).unref();
    return minute;
  }
}
