import { isAnonymous } from "../store/accounts/anonymous.ts";
import { Turnstile } from "./turnstile.ts";

/** Reads of records at once: they leave most connections of the database to everybody else. */
const RECORDS_AT_ONCE = 4;

/**
 * The turns that callers without a token take among themselves, so that accounts find the engine and the database free.
 */
export class AnonymousTurns {
  readonly #lookups: Turnstile;
  readonly #records = new Turnstile(RECORDS_AT_ONCE);

  /** @param places of the engine, of which callers without a token have half at most */
  constructor(places: number) {
    this.#lookups = new Turnstile(Math.max(1, Math.floor(places / 2)));
  }

  /** Does a look-up: at once for an account. @throws Refusal serviceUnavailable when too many wait */
  lookUp<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    return isAnonymous(accountId) ? this.#lookups.run(work) : work();
  }

  /** Likewise for a read of records. */
  readRecords<T>(work: () => Promise<T>): Promise<T> {
    return this.#records.run(work);
  }
}
