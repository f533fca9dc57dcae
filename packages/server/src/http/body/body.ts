import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Refusal, refuse } from "@colophon/contract";
import type { BodyHold } from "../../custody/body-budget.ts";
import { ClientGone } from "../../registry/client-gone.ts";
import { free } from "../../custody/free.ts";
import { type MultipartEvent, readMultipart } from "./multipart.ts";
import { multipartBoundary } from "./part-headers.ts";
import type { GatheredRequest } from "../pace/gathered-request.ts";
import type { RequestPace } from "../pace/request-pace.ts";
import { type BodyPace, Patience } from "./patience.ts";

/**
 * How much of a body that nobody wants is read before its answer: more bytes than are under way on a connection. It is timed like any
 * other body, but for the silence, in which its client may be waiting for the answer.
 */
export const UNWANTED = { bytes: 16_777_216, silenceMs: 10_000 } as const;
/** How long a body is read that is only thrown away, however well it comes, ms. */
const LONGEST_DISCARD_MS = 600_000;

/** How much of a body is thrown away at most, and how slowly it may come. */
export interface DiscardBounds extends BodyPace {
  readonly bytes: number;
}

/**
 * Erases what arrives on a connection once the HTTP parser has copied the bodies out of it. Without a listener
 * the parser would read the socket itself, into a buffer of its own that keeps the last bytes of some upload.
 */
export function eraseOnceParsed(socket: Socket): void {
  socket.on("data", erase);
}

/** Zeroes a buffer of some read, for it may hold pixels, and gives it back: a large body passes through a thousand of them. */
export function erase(bytes: Uint8Array): void {
  bytes.fill(0);
  free(bytes);
}

/** A request, its answer, and its turns on the event loop. */
export interface Exchange {
  readonly request: GatheredRequest;
  readonly response: ServerResponse;
  readonly pace: RequestPace;
}

/** The body of one request, unread, with the memory that what is read of it may take. */
export class Body {
  readonly hold: BodyHold;
  readonly #request: GatheredRequest;
  readonly #response: ServerResponse;
  readonly #patience: BodyPace;
  readonly #pace: RequestPace;
  #read = 0;

  constructor(
    { request, response, pace }: Exchange,
    { hold, patience }: { readonly hold: BodyHold; readonly patience: BodyPace },
  ) {
    this.#request = request;
    this.#response = response;
    this.hold = hold;
    this.#patience = patience;
    this.#pace = pace;
  }

  /** Whether it has arrived to its end, and is no longer than `limit` bytes. */
  isWithin(limit: number): boolean {
    return this.#request.complete && this.#read <= limit;
  }

  /** Bytes that have been read of it, those of the chunk that is being worked on included. */
  get bytesRead(): number {
    return this.#read;
  }

