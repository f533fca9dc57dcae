import { refuse } from "@colophon/contract";
import { Gathered } from "../gathered.ts";
import { tokenHash } from "./tokens.ts";

/** Tokens that wait to be looked up; more are refused. There are as many at most as connections with a request. */
export const MOST_WAITING = 4096;
const RETRY_AFTER_SECONDS = 1;

/**
 * Finds what tokens open. Nothing is remembered: a token that has just been revoked opens nothing, in whichever process
 * that was. Strangers take one connection of the database between them, and nobody waits behind their tokens.
 */
export class TokenResolver<Opened> {
  readonly #opened: Gathered<Opened>;
  #requests = 0;

  /** @param ask is given each token's SHA-256 in hex, once */
  constructor(ask: (hashes: readonly string[]) => Promise<ReadonlyMap<string, Opened>>) {
    this.#opened = new Gathered(ask);
  }

  /** What the token opens; null when it is unknown or revoked. @throws Refusal serviceUnavailable when too many wait */
  async resolve(token: string): Promise<Opened | null> {
    if (this.#requests >= MOST_WAITING) {
      throw refuse("serviceUnavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.#requests += 1;
    try {
      return await this.#opened.get(tokenHash(token).toString("hex"));
    } finally {
      this.#requests -= 1;
    }
  }
}
