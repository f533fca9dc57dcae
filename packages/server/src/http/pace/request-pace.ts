import type { NamedRoute } from "@colophon/contract";
import type { GatheredRequest } from "./gathered-request.ts";
import type { KnownCallers } from "./known-callers.ts";
import type { LoopPace, Share } from "./loop-pace.ts";

/**
 * What a request takes of the event loop without its body and its handler, and what a piece of a body takes and a byte
 * of it, read or written, ms: proportions, for the loop's load corrects them.
 */
const REQUEST_MS = 0.25;
const PIECE_MS = 0.02;
const BYTE_MS = 1.5e-6;
/** What a handler takes of it that asks the database for its answer, and one that has a picture worked, ms. */
const HANDLER_MS = 1;
const PICTURE_MS = 5;

/** The turns of one request on the event loop. */
export class RequestPace {
  readonly #loop: LoopPace;
  readonly #callers: KnownCallers;
  readonly #request: GatheredRequest;
  #share: Share;

  constructor(loop: LoopPace, callers: KnownCallers, request: GatheredRequest) {
    this.#loop = loop;
    this.#callers = callers;
    this.#request = request;
    this.#share = callers.of(request);
  }

  /** Resolves when the request may begin. */
  begin(): Promise<void> {
    return this.#loop.turn(this.#share, REQUEST_MS, this.#request.socket);
  }

  /** Has what follows count for the holder of the token that the request carries. */
  isOf(holder: string): void {
    this.#share = this.#callers.remember(this.#request, holder);
  }

  /** Takes note of what the handler of its route takes. */
  isHandled({ body }: NamedRoute): void {
    this.#loop.took(this.#share, body?.kind === "multipart" ? PICTURE_MS : HANDLER_MS);
  }

  /**
   * Resolves when so many bytes may be followed by others. Of a body, the pieces count that they came in: one read of a
   * socket may bring ten thousand.
   */
  async passed(bytes: number): Promise<void> {
    const pieces = Math.max(1, this.#request.takeParsed());
    const milliseconds = pieces * PIECE_MS + bytes * BYTE_MS;
    await this.#loop.turn(this.#share, milliseconds, this.#request.socket);
  }
}
