import { refuse } from "@colophon/contract";

/** Seconds after which a request that found the memory for pixels used up is told to come again. */
const RETRY_AFTER_SECONDS = 2;

/** How many bytes of posted images the process holds at once, all requests together. */
export class PixelBudget {
  /** Bytes that may be held. */
  readonly limit: number;
  #used = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Bytes held now. */
  get used(): number {
    return this.#used;
  }

  /** @throws Refusal imageCouldNotBeCheckedYet when `bytes` more would pass the limit */
  take(bytes: number): void {
    if (this.#used + bytes > this.limit) {
      throw refuse("imageCouldNotBeCheckedYet", { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.#used += bytes;
  }

  giveBack(bytes: number): void {
    this.#used -= bytes;
  }
}
