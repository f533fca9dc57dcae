import { readdir, readFile } from "node:fs/promises";

/** Linux counts processor time in ticks of 10 ms. */
const MS_PER_TICK = 10;

/** Processor milliseconds that the service, the database server and its children have taken, ended children included (Linux). */
export async function processorMs(service: number, postmaster: number): Promise<number> {
  let total = 0;
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [, parent = 0] = fields;
    const pid = Number(name);
    if (pid !== service && pid !== postmaster && parent !== postmaster) continue;
    const own = (fields[11] ?? 0) + (fields[12] ?? 0);
    const ended = pid === postmaster ? (fields[13] ?? 0) + (fields[14] ?? 0) : 0;
    total += own + ended;
  }
  return total * MS_PER_TICK;
}
