import type { IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { KnownCallers } from "./known-callers.ts";
import type { LoopPace, Share } from "./loop-pace.ts";

/** What a request takes of the event loop without its body, and what a piece of one takes and a byte of it, read or written, ms: proportions, for the loop's load corrects them. */
const REQUEST_MS = 0.5;
const PIECE_MS = 0.02;
const BYTE_MS = 1.5e-6;
/** Pieces that are worked in one turn of the loop: a read of a socket may bring ten thousand, of a byte each. */
const PIECES_AT_ONCE = 64;

/** The turns of one request on the event loop. */
export class RequestPace {
  readonly #loop: LoopPace;
  readonly #callers: KnownCallers;
  readonly #request: IncomingMessage;
  #share: Share;
  #pieces = 0;

  constructor(loop: LoopPace, callers: KnownCallers, request: IncomingMessage) {
    this.#loop = loop;
    this.#callers = callers;
    this.#request = request;
    this.#share = callers.of(request);
  }

  /** Resolves when the request may begin. */
  begin(): Promise<void> {
    return this.#loop.turn(this.#share, REQUEST_MS);
  }

  /** Has what follows count for the holder of the token that the request carries. */
  isOf(holder: string): void {
    this.#share = this.#callers.remember(this.#request, holder);
  }

  /** Resolves when a piece of so many bytes may be followed by another. */
  async passed(bytes: number): Promise<void> {
    this.#pieces += 1;
    if (this.#pieces % PIECES_AT_ONCE === 0) await setImmediate();
    await this.#loop.turn(this.#share, PIECE_MS + bytes * BYTE_MS);
  }
}
