import { pipeline } from "node:stream/promises";
import { type Command, operand } from "../command.ts";
import { operatorClient, SERVICE_OPTIONS } from "../service-options.ts";

const { json: _, ...EXPORT_OPTIONS } = SERVICE_OPTIONS;

/** The operator's commands on the append-only ledgers. */
export const ledgerCommands: readonly Command[] = [
  exportOf("custody", "Print the custody ledger of an account, one JSON row a line"),
  exportOf("operations", "Print what operators did to originals of an account, one JSON row a line"),
  exportOf("usage", "Print the usage ledger of an account, one JSON row a line"),
];

function exportOf(ledger: "custody" | "usage" | "operations", summary: string): Command {
  return {
    words: [ledger, "export"],
    operands: ["ACCOUNT"],
    summary,
    options: EXPORT_OPTIONS,
    run: async (invocation) => {
      const client = await operatorClient(invocation);
      await pipeline(lines(client[ledger](operand(invocation, 0))), process.stdout, { end: false });
    },
  };
}

/** A row is flat, so printed again it is the text it came as. */
async function* lines(rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}
