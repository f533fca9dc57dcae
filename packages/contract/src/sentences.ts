import { type Refusal, refuse } from "./refusal.ts";
import { REFUSALS } from "./refusals.ts";

/** Why a manifest part is refused. */
export type ManifestFault =
  | "noKind"
  | "badKind"
  | "unsupportedContentType"
  | "tooLarge"
  | "formMismatch"
  | "tooMany";

/** The sentence for a refused manifest; `limit` is the number of manifests an image may carry. */
export function manifestSentence(fault: ManifestFault, limit: number): string {
  return refuseManifest(fault, limit).message;
}

/** The refusal of a whole request for a refused manifest; `limit` is the number of manifests an image may carry. */
export function refuseManifest(fault: ManifestFault, limit: number): Refusal {
  if (fault === "tooLarge") return refuse("manifestTooLarge");
  if (fault === "tooMany") return refuse("invalidManifest", "tooMany", { limit });
  return refuse("invalidManifest", fault);
}

/** Why one image of an upload is not held, its manifests apart. */
export type ImageRejection =
  | "unsupportedContentType"
  | "imageTooLarge"
  | "requestTooLarge"
  | "registrationGrant"
  | "lookupGrant"
  | "notChecked"
  | "notCheckedYet"
  | "alreadyRegistered"
  | "derivative"
  | "errataFull"
  | "queriesFull"
  | "queryNotStored"
  | "slotNotOpen";

/** The sentence of `rejectionReason` for every rejection of one image. */
export const IMAGE_REJECTIONS: Readonly<Record<ImageRejection, string>> = {
  unsupportedContentType: REFUSALS.unsupportedImageContentType.details.only,
  imageTooLarge: REFUSALS.imageTooLarge.details.only,
  requestTooLarge: REFUSALS.requestTooLarge.details.only,
  registrationGrant: "The account's remaining registration grant does not cover this image.",
  lookupGrant: "The account's remaining lookup grant does not cover this image.",
  notChecked: REFUSALS.imageCouldNotBeChecked.details.declined,
  notCheckedYet: REFUSALS.imageCouldNotBeCheckedYet.details.only,
  alreadyRegistered: REFUSALS.imageNotRegistered.details.alreadyRegistered,
  derivative: REFUSALS.imageNotRegistered.details.derivative,
  errataFull: "This slot already remembers the maximum number of images it will not register.",
  queriesFull: "This lookup slot already holds the maximum number of query images.",
  queryNotStored: REFUSALS.imageCouldNotBeChecked.details.notStored,
  slotNotOpen: REFUSALS.slotIsNoLongerOpen.details.only,
};

/** Why an errata entry will not register. */
export type ErrataReason = "alreadyRegistered" | "derivative";

/** The sentence of `notRegisteredReason`, and of an errata entry's `failureReason`. */
export const ERRATA_REASONS: Readonly<Record<ErrataReason, string>> = {
  alreadyRegistered: REFUSALS.imageNotRegistered.details.alreadyRegistered,
  derivative: REFUSALS.imageNotRegistered.details.derivative,
};

/** Why a committed entry or query failed, or has to be sent again, for a reason of the service's own. */
export type EntryFailure = "noExtraction" | "noQueryImage" | "notCheckedYet";

/** The sentence of `failureReason` for every failure that is not an engine's refusal. */
export const ENTRY_FAILURES: Readonly<Record<EntryFailure, string>> = {
  noExtraction: "No stored extraction was found for this entry.",
  noQueryImage: "No pooled query image was found for this entry.",
  notCheckedYet: REFUSALS.imageCouldNotBeCheckedYet.details.only,
};

/** The engine's refusal of an entry whose stored packet cannot be read any more. */
export const UNREADABLE_PACKET: EngineRefusal = {
  name: "StoredRegistrationPacketUnreadable",
  message: "The stored registration packet could not be read.",
};

/** Why a hash of `POST /records` is answered `refused` or `retry`. */
export type RecordFailure = "notAHash" | "declined" | "notYet";

/** The sentence of a published record's `failureReason`. */
export const RECORD_FAILURES: Readonly<Record<RecordFailure, string>> = {
  notAHash: "This is not 64 lowercase hexadecimal characters.",
  declined: "The engine declined to answer for this hash. Nothing was charged.",
  notYet: "The engine could not answer for this hash yet. Nothing was charged; ask again.",
};

/** An engine's refusal of one item: a name, and words that may be empty. */
export interface EngineRefusal {
  readonly name: string;
  readonly message: string;
}

/** The longest engine message that an answer repeats, in UTF-16 code units. */
export const ENGINE_MESSAGE_LIMIT = 240;

/**
 * The failure reason for an item that the engine refused: `The engine refused this item: <Name>. <message>`.
 * Control and line-separating characters of the message become spaces, runs of white space become one, and a
 * long message is cut; an empty one is left out.
 */
export function engineRefusalSentence({ name, message }: EngineRefusal): string {
  const words = message.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const bounded = words
    .slice(0, ENGINE_MESSAGE_LIMIT)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd();
  const sentence = `The engine refused this item: ${name}.`;
  return bounded === "" ? sentence : `${sentence} ${bounded}`;
}
