import { ACCOUNT_OPTIONS, accountClient, TOKEN_DETAILS } from "../settings/account-options.ts";
import { type Command, operand } from "../command.ts";
import { printJson, printLine } from "../print.ts";
import { wantsJson } from "../settings/service-options.ts";

/** Takes one registration down. */
export const takedown: Command = {
  words: ["takedown"],
  operands: ["REGISTRATION"],
  summary: "Take a registration down for good; its image stops matching and may be registered again",
  details: TOKEN_DETAILS,
  options: ACCOUNT_OPTIONS,
  run: async (invocation) => {
    await (await accountClient(invocation)).takeDown(operand(invocation, 0));
    if (wantsJson(invocation)) printJson({ takenDown: true });
    else printLine("Taken down.");
  },
};
