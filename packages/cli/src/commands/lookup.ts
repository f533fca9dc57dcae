import { type BatchItem, ColophonClient, faultInWords, lookUpAll } from "@colophon/client";
import type { LookupQuery } from "@colophon/contract";
import { ACCOUNT_OPTIONS, accountClient, TOKEN_DETAILS } from "../settings/account-options.ts";
import type { Command } from "../command.ts";
import { EXIT, Failure } from "../failure.ts";
import { PATH_DETAILS } from "../input/image-files.ts";
import { Interruption } from "../interruption.ts";
import { printJson, printTable } from "../print.ts";
import { batchStep } from "../progress/batch-step.ts";
import { ProgressBar } from "../progress/progress-bar.ts";
import { wantsJson } from "../settings/service-options.ts";
import { queriedImages, STANDARD_INPUT_DETAILS } from "../input/standard-input.ts";

type Item = BatchItem<LookupQuery>;

/** Asks of each file whether it shows a registered original. */
export const lookup: Command = {
  words: ["lookup"],
  operands: ["PATH..."],
  summary: "Ask whether images are registered, or made from registered originals",
  details: `${PATH_DETAILS}\n${STANDARD_INPUT_DETAILS} The exit code is 0 when every file shows a registered original.\n${TOKEN_DETAILS}`,
  options: ACCOUNT_OPTIONS,
  run: async (invocation) => {
    const client = await accountClient(invocation);
    const { items } = await lookedUp(client, await queriedImages(invocation.operands));
    if (wantsJson(invocation)) printJson({ items });
    else printTable([["MATCH", "ORIGINAL", "FILE", "REASON"], ...items.flatMap(rows)]);
    if (!items.every(({ answer }) => answer?.result)) process.exitCode = EXIT.partly;
    else if (!items.every(({ answer }) => answer?.result?.matched)) process.exitCode = EXIT.negative;
  },
};

/** Looks the files up; when that does not come to its end, the service is told to drop their pixels at once. */
async function lookedUp(
  client: ColophonClient,
  files: Parameters<typeof lookUpAll>[1],
): ReturnType<typeof lookUpAll> {
  using interruption = new Interruption();
  using bar = new ProgressBar();
  const { signal } = interruption;
  let slotId: string | null = null;
  try {
    return await lookUpAll(client, files, {
      signal,
      onProgress: (progress) => {
        ({ slotId } = progress);
        bar.show(batchStep(progress));
      },
    });
  } catch (error) {
    if (slotId !== null) await client.lookupSlots.abandon(slotId).catch(() => undefined);
    if (error !== signal.reason || !signal.aborted) throw error;
    throw Failure.interrupted("Interrupted; the service was told to drop what it held.");
  }
}

function rows({ name, answer, rejectionReason }: Item): string[][] {
  const { result, failureReason } = answer ?? { result: null, failureReason: rejectionReason };
  if (result === null) return [["?", "-", name, faultInWords(failureReason ?? "-")]];
  if (!result.matched) return [["no", "-", name, "-"]];
  return result.matchedOriginalImageHashes.map((hash) => ["yes", hash, name, "-"]);
}
