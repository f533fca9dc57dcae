import type { GatheredRequest } from "./gathered-request.ts";
import type { KnownCallers } from "./known-callers.ts";
import type { LoopPace, Share } from "./loop-pace.ts";

/** What a request takes of the event loop without its body, and what a piece of one takes and a byte of it, read or written, ms: proportions, for the loop's load corrects them. */
const REQUEST_MS = 0.5;
const PIECE_MS = 0.02;
const BYTE_MS = 1.5e-6;

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

  /** Resolves when so many bytes may be followed by others. Of a body, the pieces count that they came in: one read of a socket may bring ten thousand. */
  async passed(bytes: number): Promise<void> {
    const pieces = Math.max(1, this.#request.takeParsed());
    const milliseconds = pieces * PIECE_MS + bytes * BYTE_MS;
    await this.#loop.turn(this.#share, milliseconds, this.#request.socket);
  }
}
