import type { UploadOutcome, UploadOutcomes } from "@colophon/contract";

/** What a handler answers when it does not refuse. */
export type Answer =
  | {
      readonly kind: "json";
      readonly status: 200 | 201 | 503;
      readonly body: object;
      readonly location?: string;
    }
  /** Given to a request that was not read to its end, or is too long: the connection closes after it. */
  | { readonly kind: "last"; readonly body: object }
  /**
   * A body as it is, of the route's media type: JSON assembled from stored bytes, which a serializer would print
   * otherwise.
   */
  | { readonly kind: "bytes"; readonly body: Uint8Array }
  | { readonly kind: "lines"; readonly rows: AsyncIterable<object> }
  | { readonly kind: "none" };

type JsonAnswer = Extract<Answer, { kind: "json" }>;

/** An answer in JSON as it is sent. */
export type PrintedJson = Omit<JsonAnswer, "body"> & { readonly body: Uint8Array };

/** An answer whose JSON is printed. */
export type Printed = Exclude<Answer, JsonAnswer> | PrintedJson;

/** Bytes of printed JSON from which it counts as memory that its client holds until it has read it. */
const LARGE_BYTES = 65_536;

/** Prints what is to be printed. */
export function printed(answer: Answer): Printed {
  return answer.kind === "json" ? { ...answer, body: Buffer.from(JSON.stringify(answer.body)) } : answer;
}

/** Whether an answer is JSON of such a length that its client is waited for. */
export function isLarge(answer: Printed): answer is PrintedJson {
  return answer.kind === "json" && answer.body.length > LARGE_BYTES;
}

export function ok(body: object): Answer {
  return { kind: "json", status: 200, body };
}

/** What answers with a document that never changes: it is made, and printed, when it is first asked for. */
export function printedOnce(make: () => object): () => Promise<Answer> {
  let document: Uint8Array | null = null;
  return async () => {
    document ??= Buffer.from(JSON.stringify(make()));
    return { kind: "bytes", body: document };
  };
}

export function created(body: object, location?: string): Answer {
  return location === undefined
    ? { kind: "json", status: 201, body }
    : { kind: "json", status: 201, body, location };
}

/** What became of an upload. @param isWhole whether all of it was read, and it was no longer than it may be */
export function uploaded(outcomes: readonly UploadOutcome[], isWhole: boolean): Answer {
  const body: UploadOutcomes = { outcomes: [...outcomes] };
  return isWhole ? ok(body) : { kind: "last", body };
}

export const NO_CONTENT: Answer = { kind: "none" };
