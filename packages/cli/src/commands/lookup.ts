import { type BatchItem, ColophonClient, faultInWords, lookUpAll } from "@colophon/client";
import type { LookupQuery } from "@colophon/contract";
import { ACCOUNT_OPTIONS, accountClient, TOKEN_DETAILS } from "../settings/account-options.ts";
import type { Command } from "../command.ts";
import { EXIT, Failure } from "../failure.ts";
import { PATH_DETAILS } from "../input/image-files.ts";
import { Interruption, isInterruption } from "../interruption.ts";
import { printAdvice, printJson, printTable } from "../print.ts";
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
    const files = await queriedImages(invocation.operands);
    using interruption = new Interruption();
    const { items } = await lookedUp(client, files, interruption.signal);
    if (wantsJson(invocation)) printJson({ items });
    else printTable([["MATCH", "ORIGINAL", "FILE", "REASON"], ...items.flatMap(rows)]);
    printAdvice(items);
    if (interruption.signal.aborted) process.exitCode = EXIT.interrupted;
    else if (!items.every(({ answer }) => answer?.result)) process.exitCode = EXIT.partly;
    else if (!items.every(({ answer }) => answer?.result?.matched)) process.exitCode = EXIT.negative;
  },
};

/**
 * Looks the files up. Interrupted before the commit, the service is told to drop their pixels at once; a commit is
 * charged whether or not anybody waits, so its answers are waited for.
 */
async function lookedUp(
  client: ColophonClient,
  files: Parameters<typeof lookUpAll>[1],
  interrupted: AbortSignal,
): ReturnType<typeof lookUpAll> {
  using bar = new ProgressBar();
  const controller = new AbortController();
  const { signal } = controller;
  let slotId: string | null = null;
  let isCommitting = false;
  const interrupt = (): void => {
    if (!isCommitting) return controller.abort();
    process.stderr.write(
      `${process.stderr.isTTY ? "\n" : ""}The look-up is under way and charged: waiting for its answers. Interrupt again to end at once.\n`,
    );
  };
  interrupted.addEventListener("abort", interrupt, { once: true });
  try {
    return await lookUpAll(client, files, {
      signal,
      onProgress: (progress) => {
        ({ slotId } = progress);
        isCommitting = progress.phase === "committing";
        bar.show(batchStep(progress));
      },
    });
  } catch (error) {
    const isDropped = slotId === null || (await isAbandoned(client, slotId));
    if (!isInterruption(error, signal)) throw error;
    throw Failure.interrupted(
      isDropped
        ? "Interrupted; the service was told to drop what it held."
        : "Interrupted; the service did not hear it, and drops what it holds when its time is over.",
    );
  } finally {
    interrupted.removeEventListener("abort", interrupt);
  }
}

function isAbandoned(client: ColophonClient, slotId: string): Promise<boolean> {
  return client.lookupSlots.abandon(slotId).then(
    () => true,
    () => false,
  );
}

function rows({ name, answer, rejectionReason }: Item): string[][] {
  const { result, failureReason } = answer ?? { result: null, failureReason: rejectionReason };
  if (result === null) return [["?", "-", name, faultInWords(failureReason ?? "-")]];
  if (!result.matched) return [["no", "-", name, "-"]];
  return result.matchedOriginalImageHashes.map((hash) => ["yes", hash, name, "-"]);
}
