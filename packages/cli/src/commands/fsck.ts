import { type Command, switchOption } from "../command.ts";
import { DATA_DIR_OPTION, deploymentEnvironment } from "../settings/deployment-options.ts";

/** Re-derives everything the database claims: sums, charges, custody pairs, ledger chains, sequences, keys, records. */
export const fsck: Command = {
  words: ["fsck"],
  operands: [],
  summary: "Check the data of a deployment against itself",
  details:
    "Works on the database that the environment names, as serve does, whether or not a service runs on it. " +
    "Prints one line for every breach; exit code 0 means none was found.",
  options: {
    ...DATA_DIR_OPTION,
    "at-rest": { summary: "Nothing is under way: whatever waits for a sweep is a breach too" },
    signatures: { summary: "Verify every record as its readers do" },
    packets: { summary: "Open and read every stored packet, and every query image that waits" },
  },
  run: async (invocation) => {
    const { runFsck } = await import("@colophon/server");
    process.exitCode = await runFsck(deploymentEnvironment(invocation), {
      atRest: switchOption(invocation, "at-rest") ?? false,
      signatures: switchOption(invocation, "signatures") ?? false,
      packets: switchOption(invocation, "packets") ?? false,
    });
  },
};
