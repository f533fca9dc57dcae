/**
 * The table of refusals: every problem the service can answer, as data.
 *
 * A code is the camelCase of its title. `details` holds the fixed sentences a problem of that title may
 * carry: one sentence under `only` where the title has one cause, else one sentence per cause. A sentence
 * that states a configured limit is a function of that limit. No other file holds a problem's sentence.
 */
export const REFUSALS = {
  malformedRequest: {
    status: 400,
    title: "Malformed request",
    details: {
      unreadableRequest: "The request could not be read as HTTP.",
      notMultipart: "The Content-Type must be multipart/form-data with a boundary.",
      malformedMultipart: "The multipart body could not be read.",
      notJsonObject: "The body must be a JSON object.",
      badLimit: "The limit parameter must be a whole number from 1 to 200.",
      badMaxResults: "The maxResults parameter must be a whole number from 1 to 100.",
      badBinding:
        "A binding is the name of an algorithm, alg, and its value in base64, neither of them empty.",
      badCursor: "The after parameter must be the next of a page that this route gave.",
      unknownParameter: "The query string carries a parameter twice, or one that this route does not accept.",
      queryString: "This route accepts no query string.",
      unexpectedPart: "The body carries a part that this route does not accept.",
      manifestAfterImage: "Manifest parts must come before the image part.",
      manifestWithoutImage: "A manifest part must be followed by the image part it belongs to.",
      notOneImage: "The body must carry exactly one image file part.",
      noImage: "The body must carry at least one image file part.",
      tooManyImages: "The body carries more image file parts than one request may.",
      hashesNotAList: "The hashes field must be a list.",
      noHashNamed: "The originalImageHashes field must be a list that names at least one hash.",
      hashNotAString: "Every hash named must be a string.",
      expectedSizeRepeated: "The expectedSize field may be sent once.",
      expectedSizeNotPositive: "The expectedSize field must be a positive integer.",
      noFrame: "The body must carry at least one frame part.",
      unknownField: "The body carries a field that this route does not accept.",
      invalidField: "A field of the body has the wrong type or is out of range.",
    },
  },
  invalidManifest: {
    status: 400,
    title: "Invalid manifest",
    details: {
      noKind: "Manifest part states no kind; name it manifest[<kind>].",
      badKind: "Manifest kind must be 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' or '-'.",
      unsupportedContentType:
        "Manifest part declares an unsupported content type; it must be application/json, application/jumbf or application/c2pa.",
      formMismatch: "Manifest body does not match its stated form.",
      tooMany: (limit: number): string => `An image carries at most ${limit} manifests.`,
    },
  },
  tooManyDeclaredHashes: {
    status: 400,
    title: "Too many declared hashes",
    details: { only: "The declared list is longer than one request may carry." },
  },
  invalidDeclaredHash: {
    status: 400,
    title: "Invalid declared hash",
    details: {
      notAHash: "A declared hash must be 64 lowercase hexadecimal characters.",
      repeated: "A hash may be declared once.",
    },
  },
  frameRefused: {
    status: 400,
    title: "Frame refused",
    details: {
      notAContainer: "The part is not a valid PX frame container.",
      otherSequence: "The frame names another sequence.",
      notFromClients: "Only BODY and END frames are accepted; the service mints HEAD and GAP frames itself.",
      unsupportedImage: "The frame's image is of no accepted type.",
    },
  },
  frameIsNotABodyFrame: {
    status: 400,
    title: "Frame is not a BODY frame",
    details: { only: "Only a BODY frame can be removed from a sequence." },
  },
  unauthorized: {
    status: 401,
    title: "Unauthorized",
    details: { only: "This route needs a usable bearer token." },
  },
  sequencesNotEnabled: {
    status: 403,
    title: "Sequences not enabled",
    details: { only: "Sequences are not enabled for this account." },
  },
  sequenceTicketRefused: {
    status: 403,
    title: "Sequence ticket refused",
    details: { only: "The X-Sequence-Ticket header must carry the ticket issued for this sequence." },
  },
  notFound: {
    status: 404,
    title: "Not found",
    details: { only: "No route answers at this address." },
  },
  slotNotFound: {
    status: 404,
    title: "Slot not found",
    details: { only: "The account has no such slot." },
  },
  entryNotFound: {
    status: 404,
    title: "Entry not found",
    details: { only: "The slot has no entry under this hash." },
  },
  registrationNotFound: {
    status: 404,
    title: "Registration not found",
    details: { only: "The account has no such live registration." },
  },
  sequenceNotFound: {
    status: 404,
    title: "Sequence not found",
    details: { only: "The account has no such sequence." },
  },
  frameNotFound: {
    status: 404,
    title: "Frame not found",
    details: { only: "The sequence has no member with this frame id." },
  },
  accountNotFound: {
    status: 404,
    title: "Account not found",
    details: { only: "There is no account with this id." },
  },
  tokenNotFound: {
    status: 404,
    title: "Token not found",
    details: { only: "The account has no token with this id." },
  },
  originalNotFound: {
    status: 404,
    title: "Original not found",
    details: { only: "No live original has this hash." },
  },
  proofNotFound: {
    status: 404,
    title: "Proof not found",
    details: { only: "No published record under this hash is in the log." },
  },
  manifestNotFound: {
    status: 404,
    title: "Manifest not found",
    details: { only: "No live record carries a manifest store with this label." },
  },
  methodNotAllowed: {
    status: 405,
    title: "Method not allowed",
    details: { only: "This address does not answer this method; the Allow header names those it does." },
  },
  openSlotCapReached: {
    status: 409,
    title: "Open-slot cap reached",
    details: { only: "The account already holds as many open slots as it may." },
  },
  openSequenceCapReached: {
    status: 409,
    title: "Open-sequence cap reached",
    details: { only: "The account already holds as many unfinished sequences as it may." },
  },
  slotIsNoLongerOpen: {
    status: 409,
    title: "Slot is no longer open",
    details: { only: "Slot is no longer open." },
  },
  imageNotRegistered: {
    status: 409,
    title: "Image not registered",
    details: {
      alreadyRegistered: "This image is already registered.",
      derivative: "This image is a derivative of an image that is already registered.",
    },
  },
  sequenceDoesNotAcceptThisCommand: {
    status: 409,
    title: "Sequence does not accept this command",
    details: {
      open: "The sequence is open and does not accept this command.",
      sealed: "The sequence is sealed and does not accept this command.",
      committed: "The sequence is committed and does not accept this command.",
      abandoned: "The sequence is abandoned and does not accept this command.",
    },
  },
  sequenceNotCommittable: {
    status: 409,
    title: "Sequence not committable",
    details: { only: "The sequence cannot be committed as it stands; shortfalls names what it lacks." },
  },
  frameConflict: {
    status: 409,
    title: "Frame conflict",
    details: {
      neighbour: "The frame's links disagree with a held frame.",
      enclosed: "The frame lies within the span of a held frame.",
      repeated: "A frame with the same hash is already held.",
      sequenceChanged: "The sequence changed while the frames were being admitted; send them again.",
    },
  },
  requestTooLarge: {
    status: 413,
    title: "Request too large",
    details: { only: "Request exceeds the per-request size cap." },
  },
  imageTooLarge: {
    status: 413,
    title: "Image too large",
    details: { only: "Image exceeds the per-image size cap." },
  },
  manifestTooLarge: {
    status: 413,
    title: "Manifest too large",
    details: { only: "Manifest exceeds the size cap." },
  },
  uriTooLong: {
    status: 414,
    title: "URI too long",
    details: { only: "The value is too long for an address; send it with POST." },
  },
  unsupportedImageContentType: {
    status: 415,
    title: "Unsupported image content type",
    details: { only: "Unsupported image content type." },
  },
  imageCouldNotBeChecked: {
    status: 422,
    title: "Image could not be checked",
    details: {
      declined: "This image could not be checked against registered originals.",
      notStored: "This query image could not be stored for look-up.",
    },
  },
  quotaExceeded: {
    status: 429,
    title: "Quota exceeded",
    details: {
      registrations: "The account's remaining registration grant does not cover this request.",
      lookups: "The account's remaining lookup grant does not cover this request.",
    },
  },
  tooManyRequests: {
    status: 429,
    title: "Too many requests",
    details: { only: "This address has asked more often within a minute than it may without a token." },
  },
  unexpectedError: {
    status: 500,
    title: "Unexpected error",
    details: { only: "The service met an unexpected error; quote the traceId when reporting it." },
  },
  sequenceAdmissionFailed: {
    status: 500,
    title: "Sequence admission failed",
    details: { only: "The frames could not be admitted because of a fault of the service; nothing changed." },
  },
  sequenceCommitFailed: {
    status: 500,
    title: "Sequence commit failed",
    details: { only: "The engine's record of the sequence does not carry the sequence's own hash." },
  },
  imageCouldNotBeCheckedYet: {
    status: 503,
    title: "Image could not be checked yet",
    details: {
      only: "This image could not be checked against registered originals yet. Nothing was registered, answered or charged; send it again.",
    },
  },
  engineNotConfigured: {
    status: 503,
    title: "Engine not configured",
    details: { only: "This deployment has no engine, so it cannot answer this route; nothing was charged." },
  },
  serviceUnavailable: {
    status: 503,
    title: "Service unavailable",
    details: { only: "The service cannot answer this request at the moment; send it again." },
  },
  proofNotReady: {
    status: 503,
    title: "Proof not ready",
    details: { only: "The record waits for the log's next checkpoint; ask again." },
  },
  takeDownRefused: {
    status: 503,
    title: "Take-down refused",
    details: { only: "The engine's record could not be taken down; the registration is untouched." },
  },
} as const;

/** The code of a refusal: the camelCase of its title. */
export type RefusalCode = keyof typeof REFUSALS;

/** Every code of the table, in the table's order. */
export const REFUSAL_CODES: readonly RefusalCode[] = Object.keys(REFUSALS).filter(
  (code): code is RefusalCode => code in REFUSALS,
);

/** The stable URN of a refusal's condition, its title in kebab case: `urn:colophon:problem:slot-not-found`. */
export function problemType(code: RefusalCode): string {
  const condition = REFUSALS[code].title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return `urn:colophon:problem:${condition}`;
}
