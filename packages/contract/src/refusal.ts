import { problemType, type RefusalCode, REFUSALS } from "./refusals.ts";

/** What keeps a sealed sequence from being committed. */
export const SHORTFALLS = [
  "notSealed",
  "notConnected",
  "gap",
  "errata",
  "noBody",
  "noPacket",
  "tooFewFrames",
] as const;

/** One reason why a sequence cannot be committed. */
export type Shortfall = (typeof SHORTFALLS)[number];

/** The frame at fault; left out where the fault belongs to no one frame. */
interface FrameAtFault {
  readonly frameId?: number;
}

/**
 * What a refusal says beyond its sentence, per code. All of it becomes a member of the problem body, except
 * `retryAfterSeconds`, which becomes the `Retry-After` header.
 */
export interface RefusalExtensions {
  readonly openSlotCapReached: { readonly cap: number };
  readonly openSequenceCapReached: { readonly cap: number };
  /** `registrationId` only when the matching registration is the caller's own. */
  readonly imageNotRegistered: { readonly registrationId?: string };
  readonly quotaExceeded: { readonly registrationRemaining: number; readonly lookupRemaining: number };
  readonly imageCouldNotBeCheckedYet: { readonly retryAfterSeconds: number };
  readonly serviceUnavailable: { readonly retryAfterSeconds: number };
  readonly proofNotReady: { readonly retryAfterSeconds: number };
  readonly tooManyRequests: { readonly retryAfterSeconds: number };
  readonly sequenceNotCommittable: { readonly shortfalls: readonly Shortfall[] };
  readonly frameRefused: FrameAtFault;
  readonly frameConflict: FrameAtFault;
  readonly frameIsNotABodyFrame: FrameAtFault;
  readonly imageCouldNotBeChecked: FrameAtFault;
  readonly sequenceDoesNotAcceptThisCommand: FrameAtFault;
}

type Details<C extends RefusalCode> = (typeof REFUSALS)[C]["details"];

/** The names of the sentences that a problem of code `C` may carry. */
export type RefusalDetail<C extends RefusalCode> = keyof Details<C>;

/** Codes whose title has one cause. */
export type SoleCauseCode = { [C in RefusalCode]: "only" extends RefusalDetail<C> ? C : never }[RefusalCode];

type Extensions<C extends RefusalCode> = C extends keyof RefusalExtensions ? RefusalExtensions[C] : never;
type Limit<C extends RefusalCode, D extends RefusalDetail<C>> = Details<C>[D] extends (
  limit: number,
) => string
  ? { readonly limit: number }
  : never;
type Arguments<T> = [T] extends [never] ? [] : object extends T ? [values?: T] : [values: T];

/** An answer that ends a request; thrown, and turned into the problem body at the edge. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  /** The name of the sentence within the code's `details`. */
  readonly detail: string;
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(
    code: RefusalCode,
    detail: string,
    message: string,
    extensions: Readonly<Record<string, unknown>>,
  ) {
    super(message);
    this.code = code;
    this.detail = detail;
    this.extensions = extensions;
  }

  /** Attaches the fault behind the refusal: for the log, never for the answer. */
  causedBy(fault: unknown): this {
    this.cause = fault;
    return this;
  }
}

/**
 * Makes a refusal to throw. A code with one cause takes no detail name; the last argument carries the code's
 * extensions, or the limit that a sentence states.
 *
 * @example throw refuse("slotNotFound");
 * @example throw refuse("imageNotRegistered", "derivative", { registrationId });
 */
export function refuse<C extends SoleCauseCode>(code: C, ...values: Arguments<Extensions<C>>): Refusal;
export function refuse<C extends Exclude<RefusalCode, SoleCauseCode>, D extends RefusalDetail<C>>(
  code: C,
  detail: D,
  ...values: Arguments<Extensions<C> | Limit<C, D>>
): Refusal;
export function refuse(code: RefusalCode, ...rest: readonly (string | object | undefined)[]): Refusal {
  const detail = typeof rest[0] === "string" ? rest[0] : "only";
  const values = rest.find((argument) => typeof argument === "object");
  const { limit, ...extensions } = Object.fromEntries<unknown>(Object.entries(values ?? {}));
  const sentences: Record<string, string | ((limit: number) => string)> = REFUSALS[code].details;
  const sentence = sentences[detail];
  if (sentence === undefined) throw new TypeError(`${code} has no detail ${detail}`);
  const message = typeof sentence === "string" ? sentence : sentence(Number(limit));
  return new Refusal(code, detail, message, extensions);
}

/** The body of a problem answer, `application/problem+json`. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly traceId: string;
  readonly [extension: string]: unknown;
}

/** A refusal as an HTTP answer. */
export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ProblemBody;
}

/**
 * The HTTP answer to a refusal. `Retry-After` is rounded up to whole seconds, at least one; a 401 names the
 * scheme to use, as RFC 9110 asks.
 */
export function problemOf(refusal: Refusal, traceId: string): ProblemAnswer {
  const { title, status } = REFUSALS[refusal.code];
  const { retryAfterSeconds, ...extensions } = refusal.extensions;
  const headers: Record<string, string> = { "content-type": "application/problem+json" };
  if (status === 401) headers["www-authenticate"] = "Bearer";
  if (typeof retryAfterSeconds === "number") {
    headers["retry-after"] = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  }
  const present = Object.entries(extensions).filter(([, value]) => value !== undefined);
  const body: ProblemBody = {
    type: problemType(refusal.code),
    title,
    status,
    detail: refusal.message,
    traceId,
    ...Object.fromEntries(present),
  };
  return { status, headers, body };
}
