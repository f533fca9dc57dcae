import { type Command, numberOption, textOption } from "../command.ts";
import { Failure } from "../failure.ts";
import { Interruption } from "../interruption.ts";
import { vkeysOption } from "../settings/log-keys.ts";

/** Serves the C2SP witness protocol for the logs of other registries. */
export const witness: Command = {
  words: ["witness"],
  operands: [],
  summary: "Run a witness, which cosigns the checkpoints of other registries' logs",
  details: [
    "A witness signs that it saw a checkpoint, and that the log holds all it held before: a log that shows one reader",
    "something else than another is found out. It prints its vkey, for the readers of those logs and for their",
    "COLOPHON_WITNESSES. Its key and what it has signed last are in the data directory: never go back to an older copy.",
  ].join("\n"),
  options: {
    name: { placeholder: "NAME", summary: "The name of its key: its public address without https://" },
    log: {
      placeholder: "VKEY|FILE",
      repeated: true,
      summary: "The key of a log that it watches; repeatable",
    },
    "data-dir": { placeholder: "DIR", summary: "Where its key and state are kept (else ./witness)" },
    host: { placeholder: "HOST", summary: "Listen address (else 127.0.0.1)" },
    port: { placeholder: "PORT", summary: "Listen port, 0 for any free one (else 8401)" },
  },
  run: async (invocation) => {
    const name = textOption(invocation, "name");
    const logs = await vkeysOption(invocation, "log");
    if (name === undefined || logs.length === 0) throw Failure.usage("A witness needs --name and --log.");
    const { runWitness } = await import("@colophon/server");
    using interruption = new Interruption();
    const options = {
      name,
      logs,
      dataDir: textOption(invocation, "data-dir") ?? "witness",
      host: textOption(invocation, "host") ?? "127.0.0.1",
      port: numberOption(invocation, "port") ?? 8401,
    };
    await runWitness(options, interruption.signal);
  },
};
