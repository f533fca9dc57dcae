import type { BatchFileState, BatchItem, lookUpAll, registerAll } from "@colophon/client";

type ItemsOf<All extends typeof registerAll | typeof lookUpAll> = Awaited<ReturnType<All>>["items"][number];

/** What became of a file that was to be registered. */
export type RegisteredItem = ItemsOf<typeof registerAll>;
/** What became of a file that was looked up. */
export type LookedUpItem = ItemsOf<typeof lookUpAll>;

/** Where a file of a batch stands, or how it came out. */
export type RowState =
  | "waiting"
  | "hashed"
  | "sending"
  | "held"
  | "registered"
  | "found"
  | "notFound"
  | "alreadyRegistered"
  | "rejected"
  | "failed"
  | "retry";

/** One file of a batch as the table shows it. */
export interface BatchRow {
  readonly name: string;
  readonly bytes: number;
  readonly state: RowState;
  /** Why it is in that state, as the service says it. */
  readonly reason: string | null;
  /** SHA-256, lowercase hex; null until it is known. */
  readonly imageHash: string | null;
  /** The account's own registration that covers it. */
  readonly registrationId: string | null;
  /** Hashes of the originals that were found in it, or of the one it was registered as. */
  readonly originals: readonly string[];
}

/** A file before anything was done with it. */
export function newRow(file: File): BatchRow {
  return {
    name: file.webkitRelativePath === "" ? file.name : file.webkitRelativePath,
    bytes: file.size,
    state: "waiting",
    reason: null,
    imageHash: null,
    registrationId: null,
    originals: [],
  };
}

/** The row after a step of its file. */
export function steppedRow(row: BatchRow, step: BatchFileState): BatchRow {
  switch (step.kind) {
    case "hashed":
      return { ...row, state: "hashed", imageHash: step.imageHash };
    case "rejected":
      return rejectedRow(row, step.reason);
    case "sending":
    case "held":
      return { ...row, state: step.kind, reason: null };
    default:
      return step satisfies never;
  }
}

/** The row of a file that was to be registered, when the batch is done. */
export function registeredRow(row: BatchRow, { answer, rejectionReason }: RegisteredItem): BatchRow {
  if (answer === null) return rejectedRow(row, rejectionReason);
  const { state, failureReason: reason, registrationId, originalImageHash } = answer;
  return {
    ...row,
    state: state === "errata" ? "alreadyRegistered" : state,
    reason,
    registrationId,
    originals: originalImageHash === null ? [] : [originalImageHash],
  };
}

/** The row of a file that was looked up, when the batch is done. */
export function lookedUpRow(row: BatchRow, { answer, rejectionReason }: LookedUpItem): BatchRow {
  if (answer === null) return rejectedRow(row, rejectionReason);
  const { result, failureReason: reason, state } = answer;
  if (result === null) return { ...row, state: state === "answered" ? "failed" : state, reason };
  return {
    ...row,
    state: result.matched ? "found" : "notFound",
    reason: null,
    originals: result.matchedOriginalImageHashes,
    registrationId: result.candidates[0]?.registrationId ?? null,
  };
}

/** An upload refuses what is registered already with the same sentence that the commit has for it. */
function rejectedRow(row: BatchRow, reason: BatchItem<unknown>["rejectionReason"]): BatchRow {
  const isHeld = reason?.endsWith("already registered.") === true;
  return { ...row, state: isHeld ? "alreadyRegistered" : "rejected", reason };
}
