import { type DestinationStream, type Logger, pino } from "pino";
import type { LogLevel } from "./config/environment.ts";

const STDERR = 2;
/** Bytes of the log that wait for a reader who has stopped, or for room; what comes then is dropped. */
const MOST_WAITING = 1_048_576;
const REDACTED = ["*.authorization", "*.token", "*.adminToken"];

/**
 * Opens the log, on stderr. A reader that stops reading keeps nothing up, nor does a full disk: lines wait within a
 * bound.
 * @param readable lines for a person; otherwise a JSON object each, with `at` (RFC 3339) and `level` before all
 */
export function openLog(level: LogLevel, readable: boolean): Logger {
  const destination = pino.destination({ fd: STDERR, sync: false, maxLength: MOST_WAITING });
  outliveFailures(destination);
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: REDACTED,
    },
    readable ? readableLines(destination) : destination,
  );
}

/**
 * Keeps a failed write from ending the process: what it was to write waits, and is tried again with the next line. At
 * the exit the destination would write what waits until that succeeds, which a full disk never lets it; so it is left.
 */
function outliveFailures(destination: ReturnType<typeof pino.destination>): void {
  let failing = false;
  destination.on("error", () => (failing = true));
  destination.on("write", () => (failing = false));
  const flushSync = destination.flushSync.bind(destination);
  destination.flushSync = () => {
    if (!failing) flushSync();
  };
}

/** Rewrites each line as time, level, message, and what else it says. */
function readableLines(destination: DestinationStream): DestinationStream {
  return {
    write(line) {
      const { at, level, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>;
      const said = Object.entries(rest).map(([name, value]) => `${name}=${textOf(value)}`);
      const time = String(at).slice(11, 23);
      const words = [time, String(level).padEnd(5), ...(msg === undefined ? [] : [textOf(msg)]), ...said];
      destination.write(`${words.join(" ")}\n${stackOf(err)}`);
    },
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function stackOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("stack" in error)) return "";
  return `  ${String(error.stack).replaceAll("\n", "\n  ")}\n`;
}
