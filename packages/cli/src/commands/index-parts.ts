import type { Command } from "../command.ts";
import { Interruption } from "../interruption.ts";
import { DATA_DIR_OPTION, deploymentEnvironment } from "../settings/deployment-options.ts";

/** Moves postings to other servers. */
const split: Command = {
  words: ["index", "split"],
  operands: ["SERVER..."],
  summary: "Move the older part of the index to other PostgreSQL servers, while the service runs",
  details: [
    "A server is named as postgresql://user@host:port/database; each takes an equal range of the originals whose postings are",
    "in lists. The password comes from PGPASSWORD or ~/.pgpass. Interrupted, it is run again with the same servers.",
  ].join("\n"),
  options: DATA_DIR_OPTION,
  run: async (invocation) => {
    const { runSplit } = await import("@colophon/server");
    using interruption = new Interruption();
    const options = { servers: invocation.operands, signal: interruption.signal };
    process.exitCode = interruption.exitCode(await runSplit(deploymentEnvironment(invocation), options));
  },
};

/** The way back. */
const join: Command = {
  words: ["index", "join"],
  operands: [],
  summary: "Take the index back to the deployment's own server",
  details: [
    "Files every original again under the words that its own server keeps. The other servers are not asked: one that is lost",
    "is replaced by this command and a new split. All of it happens, or nothing.",
  ].join("\n"),
  options: DATA_DIR_OPTION,
  run: async (invocation) => {
    const { runJoin } = await import("@colophon/server");
    process.exitCode = await runJoin(deploymentEnvironment(invocation));
  },
};

/** What is where. */
const status: Command = {
  words: ["index", "status"],
  operands: [],
  summary: "Show which servers have which part of the index, and whether they answer",
  details: "Exit code 0 means that all of the index is counted.",
  options: DATA_DIR_OPTION,
  run: async (invocation) => {
    const { runIndexStatus } = await import("@colophon/server");
    process.exitCode = await runIndexStatus(deploymentEnvironment(invocation));
  },
};

/** The commands that spread the index over several database servers. */
export const indexCommands: readonly Command[] = [split, join, status];
