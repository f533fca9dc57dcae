import { pipeline } from "node:stream/promises";
import type { Command } from "../command.ts";
import { adminClient, SERVICE_OPTIONS } from "../service-options.ts";
import { accountPath } from "./account.ts";

const { json: _, ...EXPORT_OPTIONS } = SERVICE_OPTIONS;

/** The operator's commands on the append-only ledgers. */
export const ledgerCommands: readonly Command[] = [
  exportOf("custody", "Print the custody ledger of an account, one JSON row a line"),
  exportOf("usage", "Print the usage ledger of an account, one JSON row a line"),
];

function exportOf(ledger: string, summary: string): Command {
  return {
    words: [ledger, "export"],
    operands: ["ACCOUNT"],
    summary,
    options: EXPORT_OPTIONS,
    run: async (invocation) => {
      const client = await adminClient(invocation);
      await pipeline(client.stream(`${accountPath(invocation)}/${ledger}`), process.stdout, { end: false });
    },
  };
}
