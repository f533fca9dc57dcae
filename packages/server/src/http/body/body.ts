import type { ServerResponse } from "node:http";
import { refuse } from "@colophon/contract";
import type { BodyHold } from "../../custody/body-budget.ts";
import type { GatheredRequest } from "../pace/gathered-request.ts";
import type { RequestPace } from "../pace/request-pace.ts";
import { Arrivals } from "./arrivals.ts";
import { erase } from "./erase.ts";
import { asksToContinue, type Exchange } from "./exchange.ts";
import { type MultipartEvent, readMultipart } from "./multipart.ts";
import { multipartBoundary } from "./part-headers.ts";
import type { BodyPace } from "./patience.ts";

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
   * @throws Refusal requestTooLarge when more than `limit` bytes are declared (before any is read) or arrive;
   *   malformedRequest when what arrives is no body
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

  /**
   * The body whole, at most `limit` bytes.
   * @throws Refusal requestTooLarge, malformedRequest, serviceUnavailable; ClientGone
   */
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
