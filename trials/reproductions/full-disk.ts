import { runDisk } from "../disk.ts";
import type { Reproduction } from "./reproduction.ts";

const MEGABYTES = 420;

/** A data directory on a small volume, filled with pooled queries and then by a stranger. */
export const fullDisk: Reproduction = {
  name: "full-disk",
  defect: "pooled queries fill the disk, nothing frees it, and the service cannot be stopped",
  run: async (seed) => {
    if (process.platform !== "linux" || process.getuid?.() !== 0) {
      return { holds: false, happens: "not tried: mounting a small volume takes root on Linux" };
    }
    const { breaches, milliseconds } = await runDisk({ megabytes: MEGABYTES, seed });
    const [first] = breaches;
    const times = Object.entries(milliseconds).map(([what, ms]) => `${what}: ${ms} ms`);
    return {
      holds: first === undefined,
      happens: first === undefined ? times.join(", ") : `${first}, and ${breaches.length - 1} more`,
    };
  },
};
