import { ACCOUNT_OPTIONS, accountClient, TOKEN_DETAILS } from "../settings/account-options.ts";
import { type Command, operand } from "../command.ts";
import { EXIT } from "../failure.ts";
import { hashOperand } from "../input/hash-operand.ts";
import { printLine } from "../print.ts";

const WITHOUT_RECORD = {
  noRecordAnswered:
    "No record is published under that hash; colophon lookup finds the originals that an image shows.",
  takenDown: "That original was registered and has been taken down.",
  refused: "The service refused to say.",
  retry: "The service asks to be asked again.",
} as const;

const { json: _, ...OPTIONS } = ACCOUNT_OPTIONS;

/** Prints a record exactly as the service answered it. */
export const record: Command = {
  words: ["record"],
  operands: ["HASH|FILE"],
  summary: "Print the record of an original, given by its hash or as the file itself",
  details: [
    "Of a file, BLAKE3 is computed here and nothing is sent. The record is printed byte for byte: keep it as it is,",
    `colophon verify reads it. Where no record is published, nothing is printed, and the exit code is 5.\n${TOKEN_DETAILS}`,
  ].join("\n"),
  options: OPTIONS,
  run: async (invocation) => {
    const client = await accountClient(invocation);
    const hash = await hashOperand(operand(invocation, 0));
    const { text, outcome } = await client.record(hash);
    if (outcome === "published") return printLine(text);
    process.stderr.write(`${WITHOUT_RECORD[outcome]}\n`);
    process.exitCode = EXIT.negative;
  },
};
