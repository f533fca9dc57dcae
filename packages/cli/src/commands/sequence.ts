import { ColophonClient, ColophonError } from "@colophon/client";
import { ACCOUNT_OPTIONS, accountProfile, TOKEN_DETAILS } from "../settings/account-options.ts";
import { type Command, operand } from "../command.ts";
import { Failure } from "../failure.ts";
import { counted, printJson, printLine, printList } from "../print.ts";
import { unfinishedSequences } from "../saved/saved-sequence.ts";
import { wantsJson } from "../settings/service-options.ts";
import { sequenceRegister } from "./sequence-register.ts";

const list: Command = {
  words: ["sequence", "list"],
  operands: [],
  summary: "List the sequences that were begun here and are not registered yet",
  details: TOKEN_DETAILS,
  options: ACCOUNT_OPTIONS,
  run: async (invocation) => {
    const profile = await accountProfile(invocation);
    const client = new ColophonClient(profile);
    const sequences = [];
    for (const { saved } of unfinishedSequences(profile)) {
      if (saved === undefined) continue;
      const { sequence, operands } = saved;
      const progress = await client.sequences.progress(sequence).catch(noneOfOurs);
      if (progress !== null) sequences.push({ sequenceId: sequence.sequenceId, operands, progress });
    }
    if (wantsJson(invocation)) return printJson({ sequences });
    printList(
      ["SEQUENCE", "STATE", "FRAMES", "GAPS", "NOT NEW", "OF"],
      sequences.map(({ sequenceId, operands, progress: { state, framesReceived, gaps, errata } }) => [
        sequenceId,
        state,
        String(framesReceived),
        String(gaps.length),
        String(errata.length),
        operands.join(" "),
      ]),
      "No sequence that was begun here is unfinished; colophon library --sequences lists those begun elsewhere.",
    );
  },
};

const abandon: Command = {
  words: ["sequence", "abandon"],
  operands: ["SEQUENCE"],
  summary: "Abandon a sequence that was begun here: the service drops all it holds of it",
  details: TOKEN_DETAILS,
  options: ACCOUNT_OPTIONS,
  run: async (invocation) => {
    const profile = await accountProfile(invocation);
    const sequenceId = operand(invocation, 0);
    const run = unfinishedSequences(profile).find(({ saved }) => saved?.sequence.sequenceId === sequenceId);
    if (run?.saved === undefined) {
      throw Failure.usage("No such sequence was begun here; colophon sequence list names them.");
    }
    const answer = await new ColophonClient(profile).sequences.abandon(run.saved.sequence);
    run.forget();
    if (wantsJson(invocation)) return printJson(answer);
    printLine(`Abandoned; the service dropped what it held of ${counted(answer.packetsPurged, "frame")}.`);
  },
};

/** The commands on sequences. */
export const sequenceCommands: readonly Command[] = [sequenceRegister, list, abandon];

/** Another account's sequence is not listed. */
function noneOfOurs(error: unknown): null {
  if (error instanceof ColophonError && error.is("sequenceTicketRefused")) return null;
  throw error;
}
