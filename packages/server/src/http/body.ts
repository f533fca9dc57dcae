import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { refuse } from "@colophon/contract";

/** A client that sends nothing for so long is given up on. */
const SILENCE_MS = 60_000;

/**
 * Zeroes what arrives on a connection once the HTTP parser has copied the bodies out of it. Without a listener
 * the parser would read the socket itself, into a buffer of its own that keeps the last bytes of some upload.
 */
export function eraseOnceParsed(socket: Socket): void {
  socket.on("data", (bytes: Buffer) => bytes.fill(0));
}

/** The client went away, or fell silent, before its request was complete; nobody is left to answer. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
  constructor() {
    super("The client went away before its request was complete.");
  }
}

/**
 * The bytes of a request body as they arrive, one chunk at a time: the socket rests while a chunk is worked on.
 * A chunk is the consumer's to read until it asks for the next; then it is zeroed, for it may hold pixels.
 * @throws Refusal requestTooLarge when more than `limit` bytes are declared (before any is read) or arrive
 * @throws ClientGone
 */
export async function* bodyChunks(request: IncomingMessage, limit: number): AsyncGenerator<Uint8Array> {
  if (Number(request.headers["content-length"] ?? 0) > limit) throw refuse("requestTooLarge");
  using arrivals = new Arrivals(request);
  let read = 0;
  for (;;) {
    const chunk = await arrivals.next();
    if (chunk === null) return;
    try {
      read += chunk.length;
      if (read > limit) throw refuse("requestTooLarge");
      yield chunk;
    } finally {
      chunk.fill(0);
    }
  }
}

/**
 * Reads what is left of a body and throws it away, zeroed, so that a client still sending gets to read its
 * answer. Stops after `limit` bytes or `milliseconds`. Returns whether the body was read to its end.
 */
export async function discardBody(
  request: IncomingMessage,
  limit: number,
  milliseconds: number,
): Promise<boolean> {
  if (request.complete || request.destroyed) return request.complete;
  const timer = setTimeout(() => request.destroy(), milliseconds);
  try {
    using arrivals = new Arrivals(request);
    for (let read = 0; read <= limit; ) {
      const chunk = await arrivals.next();
      if (chunk === null) return true;
      chunk.fill(0);
      read += chunk.length;
    }
    return false;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** A body of at most `limit` bytes, whole. @throws Refusal requestTooLarge; ClientGone */
export async function wholeBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of bodyChunks(request, limit)) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
}

/** Chunks handed over one by one in flowing mode: a paused stream would join what it has buffered in a copy. */
class Arrivals implements Disposable {
  readonly #request: IncomingMessage;
  readonly #queue: Buffer[] = [];
  #wake: (() => void) | null = null;
  #ended: boolean;
  #gone: boolean;

  constructor(request: IncomingMessage) {
    this.#request = request;
    this.#ended = request.readableEnded;
    this.#gone = request.destroyed && !request.readableEnded;
    request.on("data", this.#onData);
    request.on("end", this.#onEnd);
    request.on("close", this.#onClose);
    request.on("error", this.#onClose);
  }

  async next(): Promise<Buffer | null> {
    if (this.#queue.length === 0 && !this.#ended && !this.#gone) {
      this.#request.resume();
      const silence = setTimeout(this.#onClose, SILENCE_MS);
      await new Promise<void>((resolve) => (this.#wake = resolve));
      clearTimeout(silence);
    }
    const chunk = this.#queue.shift();
    if (chunk) return chunk;
    if (this.#gone && !this.#ended) throw new ClientGone();
    return null;
  }

  [Symbol.dispose](): void {
    this.#request.pause();
    this.#request.off("data", this.#onData);
    this.#request.off("end", this.#onEnd);
    this.#request.off("close", this.#onClose);
    for (const chunk of this.#queue) chunk.fill(0);
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#queue.push(chunk);
    this.#request.pause();
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
