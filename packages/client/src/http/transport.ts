import { ColophonConnectionError, readRefusal } from "./errors.ts";
import type { Payload } from "./parts.ts";
import { pause } from "./pause.ts";

/** How a client reaches its service. */
export interface ClientOptions {
  /** For example `https://colophon.example`. */
  readonly baseUrl: string;
  /** The account's token; without one, only what the registry answers to anyone. */
  readonly token?: string | undefined;
  /** Another `fetch`, for a proxy or a test; the platform's otherwise. */
  readonly fetch?: typeof fetch;
  /** How often one call is tried at most, the first attempt included; 5 unless told. */
  readonly maxAttempts?: number;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, and any wait before its next attempt, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** One call as the client's methods state it. */
export interface Call extends CallOptions {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly payload?: Payload;
  /** Of a call on a sequence. */
  readonly ticket?: string;
  /** Whether the call may be made again when no answer came: it changes nothing and costs nothing. */
  readonly free?: true;
}

const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_SECONDS = 0.25;
/** A wait without end is nobody's wish: past this the refusal is the answer. */
const LONGEST_PAUSE_SECONDS = 120;
/**
 * Characters of an answer, and of one line of rows, past which it is none of this service: records carry 64 MiB of
 * manifests, in base64.
 */
const MOST_ANSWER = 268_435_456;
const LONGEST_LINE = 1_048_576;

/**
 * Calls over `fetch`. A 503 with `Retry-After` charged nothing, so it is tried again after that time; a call that got
 * no answer is tried again only when it is free, because it may have been charged.
 */
export class Transport {
  readonly #baseUrl: string;
  readonly #token: string | undefined;
  readonly #fetch: typeof fetch;
  readonly #maxAttempts: number;

  /** @throws TypeError for an address that is no http or https URL */
  constructor({ baseUrl, token, fetch: own, maxAttempts = MAX_ATTEMPTS }: ClientOptions) {
    this.#baseUrl = addressOf(baseUrl);
    this.#token = token;
    this.#fetch = own ?? ((input, init) => fetch(input, init));
    this.#maxAttempts = maxAttempts;
  }

  /**
   * The JSON answer of a call, `null` on 204. `Answer` is the contract's type of that route.
   *
   * @throws ColophonError, ColophonConnectionError, the signal's reason
   */
  async json<Answer>(call: Call): Promise<Answer> {
    const text = await this.text(call);
    try {
      return JSON.parse(text === "" ? "null" : text);
    } catch (error) {
      throw this.#stranger(error);
    }
  }

