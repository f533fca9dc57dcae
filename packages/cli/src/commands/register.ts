import {
  type BatchItem,
  ColophonClient,
  ColophonError,
  faultInWords,
  registerAll,
  type RegisteredEntry,
} from "@colophon/client";
import { ACCOUNT_OPTIONS, accountProfile, TOKEN_DETAILS } from "../settings/account-options.ts";
import { type Command, textsOption } from "../command.ts";
import {
  CREDENTIALS_DETAILS,
  CREDENTIALS_OPTIONS,
  wantedCredentials,
  withCredentials,
} from "../credentials/carried.ts";
import { EXIT, Failure } from "../failure.ts";
import { imageFiles, PATH_DETAILS } from "../input/image-files.ts";
import { Interruption, isInterruption } from "../interruption.ts";
import { MANIFEST_DETAILS, manifestFiles } from "../input/manifest-files.ts";
import { counted, printAdvice, printJson, printTable } from "../print.ts";
import { batchStep } from "../progress/batch-step.ts";
import { ProgressBar } from "../progress/progress-bar.ts";
import { wantsJson } from "../settings/service-options.ts";
import { UnfinishedRun } from "../saved/unfinished-run.ts";

type Item = BatchItem<RegisteredEntry>;

/** Registers files through one slot; run again after an interruption it goes on where it stopped. */
export const register: Command = {
  words: ["register"],
  operands: ["PATH..."],
  summary: "Register images with their manifests",
  details: [
    PATH_DETAILS,
    MANIFEST_DETAILS,
    CREDENTIALS_DETAILS,
    "Interrupted, the same command goes on where it stopped and sends nothing again that the service holds.",
    "A registration's manifests are final: where a file is yours already those given are not added, and the exit code is 6.",
    TOKEN_DETAILS,
  ].join("\n"),
  options: {
    manifest: {
      placeholder: "KIND=FILE",
      repeated: true,
      summary: "A manifest for every image; may be given several times",
    },
    ...CREDENTIALS_OPTIONS,
    ...ACCOUNT_OPTIONS,
  },
  run: async (invocation) => {
    const profile = await accountProfile(invocation);
    const manifests = await manifestFiles(textsOption(invocation, "manifest"));
    const { operands } = invocation;
    const wanted = wantedCredentials(invocation);
    const files = await withCredentials(await imageFiles(operands), manifests, wanted);
    const choices = [wanted.credentials, String(wanted.iptc)];
    const state = await UnfinishedRun.of("batches", { profile, operands, manifests, choices }, savedSlot);
    const { slotId, items } = await resumed(new ColophonClient(profile), files, state);
    state.forget();
    if (wantsJson(invocation)) printJson({ slotId, items });
    else {
      const rows = items.map((item) => row(item, manifests.length > 0));
      printTable([["STATE", "ORIGINAL", "REGISTRATION", "FILE", "REASON"], ...rows]);
    }
    process.stderr.write(summary(items));
    printAdvice(items);
    const isLeftOut = manifests.length > 0 && items.some(isYoursAlready);
    if (isLeftOut && wantsJson(invocation)) process.stderr.write(`${NOT_ADDED}\n`);
    if (isLeftOut || !items.every(isCovered)) process.exitCode = EXIT.partly;
  },
};

/** The slot of an unfinished batch. */
interface SavedSlot {
  readonly slotId: string;
}

type State = UnfinishedRun<SavedSlot>;
type Files = Parameters<typeof registerAll>[1];
type Result = Awaited<ReturnType<typeof registerAll>>;

/** Goes on with the slot of an earlier run, or with a new one where that has expired with all it held. */
async function resumed(client: ColophonClient, files: Files, state: State): Promise<Result> {
  const { saved } = state;
  try {
    return await registered(client, files, state);
  } catch (error) {
    const gone = error instanceof ColophonError && error.is("slotNotFound") && saved !== undefined;
    if (!gone) throw error;
    process.stderr.write("What an earlier run had sent has expired: starting again.\n");
    state.forget();
    return registered(client, files, state);
  }
}

async function registered(client: ColophonClient, files: Files, state: State): Promise<Result> {
  using interruption = new Interruption();
  using bar = new ProgressBar();
  const { signal } = interruption;
  try {
    return await registerAll(client, files, {
      slotId: state.saved?.slotId,
      signal,
      onProgress: (progress) => {
        if (progress.slotId !== null) state.save({ slotId: progress.slotId });
        bar.show(batchStep(progress));
      },
    });
  } catch (error) {
    if (!isInterruption(error, signal)) throw error;
    throw Failure.interrupted("Interrupted. The same command goes on where it stopped.");
  }
}

function savedSlot(json: unknown): SavedSlot | undefined {
  const has = typeof json === "object" && json !== null && "slotId" in json;
  return has && typeof json.slotId === "string" ? { slotId: json.slotId } : undefined;
}

/** Whether a registration of the account's own covers the file. */
function isCovered({ answer }: Item): boolean {
  return answer !== null && answer.registrationId !== null;
}

/** Whether it was covered before. */
function isYoursAlready(item: Item): boolean {
  return isCovered(item) && item.answer?.state === "errata";
}

/** What a file that was yours already says of the manifests of this run. */
const NOT_ADDED =
  "The manifests given were not added: a registration's manifests are final. To replace them, take it down and register again.";

function row(item: Item, hasManifests: boolean): string[] {
  const { name, answer, rejectionReason } = item;
  const said = faultInWords(answer?.failureReason ?? rejectionReason ?? "-");
  const reason = hasManifests && isYoursAlready(item) ? `${said} ${NOT_ADDED}` : said;
  return [stateOf(item), answer?.originalImageHash ?? "-", answer?.registrationId ?? "-", name, reason];
}

function stateOf(item: Item): string {
  if (item.answer === null) return "not taken";
  if (isYoursAlready(item)) return "yours already";
  return STATES[item.answer.state];
}

const STATES = {
  registered: "registered",
  errata: "not new",
  failed: "failed",
  retry: "try again",
} as const;

/**
 * What was made of the files, counted by images as the service counts and charges them: files of the same bytes are
 * one.
 */
function summary(items: readonly Item[]): string {
  const images = [...new Map(items.map((item) => [item.imageHash, item])).values()];
  const done = images.filter(({ answer }) => answer?.state === "registered").length;
  const held = images.filter(({ sent, answer }) => !sent && answer !== null).length;
  const again = held > 0 ? ` ${held} had been sent before and were not sent again.` : "";
  const yours = images.filter(isYoursAlready).length;
  const already = yours > 0 ? ` ${yours} yours already,` : "";
  const alike = images.length < items.length ? ` of ${counted(images.length, "image")}` : "";
  return `${counted(items.length, "file")}${alike}: ${done} registered,${already} ${images.length - done - yours} not.${again}\n`;
}
