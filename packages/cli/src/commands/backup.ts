import { readFile } from "node:fs/promises";
import {
  type Command,
  type Invocation,
  operand,
  type OptionSpec,
  switchOption,
  textOption,
} from "../command.ts";
import { Failure } from "../failure.ts";
import { Interruption } from "../interruption.ts";
import { DATA_DIR_OPTION, deploymentEnvironment } from "../settings/deployment-options.ts";

const OPTIONS: Readonly<Record<string, OptionSpec>> = {
  ...DATA_DIR_OPTION,
  "passphrase-file": {
    placeholder: "FILE",
    summary: "Its first line seals the key-encryption key within the backup",
  },
};

/** Writes one snapshot of a deployment to a file. */
const backup: Command = {
  words: ["backup"],
  operands: ["FILE"],
  summary: "Back up a deployment into a new file, while its service runs or not",
  details: [
    "Works on the database that the environment names, as serve does, embedded or your own. Without --passphrase-file",
    "the key-encryption key is not in the backup: keep it apart. No pixel is ever in a backup.",
  ].join("\n"),
  options: OPTIONS,
  run: async (invocation) => {
    const { runBackup } = await import("@colophon/server");
    using interruption = new Interruption();
    const options = { ...(await common(invocation)), signal: interruption.signal };
    process.exitCode = interruption.exitCode(await runBackup(deploymentEnvironment(invocation), options));
  },
};

/** Fills an empty deployment from such a file. */
const restore: Command = {
  words: ["restore"],
  operands: ["FILE"],
  summary: "Restore a backup into an empty data directory, or an empty database of your own",
  details: [
    "All of it is restored, or nothing. Interrupted, it is run again; no service starts on the database before it has come",
    "to its end. The transparency log begins again under another origin, for nobody knows what the lost registry has signed.",
  ].join("\n"),
  options: {
    ...OPTIONS,
    "passphrase-file": {
      placeholder: "FILE",
      summary: "Its first line opens the key-encryption key that is within the backup",
    },
    "log-goes-on": {
      summary: "The service that was backed up was stopped before, and never runs again: its log goes on",
    },
  },
  run: async (invocation) => {
    const { runRestore } = await import("@colophon/server");
    using interruption = new Interruption();
    const options = {
      ...(await common(invocation)),
      signal: interruption.signal,
      logGoesOn: switchOption(invocation, "log-goes-on") ?? false,
    };
    process.exitCode = interruption.exitCode(await runRestore(deploymentEnvironment(invocation), options));
  },
};

/** The commands that save a deployment and bring it back. */
export const backupCommands: readonly Command[] = [backup, restore];

async function common(invocation: Invocation): Promise<{ file: string; passphrase: string | null }> {
  const file = operand(invocation, 0);
  const path = textOption(invocation, "passphrase-file");
  if (path === undefined) return { file, passphrase: null };
  const text = await readFile(path, "utf8").catch(() => null);
  const passphrase = text?.split(/\r?\n/, 1)[0] ?? "";
  if (passphrase === "") throw Failure.usage("The file of --passphrase-file cannot be read, or is empty.");
  return { file, passphrase };
}
