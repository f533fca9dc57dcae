import { isHash } from "@colophon/formats";
import { type Command, operand } from "../command.ts";
import { Failure } from "../failure.ts";
import { printJson, printLine } from "../print.ts";
import { shown } from "../shown.ts";
import { operatorClient, reasonOf, SERVICE_OPTIONS, wantsJson } from "../settings/service-options.ts";

type Act = "setOriginalAside" | "reinstateOriginal" | "takeDownOriginal";

/** The operator's commands on originals. */
export const originalCommands: readonly Command[] = [
  actOf(
    "set-aside",
    "setOriginalAside",
    "Let an original answer equal bytes alone, and match nothing by content",
    { answer: { setAside: true }, said: "Set aside; if it already was, nothing was recorded." },
  ),
  actOf("reinstate", "reinstateOriginal", "Let an original that was set aside match by content again", {
    answer: { setAside: false },
    said: "Reinstated; if it was not set aside, nothing was recorded.",
  }),
  actOf("takedown", "takeDownOriginal", "Take down an original or frame of any account, for good", {
    answer: { takenDown: true },
    said: "Taken down.",
  }),
];

function actOf(
  word: string,
  act: Act,
  summary: string,
  done: { readonly answer: object; readonly said: string },
): Command {
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
      const reason = reasonOf(invocation);
      const hash = operand(invocation, 0);
      if (!isHash(hash)) throw Failure.usage(`ORIGINAL_IMAGE_HASH takes 64 hex digits, not ${shown(hash)}.`);
      const client = await operatorClient(invocation);
      await client[act](hash, reason);
      if (wantsJson(invocation)) printJson(done.answer);
      else printLine(done.said);
    },
  };
}
