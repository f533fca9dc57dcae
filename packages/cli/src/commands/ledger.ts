import { pipeline } from "node:stream/promises";
import type { UsageRow } from "@colophon/contract";
import { type Command, operand, switchOption } from "../command.ts";
import { operatorClient, SERVICE_OPTIONS } from "../settings/service-options.ts";

const { json: _, ...EXPORT_OPTIONS } = SERVICE_OPTIONS;

/** The columns of a usage row, in the order of its fields. */
const COLUMNS = [
  "seq",
  "at",
  "kind",
  "units",
  "imageHash",
  "originalImageHash",
  "registrationId",
  "slotId",
] as const satisfies readonly (keyof UsageRow)[];

/** The operator's commands on the append-only ledgers. */
export const ledgerCommands: readonly Command[] = [
  exportOf("custody", "Print the custody ledger of an account, one JSON row a line"),
  exportOf("operations", "Print what operators did to an account and its originals, one JSON row a line"),
  {
    words: ["usage", "export"],
    operands: ["ACCOUNT"],
    summary: "Print the usage ledger of an account, one JSON row a line",
    options: {
      csv: { summary: "Print a table (RFC 4180) for a spreadsheet instead, without the chain of hashes" },
      ...EXPORT_OPTIONS,
    },
    run: async (invocation) => {
      const rows = (await operatorClient(invocation)).usage(operand(invocation, 0));
      await print(switchOption(invocation, "csv") === true ? csv(rows) : lines(rows));
    },
  },
];

function exportOf(ledger: "custody" | "operations", summary: string): Command {
  return {
    words: [ledger, "export"],
    operands: ["ACCOUNT"],
    summary,
    options: EXPORT_OPTIONS,
    run: async (invocation) => {
      const client = await operatorClient(invocation);
      await print(lines(client[ledger](operand(invocation, 0))));
    },
  };
}

/** Prints rows for as long as somebody reads them: the service is not asked for the others. */
async function print(text: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(text, process.stdout, { end: false });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
  }
}

/** A row is flat, so printed again it is the text it came as. */
async function* lines(rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}

/** No field of a usage row holds a comma, a quote or a line's end. */
async function* csv(rows: AsyncIterable<UsageRow>): AsyncGenerator<string> {
  yield `${COLUMNS.join(",")}\r\n`;
  for await (const row of rows) yield `${COLUMNS.map((column) => row[column] ?? "").join(",")}\r\n`;
}
