/**
 * The long runs before a release, one after the other, each a command of its own; a report of each in a folder. Takes
 * hours.
 *
 *     node trials/long-runs.ts --out DIR [--only NAME,...] [--seed 1] [--share 1]
 *
 * `--share` 0.01 does a hundredth of each. Ends with 1 if any run found a breach.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";

/** A trial, with the option that says how much and how much that is. */
interface LongRun {
  readonly trial: string;
  readonly amount: string;
  readonly whole: number;
}

/** By the name that `--only` takes. */
const RUNS: Readonly<Record<string, LongRun>> = {
  "hostile-requests": { trial: "hostile/requests.ts", amount: "requests", whole: 100_000 },
  "hostile-images": { trial: "hostile/images.ts", amount: "images", whole: 20_000 },
  "hostile-credentials": { trial: "hostile/credentials.ts", amount: "files", whole: 20_000 },
  "hostile-sequences": { trial: "hostile/sequences.ts", amount: "requests", whole: 20_000 },
  "crash-registrations": { trial: "crash/registrations.ts", amount: "rounds", whole: 30 },
  "crash-slots": { trial: "crash/slots.ts", amount: "rounds", whole: 30 },
  "crash-sequences": { trial: "crash/sequences.ts", amount: "rounds", whole: 30 },
  "crash-log": { trial: "crash/log.ts", amount: "rounds", whole: 30 },
  "log-size": { trial: "log-size.ts", amount: "entries", whole: 1_000_000 },
  "races-registrations": { trial: "races/registrations.ts", amount: "rounds", whole: 30 },
  "races-slots": { trial: "races/slots.ts", amount: "rounds", whole: 400 },
  "races-endpoints": { trial: "races/endpoints.ts", amount: "calls", whole: 3_000 },
  "index-split": { trial: "index-split.ts", amount: "rounds", whole: 10 },
  "database-away": { trial: "database-away.ts", amount: "rounds", whole: 10 },
  neighbour: { trial: "neighbour.ts", amount: "lookups", whole: 40 },
};

const { values } = readCommandLine({
  options: {
    out: { type: "string" },
    only: { type: "string", default: Object.keys(RUNS).join(",") },
    seed: { type: "string", default: "1" },
    share: { type: "string", default: "1" },
  },
});
if (values.out === undefined) refuseCommandLine("--out DIR is required");
await mkdir(values.out, { recursive: true });
for (const name of values.only.split(",")) {
  const run = RUNS[name];
  if (run === undefined) throw new Error(`There is no ${name}; there are ${Object.keys(RUNS).join(", ")}.`);
  const amount = Math.max(1, Math.round(run.whole * Number(values.share)));
  const args = [`trials/${run.trial}`, `--${run.amount}`, String(amount), "--seed", values.seed];
  const began = performance.now();
  process.stdout.write(`node ${args.join(" ")}\n`);
  const child = spawn(process.execPath, args, {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.pipe(createWriteStream(join(values.out, `${name}.json`)));
  const [code] = (await once(child, "exit")) as [number | null];
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  process.stdout.write(`${code === 0 ? "nothing found" : "BROKEN"} after ${minutes} minutes\n`);
  if (code !== 0) process.exitCode = 1;
}
