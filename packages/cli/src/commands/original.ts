import type { OperatorClient } from "@colophon/client";
import { type Command, operand, textOption } from "../command.ts";
import { Failure } from "../failure.ts";
import { printJson, printLine } from "../print.ts";
import { operatorClient, SERVICE_OPTIONS, wantsJson } from "../service-options.ts";

type Act = "setOriginalAside" | "reinstateOriginal";

/** The operator's commands on originals. */
export const originalCommands: readonly Command[] = [
  actOf(
    "set-aside",
    "setOriginalAside",
    "Let an original answer equal bytes alone, and match nothing by content",
    {
      setAside: true,
    },
  ),
  actOf("reinstate", "reinstateOriginal", "Let an original that was set aside match by content again", {
    setAside: false,
  }),
];

function actOf(word: string, act: Act, summary: string, done: { readonly setAside: boolean }): Command {
  return {
    words: ["original", word],
    operands: ["ORIGINAL_IMAGE_HASH"],
    summary,
    details: "The reason goes to the account's ledger of operations.",
    options: {
      reason: { placeholder: "TEXT", summary: "Why; required" },
      ...SERVICE_OPTIONS,
    },
    run: async (invocation) => {
      const reason = textOption(invocation, "reason");
      if (reason === undefined) throw Failure.usage("--reason TEXT is required.");
      const client: OperatorClient = await operatorClient(invocation);
      await client[act](operand(invocation, 0), reason);
      if (wantsJson(invocation)) printJson(done);
      else printLine(done.setAside ? "Set aside." : "Reinstated.");
    },
  };
}
