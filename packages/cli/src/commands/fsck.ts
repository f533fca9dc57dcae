import { type Command, switchOption, textOption } from "../command.ts";

/** Re-derives everything the database claims: sums, charges, custody pairs, ledger chains, sequences, keys, records. */
export const fsck: Command = {
  words: ["fsck"],
  operands: [],
  summary: "Check the data of a deployment against itself",
  details:
    "Works on the database that the environment names, as serve does, whether or not a service runs on it. " +
    "Prints one line for every breach; exit code 0 means none was found.",
  options: {
    "data-dir": {
      placeholder: "DIR",
      summary: "Where database and keys are kept (COLOPHON_DATA_DIR, else ./data)",
    },
    "at-rest": { summary: "Nothing is under way: whatever waits for a sweep is a breach too" },
    signatures: { summary: "Verify every record as its readers do" },
    packets: { summary: "Open and read every stored packet, and every query image that waits" },
  },
  run: async (invocation) => {
    const dataDir = textOption(invocation, "data-dir");
    const { runFsck } = await import("@colophon/server");
    process.exitCode = await runFsck(
      { ...process.env, ...(dataDir !== undefined && { COLOPHON_DATA_DIR: dataDir }) },
      {
        atRest: switchOption(invocation, "at-rest") ?? false,
        signatures: switchOption(invocation, "signatures") ?? false,
        packets: switchOption(invocation, "packets") ?? false,
      },
    );
  },
};
