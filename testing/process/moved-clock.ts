import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FILE = "MOVED_CLOCK_FILE";

/**
 * Settings of a process whose wall clock a test moves: it is off by the milliseconds that the file says, which is read
 * whenever the time is asked for. What measures time, and does not tell it, goes on undisturbed, and so do the database
 * and every other process.
 */
export function movedClock(file: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=${fileURLToPath(import.meta.url)}`, [FILE]: file };
}

const file = process.env[FILE];
if (file !== undefined) {
  const TrueDate = Date;
  const now = (): number => TrueDate.now() + Number(readFileSync(file, "utf8"));
  globalThis.Date = new Proxy(TrueDate, {
    construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [now()] : given, as),
    get: (target, key, as) => (key === "now" ? now : Reflect.get(target, key, as)),
  });
}
