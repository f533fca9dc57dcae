import type { Grant } from "@colophon/contract";
import { ACCOUNT_OPTIONS, accountClient, TOKEN_DETAILS } from "../settings/account-options.ts";
import type { Command } from "../command.ts";
import { printJson, printTable } from "../print.ts";
import { wantsJson } from "../settings/service-options.ts";

/** Prints the account's allowance and use. */
export const stats: Command = {
  words: ["stats"],
  operands: [],
  summary: "Show what is left of the account's allowance",
  details: TOKEN_DETAILS,
  options: ACCOUNT_OPTIONS,
  run: async (invocation) => {
    const answer = await (await accountClient(invocation)).stats();
    if (wantsJson(invocation)) return printJson(answer);
    printTable([
      ["", "LEFT", "SPENT", "RESERVED", "ALLOWED"],
      ["Registrations", ...cells(answer.registrations)],
      ["Look-ups", ...cells(answer.lookups)],
    ]);
  },
};

function cells({ remaining, consumed, held, grant }: Grant): string[] {
  return [remaining, consumed, held, grant].map(String);
}
