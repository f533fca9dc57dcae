import { refuse } from "@colophon/contract";

/** Seconds after which a request that found no room for its body is to come again. */
const RETRY_AFTER_SECONDS = 2;

/** Memory that is counted against a bound. */
export interface ByteBudget {
  /** Bytes there are in all. */
  readonly limit: number;
  /** @throws Refusal serviceUnavailable when there is no room for so many bytes more */
  take(bytes: number): void;
  giveBack(bytes: number): void;
}

/**
 * How many bytes of request bodies the process holds at once, images, manifests and lists alike. An account may hold as
 * much as it leaves free for everybody else: alone half of all, beside another a third. So however many accounts hold
 * all they can, there is room for one more.
 */
export class BodyBudget {
  /** Bytes that may be held. */
  readonly limit: number;
  readonly #held = new Map<string, number>();
  #used = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Bytes held now. */
  get used(): number {
    return this.#used;
  }

  /** A budget for one request of a holder, an account's id for one; disposing it gives back what is left of it. */
  open(holder: string): BodyHold {
    return new BodyHold({
      limit: this.limit,
      take: (bytes) => this.#take(holder, bytes),
      giveBack: (bytes) => this.#giveBack(holder, bytes),
    });
  }

  #take(holder: string, bytes: number): void {
    const held = (this.#held.get(holder) ?? 0) + bytes;
    if (held > this.limit - this.#used - bytes) {
      throw refuse("serviceUnavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.#held.set(holder, held);
    this.#used += bytes;
  }

  #giveBack(holder: string, bytes: number): void {
    const held = (this.#held.get(holder) ?? 0) - bytes;
    if (held > 0) this.#held.set(holder, held);
    else this.#held.delete(holder);
    this.#used -= bytes;
  }
}

/** What one request holds of the budget. */
export class BodyHold implements ByteBudget, Disposable {
  readonly #budget: ByteBudget;
  #bytes = 0;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  get limit(): number {
    return this.#budget.limit;
  }

  take(bytes: number): void {
    this.#budget.take(bytes);
    this.#bytes += bytes;
  }

  giveBack(bytes: number): void {
    this.#budget.giveBack(bytes);
    this.#bytes -= bytes;
  }

  [Symbol.dispose](): void {
    this.giveBack(this.#bytes);
  }
}
