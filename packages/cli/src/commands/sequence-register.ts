import {
  ColophonClient,
  ColophonError,
  registerSequence,
  type RegisteredFrame,
  type SequenceResult,
} from "@colophon/client";
import { ACCOUNT_OPTIONS, accountProfile, TOKEN_DETAILS } from "../settings/account-options.ts";
import {
  type Command,
  type Invocation,
  numberOption,
  switchOption,
  textOption,
  textsOption,
} from "../command.ts";
import { EXIT, Failure } from "../failure.ts";
import { fingerprints, FRAME_DETAILS, type FrameSource, frameSource } from "../frames/frame-sources.ts";
import { Interruption, isInterruption } from "../interruption.ts";
import { MANIFEST_DETAILS, manifestFiles } from "../input/manifest-files.ts";
import { counted, printJson, printTable } from "../print.ts";
import type { Profile } from "../settings/profile.ts";
import { type SavedSequence, unfinishedSequence } from "../saved/saved-sequence.ts";
import { ProgressBar } from "../progress/progress-bar.ts";
import { sequenceStep } from "../progress/sequence-step.ts";
import { wantsJson } from "../settings/service-options.ts";
import type { UnfinishedRun } from "../saved/unfinished-run.ts";
import type { FrameChoice } from "../frames/video-frames.ts";

type State = UnfinishedRun<SavedSequence>;
type Manifests = Awaited<ReturnType<typeof manifestFiles>>;

/** Registers the frames of a video or of stills; run again after an interruption it goes on where it stopped. */
export const sequenceRegister: Command = {
  words: ["sequence", "register"],
  operands: ["VIDEO|PATH..."],
  summary: "Register a video, or stills in a row, as one sequence",
  details: [
    FRAME_DETAILS,
    MANIFEST_DETAILS.replace("every image", "every frame"),
    "A frame that matches a registered original keeps the sequence from being registered, unless it is left out.",
    "Interrupted, the same command goes on where it stopped. Not finished, a sequence is kept until it is abandoned.",
    TOKEN_DETAILS,
  ].join("\n"),
  options: {
    every: { placeholder: "N", summary: "Take every N-th frame only" },
    fps: { placeholder: "N", summary: "Take N frames of each second of a video" },
    manifest: {
      placeholder: "KIND=FILE",
      repeated: true,
      summary: "A manifest for the sequence; may be given several times",
    },
    "leave-out-registered": { summary: "Leave out the frames that match registered originals" },
    ...ACCOUNT_OPTIONS,
  },
  run: async (invocation) => {
    const profile = await accountProfile(invocation);
    const manifests = await manifestFiles(textsOption(invocation, "manifest"));
    const choice = frameChoice(invocation);
    const { operands } = invocation;
    const source = await frameSource(operands, choice);
    const choices = [choice.every, choice.fps, ...(await fingerprints(source, operands))];
    const state = await unfinishedSequence({ profile, operands, manifests, choices });
    const leaveOutErrata = switchOption(invocation, "leave-out-registered") === true;
    const result = await resumed({ profile, operands, manifests, source, state, leaveOutErrata });
    if (isRegistered(result)) state.forget();
    print(result, source, invocation);
    process.stderr.write(summary(result));
    if (!isRegistered(result)) process.exitCode = EXIT.partly;
  },
};

/** A frame, and the file it was in, or the second at which its video shows it. */
interface PlacedFrame extends RegisteredFrame {
  readonly name: string | null;
  readonly seconds: number | null;
}

interface Registering {
  readonly profile: Profile;
  readonly operands: readonly string[];
  readonly manifests: Manifests;
  readonly source: FrameSource;
  readonly state: State;
  readonly leaveOutErrata: boolean;
}

/** Goes on with the sequence of an earlier run, or with a new one where the service takes nothing more for that. */
async function resumed(registering: Registering): Promise<SequenceResult> {
  const { state } = registering;
  const { saved } = state;
  try {
    return await registered(registering);
  } catch (error) {
    if (saved === undefined || !isGone(error)) throw error;
    process.stderr.write("The sequence of an earlier run is gone: starting again.\n");
    state.forget();
    return registered(registering);
  }
}

async function registered(registering: Registering): Promise<SequenceResult> {
  const { profile, operands, manifests, source, state, leaveOutErrata } = registering;
  using interruption = new Interruption();
  using bar = new ProgressBar();
  const { signal } = interruption;
  try {
    return await registerSequence(new ColophonClient(profile), source.frames, {
      manifests,
      ...(source.expected > 0 ? { expectedSize: source.expected } : {}),
      sequence: state.saved?.sequence,
      leaveOutErrata,
      signal,
      onProgress: (progress) => {
        state.save({ baseUrl: profile.baseUrl, operands, sequence: progress.sequence });
        bar.show(sequenceStep(progress, source.expected));
      },
    });
  } catch (error) {
    if (error instanceof ColophonError) tellFrame(error, source);
    if (!isInterruption(error, signal)) throw error;
    throw Failure.interrupted("Interrupted. The same command goes on where it stopped.");
  }
}

