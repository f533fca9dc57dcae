import { faultInWords } from "@colophon/client";
import { counted } from "../wording.ts";
import type { BatchTask } from "./batch-task.ts";
import type { BatchRow } from "./batch-row.ts";

/** How a row's state reads and looks to the reader who asked for the batch. */
export interface RowWords {
  readonly state: string;
  /** `good` is what was hoped for, `stop` what was not, `fault` what went wrong. */
  readonly tone: "good" | "stop" | "fault" | "plain";
  /** Empty where the state says it all. */
  readonly sentence: string;
}

/** What a row says. Whether a match is good news depends on what the reader hopes for. */
export function rowWords(row: BatchRow, task: Pick<BatchTask, "kind">): RowWords {
  const { state, reason, registrationId, originals } = row;
  const isWanted = task.kind !== "check";
  switch (state) {
    case "registered":
      return { state: "registered", tone: "good", sentence: "" };
    case "found":
      return {
        state: "match",
        tone: isWanted ? "good" : "stop",
        sentence: `Shows ${originals.length === 1 ? "a registered original" : counted(originals.length, "registered original")}${registrationId === null ? "" : ", yours"}.`,
      };
    case "notFound":
      return { state: "no match", tone: isWanted ? "plain" : "good", sentence: "" };
    case "alreadyRegistered":
      return registrationId === null
        ? {
            state: "already registered",
            tone: "stop",
            sentence: "By another account, or in a video of yours.",
          }
        : { state: "yours already", tone: "plain", sentence: "You registered it, or what it was made from." };
    case "retry":
      return { state: "send again", tone: "stop", sentence: "The service was busy; nothing was charged." };
    case "rejected":
    case "failed":
      return { state: "not taken", tone: "fault", sentence: faultInWords(reason ?? "") };
    case "held":
      return { state: "sent", tone: "plain", sentence: "" };
    case "hashed":
      return { state: "ready", tone: "plain", sentence: "" };
    case "waiting":
    case "sending":
      return { state, tone: "plain", sentence: "" };
    default:
      return state satisfies never;
  }
}

/** Whether a file did not get what was asked for it. */
export function isTroubled({ state, registrationId }: BatchRow): boolean {
  if (state === "alreadyRegistered") return registrationId === null;
  return state === "rejected" || state === "failed" || state === "retry";
}