  /**
   * The parts of a multipart body as they stream by. What the head of the request says is weighed at once, before
   * anything is read.
   * @param most bytes that may arrive where the head does not say how many will
   * @throws Refusal malformedRequest, requestTooLarge
   */
  parts(limit: number, most: number = limit): AsyncIterable<MultipartEvent> {
    const boundary = multipartBoundary(this.#request.headers["content-type"]);
    if (boundary === null) throw refuse("malformedRequest", "notMultipart");
    this.assertDeclared(limit);
    return readMultipart(this.chunks(most, limit), boundary);
  }

  /**
   * The bytes as they arrive, one chunk at a time: the socket rests while a chunk is worked on. A chunk is the
   * consumer's to read until it asks for the next; then it is erased.
   * A chunk that lies across the limit is handed over as far as it is within, whatever size it came in.
   * @param seam where a chunk that lies across it is handed over in two: what is before it is no larger than that
   * @throws Refusal requestTooLarge when more than `limit` bytes are declared (before any is read) or arrive; malformedRequest
   *   when what arrives is no body
   * @throws ClientGone
   */
  async *chunks(limit: number, seam: number = limit): AsyncGenerator<Uint8Array> {
    this.assertDeclared(limit);
    if (asksToContinue(this.#request)) this.#response.writeContinue();
    using arrivals = new Arrivals(this.#request, this.#patience);
    for (;;) {
      const chunk = await arrivals.next();
      if (chunk === null) return;
      const { length } = chunk;
      try {
        for (const piece of cutAt(chunk, [seam - this.#read, limit - this.#read])) {
          this.#read += piece.length;
          if (this.#read > limit) throw refuse("requestTooLarge");
          yield piece;
        }
      } finally {
        erase(chunk);
      }
      await this.#pace.passed(length);
    }
  }

  /** The body whole, at most `limit` bytes. @throws Refusal requestTooLarge, malformedRequest, serviceUnavailable; ClientGone */
  async whole(limit: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const chunk of this.chunks(limit)) {
      this.hold.take(chunk.length);
      parts.push(Buffer.from(chunk));
    }
    return Buffer.concat(parts);
  }

  /** @throws Refusal requestTooLarge when the head of the request says that the body is longer */
  assertDeclared(limit: number): void {
    if (Number(this.#request.headers["content-length"] ?? 0) > limit) throw refuse("requestTooLarge");
  }
}

/** A chunk cut at those of these places, in ascending order, that lie in it. */
function* cutAt(chunk: Buffer, places: readonly number[]): Generator<Buffer> {
  let from = 0;
  for (const place of places) {
    if (place <= from || place >= chunk.length) continue;
    yield chunk.subarray(from, place);
    from = place;
  }
  yield chunk.subarray(from);
}

/** Whether the client waits to hear that its body is wanted (RFC 9110 section 10.1.1). */
function asksToContinue({ headers, httpVersion, complete }: GatheredRequest): boolean {
  return httpVersion === "1.1" && !complete && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? "");
}

/**
 * Reads what is left of a body and throws it away, zeroed, so that a client still sending gets to read its
 * answer. Stops past its bounds, and where the client ends its side before the body's end.
 */
export async function discardBody(
  { request, pace }: Pick<Exchange, "request" | "pace">,
  bounds: DiscardBounds,
): Promise<void> {
  if (request.complete || request.destroyed) return;
  using arrivals = new Arrivals(request, bounds);
  const giveUp = (): void => arrivals.giveUp();
  const timer = setTimeout(giveUp, LONGEST_DISCARD_MS);
  try {
    for (let read = 0; read <= bounds.bytes; ) {
      const chunk = await arrivals.next();
      if (chunk === null) return;
      const { length } = chunk;
      erase(chunk);
      read += length;
      await pace.passed(length);
    }
  } catch (error) {
    if (!(error instanceof ClientGone || error instanceof Refusal)) throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The same before the answer to a request of which nobody wanted a body, so that its connection can be used again. A client that waits to
 * hear whether its body is wanted hears the answer instead (RFC 9110 section 10.1.1).
 */
export async function discardUnasked(exchange: Exchange): Promise<void> {
  if (!asksToContinue(exchange.request)) await discardBody(exchange, UNWANTED);
}

/** Chunks handed over one by one in flowing mode: a paused stream would join what it has buffered in a copy. */
class Arrivals implements Disposable {
  readonly #request: GatheredRequest;
  readonly #patience: Patience;
  readonly #queue: Buffer[] = [];
  #wake: (() => void) | null = null;
  #ended: boolean;
  #gone: boolean;

  constructor(request: GatheredRequest, pace: BodyPace) {
    this.#request = request;
    this.#patience = new Patience(pace);
    this.#ended = request.readableEnded;
    this.#gone = (request.destroyed && !request.readableEnded) || request.brokenOff !== null;
    request.on("data", this.#onData);
    request.on("end", this.#onEnd);
    request.on("close", this.#onClose);
    request.on("error", this.#onClose);
    request.on("brokenOff", this.#onClose);
  }

  async next(): Promise<Buffer | null> {
    let waited = 0;
    if (this.#queue.length === 0 && !this.#ended && !this.#gone) {
      const began = performance.now();
      this.#request.resume();
      const silence = setTimeout(this.#onClose, this.#patience.left);
      await new Promise<void>((resolve) => (this.#wake = resolve));
      // Everything that one read of the socket brought has come by now, in however many chunks.
      this.#request.pause();
      clearTimeout(silence);
      waited = performance.now() - began;
    }
    const chunk = this.#queue.shift();
    if (chunk) {
      this.#patience.received(chunk.length, waited);
      return chunk;
    }
    if (this.#gone && !this.#ended) throw this.#whyGone();
    return null;
  }

  #whyGone(): ClientGone | Refusal {
    const { brokenOff } = this.#request;
    return brokenOff === "unreadable"
      ? refuse("malformedRequest", "unreadableRequest")
      : new ClientGone(brokenOff === "ended");
  }

  /** Waits for no more: `next` hands over what has come, and then rejects. */
  giveUp(): void {
    this.#onClose();
  }

  [Symbol.dispose](): void {
    this.#request.pause();
    this.#request.off("data", this.#onData);
    this.#request.off("end", this.#onEnd);
    this.#request.off("close", this.#onClose);
    this.#request.off("brokenOff", this.#onClose);
    // An error that comes later still has its listener: without one it would end the process.
    for (const chunk of this.#queue) erase(chunk);
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#queue.push(chunk);
    this.#wake?.();
  };

  readonly #onEnd = (): void => {
    this.#ended = true;
    this.#wake?.();
  };

  readonly #onClose = (): void => {
    this.#gone = true;
    this.#wake?.();
  };
}
