import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { processTree } from "./process-tree.ts";

/** Linux counts processor time in ticks of 10 ms. */
const MS_PER_TICK = 10;

/**
 * Processor milliseconds that the service and the processes below it have taken, with those of the database server and
 * its children; what ended ones took counts once their parent has seen their end (Linux).
 */
export async function processorMs(service: number, postmaster: number): Promise<number> {
  const pids = new Set([service, postmaster].flatMap((root) => processTree(root).map(({ pid }) => pid)));
  let ticks = 0;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // User and system time of its own, and of children that have ended.
    for (const field of fieldsOf(stat).slice(11, 15)) ticks += Number(field);
  }
  return ticks * MS_PER_TICK;
}

/** Processor milliseconds by what took them. */
export interface ProcessorParts {
  /** The thread that answers requests. */
  readonly mainThread: number;
  /** Threads that describe and compare pictures. */
  readonly workers: number;
  /** What the runtime does beside those: collecting garbage, files, hashes. */
  readonly runtime: number;
  readonly decoders: number;
  readonly database: number;
}

/** The same by part (Linux). */
export function processorParts(service: number, postmaster: number): ProcessorParts {
  const database = processTree(postmaster).map(({ pid }) => pid);
  const below = processTree(service).map(({ pid }) => pid);
  const decoders = below.filter((pid) => pid !== service && !database.includes(pid));
  const threads = threadsOf(service);
  const of = (chosen: readonly { readonly ms: number }[]): number => sum(chosen.map(({ ms }) => ms));
  return {
    mainThread: of(threads.filter(({ id }) => id === service)),
    workers: of(threads.filter(({ name }) => name === "WorkerThread")),
    runtime: of(threads.filter(({ id, name }) => id !== service && name !== "WorkerThread")),
    decoders: sum(decoders.map(processMs)),
    database: sum(database.map(processMs)),
  };
}

/** Processor milliseconds of one process and of children of its that have ended; none of one that is gone. */
export function processMs(pid: number): number {
  try {
    const ticks = fieldsOf(readFileSync(`/proc/${pid}/stat`, "utf8")).slice(11, 15);
    return sum(ticks.map(Number)) * MS_PER_TICK;
  } catch {
    return 0;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

function threadsOf(pid: number): { readonly id: number; readonly name: string; readonly ms: number }[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((id) => {
      const stat = readFileSync(`/proc/${pid}/task/${id}/stat`, "utf8");
      const [user, system] = fieldsOf(stat).slice(11, 13);
      const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
      return { id: Number(id), name, ms: (Number(user) + Number(system)) * MS_PER_TICK };
    });
  } catch {
    // It has ended.
    return [];
  }
}

/** The fields of a `stat` file after the name, which may contain anything. */
function fieldsOf(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
