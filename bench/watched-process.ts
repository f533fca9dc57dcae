/**
 * Loaded before a service by `throughput.ts` (`node --import`): on SIGUSR2 the file that `COLOPHON_BENCH_WATCH` names
 * gets what the process's main thread did since the last time.
 */
import { writeFileSync } from "node:fs";
import { createHistogram } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";
import pg from "pg";

/** What a process did. */
export interface Watched {
  /** Processor milliseconds of the main thread. */
  readonly mainThreadMs: number;
  /** Processor milliseconds of its longest turn of the event loop, and of one in a hundred. */
  readonly longestTurnMs: number;
  readonly turnP99Ms: number;
  /** Statements sent to the database, by their first words. */
  readonly statements: Readonly<Record<string, number>>;
}

const NS_PER_US = 1_000;
const WORDS = 9;
const target = process.env.COLOPHON_BENCH_WATCH;
// Decoders inherit the environment, and workers this module.
if (target !== undefined && isMainThread && process.argv[1]?.endsWith("server/src/main.ts") === true) {
  watch(target);
}

function watch(file: string): void {
  let turns = createHistogram();
  let statements = new Map<string, number>();
  let [began, last] = [spent(), spent()];
  // Processor time between two timers that are due at once is that of a turn, however busy the machine is.
  setInterval(() => {
    const now = spent();
    turns.record(Math.max(1, Math.round((now - last) * NS_PER_US)));
    last = now;
  }, 1).unref();
  const asked = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const { query } = asked;
  asked.query = function (...args): unknown {
    const [statement] = args as [string | { readonly text?: string }];
    const text = typeof statement === "string" ? statement : (statement.text ?? "copy");
    const name = text.trim().split(/\s+/, WORDS).join(" ");
    statements.set(name, (statements.get(name) ?? 0) + 1);
    return query.apply(this, args);
  };
  process.on("SIGUSR2", () => {
    const watched: Watched = {
      mainThreadMs: (spent() - began) / 1_000,
      longestTurnMs: turns.max / 1e6,
      turnP99Ms: turns.percentile(99) / 1e6,
      statements: Object.fromEntries(statements),
    };
    writeFileSync(file, JSON.stringify(watched));
    turns = createHistogram();
    statements = new Map();
    began = spent();
  });
}

/** Processor microseconds of this thread. */
function spent(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
