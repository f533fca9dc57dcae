import { type Refusal, refuse } from "@colophon/contract";
import { ClientGone } from "../../registry/client-gone.ts";
import type { GatheredRequest } from "../pace/gathered-request.ts";
import { erase } from "./erase.ts";
import { type BodyPace, Patience } from "./patience.ts";

/** Chunks handed over one by one in flowing mode: a paused stream would join what it has buffered in a copy. */
export class Arrivals implements Disposable {
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

  /**
   * The next chunk, which the caller erases; null at the end.
   * @throws ClientGone; Refusal malformedRequest where what comes is no body
   */
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
