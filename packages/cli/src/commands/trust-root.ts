import type { Command } from "../command.ts";
import { printJson } from "../print.ts";
import { printable } from "../shown.ts";
import { operatorClient, SERVICE_OPTIONS, wantsJson } from "../settings/service-options.ts";

/** Prints the certificate that the operator publishes for those who verify records. */
export const trustRoot: Command = {
  words: ["trust-root"],
  operands: [],
  summary: "Print the root certificate that every record leads to, for you to publish",
  details: [
    "The certificate goes to standard output and its SHA-256 fingerprint, as openssl writes it, to standard error.",
    "Publish both where your readers trust you, such as your own website: a root that comes with the record it is to",
    "vouch for proves nothing.",
  ].join("\n"),
  options: SERVICE_OPTIONS,
  run: async (invocation) => {
    const answer = await (await operatorClient(invocation)).trustRoot();
    if (wantsJson(invocation)) return printJson(answer);
    process.stdout.write(answer.certificate);
    process.stderr.write(`${printable(answer.trustContext)}, SHA-256 ${colons(answer.thumbprint)}\n`);
  },
};

function colons(hex: string): string {
  return hex.toUpperCase().match(/../g)?.join(":") ?? "";
}
