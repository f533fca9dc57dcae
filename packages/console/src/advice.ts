import { ColophonConnectionError, ColophonError } from "@colophon/client";

/** Whether the same call may do better the next time. */
export function isWorthRepeating(error: unknown): boolean {
  if (!(error instanceof ColophonError)) return true;
  return REPEATED.has(error.code);
}

const REPEATED: ReadonlySet<ColophonError["code"]> = new Set([
  "imageCouldNotBeCheckedYet",
  "serviceUnavailable",
  "proofNotReady",
  "tooManyRequests",
  "unexpectedError",
] as const);

/** What a reader can do about a call that failed; empty when the refusal's own sentence says it all. */
export function adviceOn(error: unknown): string {
  if (error instanceof ColophonConnectionError) {
    return "Check the connection. Whether the service did what was asked is not known; the account's usage shows it.";
  }
  if (!(error instanceof ColophonError)) return "";
  if (error.is("quotaExceeded")) {
    const { registrationRemaining, lookupRemaining } = error.extensions;
    return `Left: ${registrationRemaining} registrations, ${lookupRemaining} look-ups. An allowance is for life; the operator of this registry can raise it.`;
  }
  if (error.is("openSlotCapReached")) {
    return `At most ${error.extensions.cap} batches may be under way at once. Finish or drop one, or wait until it expires.`;
  }
  return ADVICE[error.code] ?? "";
}

const ADVICE: Partial<Record<ColophonError["code"], string>> = {
  unauthorized:
    "The token has expired or was revoked. Sign out, and sign in with another that the operator gave you.",
  imageCouldNotBeChecked: "Save it again from its program, as JPEG, PNG or WebP, and send that.",
  imageCouldNotBeCheckedYet: "The service is busy. Nothing was charged; try again after the wait.",
  unsupportedImageContentType: "Save the picture as JPEG, PNG or WebP.",
  imageTooLarge: "Send a smaller version. Look-ups recognise reduced pictures.",
  requestTooLarge: "Send fewer or smaller pictures at once.",
  manifestTooLarge: "Shorten the manifest, or refer to the rest by its address.",
  invalidManifest: "Correct the manifest and send it again; nothing was charged.",
  registrationNotFound: "It may have been taken down already, or belong to another account.",
  slotNotFound: "The batch has expired or was dropped. Start it again; what was registered stays registered.",
  invalidDeclaredHash: "A record's hash has 64 characters, 0 to 9 and a to f.",
  engineNotConfigured: "This registry can publish records but not look at pictures. Ask its operator.",
  serviceUnavailable: "The service is busy or out of order for a moment; try again after the wait.",
  tooManyRequests: "Wait a minute, or sign in: with a token there is no such bound.",
  takeDownRefused: "The registration is untouched. Try again later.",
  unexpectedError: "Report it to the operator with the trace below.",
};