  /**
   * The answer of a call, its exact text.
   *
   * @throws ColophonError, ColophonConnectionError, the signal's reason
   */
  async text(call: Call): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      const last = attempt >= this.#maxAttempts;
      const outcome = await this.#attempt(call);
      if ("text" in outcome) return outcome.text;
      const { error, retryAfterSeconds } = outcome;
      const again =
        error instanceof ColophonConnectionError ? call.free === true : retryAfterSeconds !== null;
      if (last || !again || call.payload?.repeatable === false) throw error;
      const seconds = retryAfterSeconds ?? FIRST_PAUSE_SECONDS * 2 ** (attempt - 1);
      if (seconds > LONGEST_PAUSE_SECONDS) throw error;
      await pause(seconds, call.signal);
    }
  }

  /**
   * The rows of an answer that is one JSON object a line, as they come. `Row` is the contract's type of that route.
   *
   * @throws ColophonError, ColophonConnectionError, also when the answer breaks off; the signal's reason
   */
  async *rows<Row>(call: Call): AsyncGenerator<Row> {
    const response = await this.#send(call);
    if (!response.ok) {
      throw readRefusal(await this.#text(call, response), null) ?? this.#stranger();
    }
    for await (const line of this.#lines(call, response)) {
      try {
        yield JSON.parse(line);
      } catch (error) {
        throw this.#stranger(error);
      }
    }
  }

  async *#lines(call: Call, response: Response): AsyncGenerator<string> {
    // Joined when it has ended: a line that is searched whenever it grows takes time by the square of its pieces.
    const begun: string[] = [];
    let length = 0;
    for await (const piece of this.#pieces(call, response)) {
      const lines = piece.split("\n");
      const rest = lines.pop() ?? "";
      for (const line of lines) {
        yield begun.splice(0).join("") + line;
        length = 0;
      }
      begun.push(rest);
      length += rest.length;
      if (length > LONGEST_LINE) throw this.#stranger();
    }
    if (length > 0) yield begun.join("");
  }

  async #text(call: Call, response: Response): Promise<string> {
    let text = "";
    for await (const piece of this.#pieces(call, response)) {
      text += piece;
      if (text.length > MOST_ANSWER) throw new EndlessAnswer(strangerAt(this.#baseUrl));
    }
    return text;
  }

  async *#pieces(call: Call, response: Response): AsyncGenerator<string> {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (reader === undefined) return;
    try {
      for (;;) {
        const { done, value } = await this.#guard(call, () => reader.read());
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => {});
    }
  }

  async #attempt(
    call: Call,
  ): Promise<
    { readonly text: string } | { readonly error: Error; readonly retryAfterSeconds: number | null }
  > {
    try {
      const response = await this.#send(call);
      const text = await this.#text(call, response);
      if (response.ok) return { text };
      const retryAfterSeconds =
        response.status === 503 ? secondsOf(response.headers.get("retry-after")) : null;
      return { error: readRefusal(text, retryAfterSeconds) ?? this.#stranger(), retryAfterSeconds };
    } catch (error) {
      const isLost = error instanceof ColophonConnectionError && !(error instanceof EndlessAnswer);
      if (isLost) return { error, retryAfterSeconds: null };
      throw error;
    }
  }

  /** @throws TypeError for a token or a ticket that cannot be sent, and as `#guard` does */
  #send(call: Call): Promise<Response> {
    const init = this.#init(call);
    return this.#guard(call, () => this.#fetch(this.#baseUrl + call.path, init));
  }

  /** Work on the wire. @throws ColophonConnectionError when it fails, the signal's reason */
  async #guard<Result>(call: Call, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      call.signal?.throwIfAborted();
      throw new ColophonConnectionError(
        `The service at ${this.#baseUrl} gave no answer: ${reasonOf(error)}.`,
        { cause: error },
      );
    }
  }

  #init({ method, payload, ticket, signal }: Call): RequestInit {
    const { body, contentType } = payload?.make() ?? {};
    const headers: Record<string, string> = {};
    if (this.#token !== undefined) headers["authorization"] = `Bearer ${this.#token}`;
    if (contentType !== undefined) headers["content-type"] = contentType;
    if (ticket !== undefined) headers["x-sequence-ticket"] = ticket;
    return {
      method,
      headers: headersOf(headers),
      // The token goes to this service and nowhere else.
      redirect: "error",
      credentials: "omit",
      signal: signal ?? null,
      body: body ?? null,
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
    };
  }

  #stranger(cause?: unknown): ColophonConnectionError {
    return new ColophonConnectionError(strangerAt(this.#baseUrl), { cause });
  }
}

/** An answer longer than any of this service: asking again gets no other. */
class EndlessAnswer extends ColophonConnectionError {}

function strangerAt(baseUrl: string): string {
  return `What answers at ${baseUrl} is not a Colophon service.`;
}

/** An address without a trailing slash. @throws TypeError */
function addressOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, "");
  throw new TypeError(`baseUrl must be an http or https URL, not ${JSON.stringify(baseUrl)}.`);
}

/** @throws TypeError that names neither token nor ticket; the platform's own quotes what cannot be sent */
function headersOf(headers: Record<string, string>): Headers {
  try {
    return new Headers(headers);
  } catch {
    throw new TypeError("The token or the ticket has a character that no header can carry.");
  }
}

/** `Retry-After` in seconds, `null` when there is none; this service never sends a date. */
function secondsOf(retryAfter: string | null): number | null {
  return retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
}

/** Node's `fetch` hides what went wrong in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  const { cause } = error;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}