/** Which frame a refusal is about, before the refusal itself is shown. */
function tellFrame({ extensions }: ColophonError, { names, seconds }: FrameSource): void {
  const { frameId } = extensions;
  if (typeof frameId !== "number") return;
  const place = names?.[frameId - 1] ?? timeOf(seconds?.[frameId - 1] ?? null);
  process.stderr.write(`Refused because of frame ${frameId} (${place}).\n`);
}

/** @throws Failure (usage) */
function frameChoice(invocation: Invocation): FrameChoice {
  const every = numberOption(invocation, "every");
  const text = textOption(invocation, "fps");
  const fps = text === undefined ? undefined : Number(text);
  if (every !== undefined && fps !== undefined) throw Failure.usage("--every and --fps exclude each other.");
  if (every === 0) throw Failure.usage("--every takes a whole number of 1 or more.");
  if (fps !== undefined && !(fps > 0 && Number.isFinite(fps))) {
    throw Failure.usage("--fps takes a number above 0.");
  }
  return { every, fps };
}

function print(
  { sequence, ...result }: SequenceResult,
  { names, seconds }: FrameSource,
  invocation: Invocation,
): void {
  const placed = result.frames.map(
    (frame, at): PlacedFrame => ({
      ...frame,
      name: names?.[at] ?? null,
      seconds: seconds?.[at] ?? null,
    }),
  );
  if (wantsJson(invocation)) {
    printJson({ sequenceId: sequence.sequenceId, ...result, frames: placed });
    return;
  }
  const place = names === null ? "TIME" : "FILE";
  printTable([["FRAME", place, "STATE", "ORIGINAL", "REASON"], ...placed.map(rowOf)]);
}

function rowOf({ frameId, state, originalImageHash, refusalName, name, seconds }: PlacedFrame): string[] {
  const place = name ?? timeOf(seconds);
  return [String(frameId), place, STATES[state], originalImageHash, refusalName ?? "-"];
}

/** A time as players show it, for example `1:02.500`. */
function timeOf(seconds: number | null): string {
  if (seconds === null) return "-";
  const thousandths = Math.round(seconds * 1000);
  const [minutes, rest] = [Math.floor(thousandths / 60_000), thousandths % 60_000];
  return `${minutes}:${(rest / 1000).toFixed(3).padStart(6, "0")}`;
}

/** What the states of a frame are called. */
const STATES: Readonly<Record<RegisteredFrame["state"], string>> = {
  published: "published",
  alreadyPublished: "published",
  leftOut: "left out",
  erratum: "not new",
  notPublished: "not published",
};

function summary({ outcome, sequenceHash, sequence, frames }: SequenceResult): string {
  const count = (state: RegisteredFrame["state"]): number =>
    frames.filter((frame) => frame.state === state).length;
  const drop = `or drop it with colophon sequence abandon ${sequence.sequenceId}`;
  switch (outcome) {
    case "registered":
    case "alreadyRegistered": {
      const left = count("leftOut") === 0 ? "" : `, ${counted(count("leftOut"), "frame")} left out`;
      return `${counted(frames.length - count("leftOut"), "frame")} registered as sequence ${sequenceHash}${left}.\n`;
    }
    case "incomplete":
      return `${count("notPublished")} of ${frames.length} frames are not published. Run the command again, ${drop}.\n`;
    case "errata":
      if (count("leftOut") === frames.length) {
        return `All ${frames.length} frames are registered already, so that none is left for a sequence. Drop it with colophon sequence abandon ${sequence.sequenceId}\n`;
      }
      return `${count("erratum")} of ${frames.length} frames match registered originals, and nothing is registered. Run the command again with --leave-out-registered, ${drop}.\n`;
    default:
      return outcome satisfies never;
  }
}

function isRegistered({ outcome }: SequenceResult): boolean {
  return outcome === "registered" || outcome === "alreadyRegistered";
}

/** Whether a sequence takes nothing any more: it was abandoned, or the service does not know it. */
function isGone(error: unknown): boolean {
  return (
    error instanceof ColophonError &&
    (error.is("sequenceNotFound") ||
      error.is("sequenceTicketRefused") ||
      error.is("sequenceDoesNotAcceptThisCommand"))
  );
}
