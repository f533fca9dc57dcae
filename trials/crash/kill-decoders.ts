import { processTree } from "@colophon/testing/process/process-tree.ts";
import { chance } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";

/** Kills some of a service's decoder processes, each with an even chance, and at least one if there is any (Linux). */
export function killDecoders(service: number, random: Random): void {
  const decoders = processTree(service).filter(
    ({ pid, name }) => pid !== service && !name.startsWith("postgres"),
  );
  const last = decoders.length - 1;
  for (const [i, { pid }] of decoders.entries()) {
    if (i < last && chance(random, 0.5)) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended, and another one serves.
    }
  }
}
