import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { processTree } from "@colophon/testing/process/process-tree.ts";
import { postmasterIfThere } from "@colophon/testing/service-process.ts";
import type { Outcome, Reproduction } from "./reproduction.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const START_MS = 180_000;
const STOP_MS = 30_000;

/** `npm start` as a supervisor runs it: a process that is sent SIGTERM, its output into a log. */
export const endedNpmStart: Reproduction = {
  name: "npm-start",
  defect: "SIGTERM to npm start leaves the service and its database running",
  run: async () =>
    started(async (npm, dataDir) => {
      const tree = processTree(npm.pid ?? 0).map(({ pid }) => pid);
      npm.kill("SIGTERM");
      const began = performance.now();
      const left = (): boolean => tree.some(isRunning) || postmasterIfThere(dataDir) !== null;
      while (left() && performance.now() - began < STOP_MS) await sleep(100);
      const ended = `${((performance.now() - began) / 1_000).toFixed(1)} s`;
      return left()
        ? {
            holds: false,
            happens: `after ${ended} ${tree.filter(isRunning).length} of ${tree.length} processes still run`,
          }
        : { holds: true, happens: `all ended after ${ended}` };
    }),
};

/** The same: what of the first start ends up in the log. */
export const loggedToken: Reproduction = {
  name: "logged-token",
  defect: "the first start writes a live token into a supervisor's log",
  run: async () =>
    started(async (_npm, _dataDir, output) => {
      const token = /clp_\S+/.test(output());
      return {
        holds: !token,
        happens: token ? "the log holds the demo account's token" : "no token in the log",
      };
    }),
};

async function started(
  use: (npm: ChildProcess, dataDir: string, output: () => string) => Promise<Outcome>,
): Promise<Outcome> {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-npm-start-"));
  const npm = spawn("npm", ["start", "--silent"], {
    cwd: ROOT,
    env: { ...process.env, COLOPHON_PORT: "0", COLOPHON_DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let written = "";
  npm.stdout.on("data", (chunk: Buffer) => (written += chunk.toString()));
  npm.stderr.on("data", (chunk: Buffer) => (written += chunk.toString()));
  let tree: readonly number[] = [];
  try {
    const began = performance.now();
    while (!/listens at \S+\n/.test(written)) {
      if (performance.now() - began > START_MS) throw new Error(`The service did not listen:\n${written}`);
      await sleep(100);
    }
    // The greeting follows the address.
    await sleep(2_000);
    tree = processTree(npm.pid ?? 0).map(({ pid }) => pid);
    return await use(npm, dataDir, () => written);
  } finally {
    await end(tree, dataDir);
  }
}

/** Ends what is left of the start, the database last. */
async function end(tree: readonly number[], dataDir: string): Promise<void> {
  for (const pid of tree.filter(isRunning)) process.kill(pid, "SIGTERM");
  for (let wait = 0; wait < 100 && tree.some(isRunning); wait += 1) await sleep(100);
  for (const pid of tree.filter(isRunning)) process.kill(pid, "SIGKILL");
  const left = postmasterIfThere(dataDir);
  if (left !== null) process.kill(left, "SIGQUIT");
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

function isRunning(pid: number): boolean {
  return processTree(pid).length > 0;
}
