import { type DestinationStream, type Logger, pino } from "pino";
import type { LogLevel } from "./config/environment.ts";

const STDERR = 2;
/** Characters of the log that wait for a reader who has stopped; what comes then is dropped. */
const MOST_WAITING = 1_048_576;
const REDACTED = ["*.authorization", "*.token", "*.adminToken"];

/**
 * Opens the log, on stderr. A reader that stops reading keeps nothing up: lines wait for it within a bound.
 * @param readable lines for a person; otherwise a JSON object each, with `at` (RFC 3339) and `level` before all
 */
export function openLog(level: LogLevel, readable: boolean): Logger {
  const destination = pino.destination({ fd: STDERR, sync: false, maxLength: MOST_WAITING });
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
