import type { RefusalCode, RefusalExtensions } from "@colophon/contract";

/** Every code the contract knows; the compiler sees that none is left out. */
const KNOWN: Readonly<Record<RefusalCode, true>> = {
  malformedRequest: true,
  invalidManifest: true,
  tooManyDeclaredHashes: true,
  invalidDeclaredHash: true,
  frameRefused: true,
  frameIsNotABodyFrame: true,
  unauthorized: true,
  sequencesNotEnabled: true,
  sequenceTicketRefused: true,
  notFound: true,
  slotNotFound: true,
  entryNotFound: true,
  registrationNotFound: true,
  sequenceNotFound: true,
  frameNotFound: true,
  accountNotFound: true,
  tokenNotFound: true,
  originalNotFound: true,
  proofNotFound: true,
  manifestNotFound: true,
  methodNotAllowed: true,
  openSlotCapReached: true,
  openSequenceCapReached: true,
  slotIsNoLongerOpen: true,
  imageNotRegistered: true,
  sequenceDoesNotAcceptThisCommand: true,
  sequenceNotCommittable: true,
  frameConflict: true,
  requestTooLarge: true,
  imageTooLarge: true,
  manifestTooLarge: true,
  uriTooLong: true,
  unsupportedImageContentType: true,
  imageCouldNotBeChecked: true,
  quotaExceeded: true,
  tooManyRequests: true,
  unexpectedError: true,
  sequenceAdmissionFailed: true,
  sequenceCommitFailed: true,
  imageCouldNotBeCheckedYet: true,
  engineNotConfigured: true,
  serviceUnavailable: true,
  proofNotReady: true,
  takeDownRefused: true,
};

/** What to branch on: the camelCase of the refusal's title, `unrecognised` for one newer than this client. */
export type ErrorCode = RefusalCode | "unrecognised";

/** What a refusal of code `C` says beyond its sentence. */
export type ExtensionsOf<C extends ErrorCode> = C extends keyof RefusalExtensions
  ? RefusalExtensions[C]
  : Readonly<Record<string, unknown>>;

/** The body of a refusal as it came, and the `Retry-After` of its answer in seconds. */
interface Problem {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly traceId: string;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/**
 * The service refused the call. Nothing it refuses is charged, but for an image that turned out to be registered
 * already: finding that out spends one look-up.
 *
 * @example
 * await client.register(photo);
 * try {
 *   await client.register(photo);
 * } catch (error) {
 *   if (!(error instanceof ColophonError && error.is("imageNotRegistered"))) throw error;
 *   console.log(error.detail, error.extensions.registrationId);
 * }
 */
export class ColophonError extends Error {
  override readonly name = "ColophonError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly title: string;
  /** One fixed sentence; quotes nothing of the request. */
  readonly detail: string;
  readonly extensions: Readonly<Record<string, unknown>>;
  /** Names the request in the service's log. */
  readonly traceId: string;

  constructor({ title, status, detail, traceId, extensions }: Problem) {
    super(`${status} ${title}: ${detail}`);
    this.code = codeOf(title);
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.traceId = traceId;
    this.extensions = extensions;
  }

  /** Whether this is the refusal `code`; narrows `extensions` to what that refusal says. */
  is<C extends ErrorCode>(code: C): this is { readonly code: C; readonly extensions: ExtensionsOf<C> } {
    return this.code === code;
  }
}

/**
 * No answer came, it broke off, or what answered is no Colophon service. Whether the call took effect is not known.
 *
 * @example
 * const nobody = new ColophonClient({ baseUrl: "http://127.0.0.1:1", token });
 * const error = await nobody.lookUp(photo).catch((reason) => reason);
 * console.log(error instanceof ColophonConnectionError);
 */
export class ColophonConnectionError extends Error {
  override readonly name = "ColophonConnectionError";
}

/** The refusal in an answer that is no success, `null` when it does not look like one of this service. */
export function readRefusal(text: string, retryAfterSeconds: number | null): ColophonError | null {
  const body = parsed(text);
  if (body === null) return null;
  const { type: _, title, status, detail, traceId, ...rest } = body;
  if (typeof title !== "string" || typeof status !== "number" || typeof detail !== "string") return null;
  const extensions = retryAfterSeconds === null ? rest : { ...rest, retryAfterSeconds };
  return new ColophonError({
    title,
    status,
    detail,
    traceId: typeof traceId === "string" ? traceId : "",
    extensions,
  });
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function codeOf(title: string): ErrorCode {
  const code = title
    .toLowerCase()
    // With the letter optional, a run that none follows is gone over once, not from each of its places on.
    .replaceAll(/[^a-z0-9]+([a-z0-9]?)/g, (_match, letter: string) => letter.toUpperCase());
  return isKnown(code) ? code : "unrecognised";
}

function isKnown(code: string): code is RefusalCode {
  return Object.hasOwn(KNOWN, code);
}
