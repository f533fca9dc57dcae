import { readFile } from "node:fs/promises";
import { processTree } from "./process-tree.ts";

/** Linux counts processor time in ticks of 10 ms. */
const MS_PER_TICK = 10;

/**
 * Processor milliseconds that the service and the processes below it have taken, with those of the database server and its children; what ended ones took counts
 * once their parent has seen their end (Linux).
 */
export async function processorMs(service: number, postmaster: number): Promise<number> {
  const pids = new Set([service, postmaster].flatMap((root) => processTree(root).map(({ pid }) => pid)));
  let ticks = 0;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // User and system time of its own, and of children that have ended.
    for (const field of fields.slice(11, 15)) ticks += Number(field);
  }
  return ticks * MS_PER_TICK;
}
