import { refuse } from "@colophon/contract";
import type { Database } from "../database.ts";
import { accountsOfTokens, type OpenedToken, tokenHash } from "./accounts.ts";

/** Tokens that wait to be looked up; more are refused. There are as many at most as connections with a request. */
export const MOST_WAITING = 4096;
const RETRY_AFTER_SECONDS = 1;

/**
 * Finds the accounts that tokens open. Nothing is remembered: a token that has just been revoked opens nothing, in
 * whichever process that was. All tokens that wait are looked up by one statement, and one such statement runs at a time:
 * strangers take one connection of the database between them, and nobody waits behind their tokens.
 */
export class TokenResolver {
  readonly #database: Database;
  #waiting = new Map<string, PromiseWithResolvers<OpenedToken | null>>();
  #requests = 0;
  #isWorking = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** What the token opens; null when it is unknown or revoked. @throws Refusal serviceUnavailable when too many wait */
  async resolve(token: string): Promise<OpenedToken | null> {
    if (this.#requests >= MOST_WAITING) {
      throw refuse("serviceUnavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    const hash = tokenHash(token).toString("hex");
    const answer = this.#waiting.get(hash) ?? Promise.withResolvers();
    this.#waiting.set(hash, answer);
    this.#requests += 1;
    if (!this.#isWorking) void this.#work();
    try {
      return await answer.promise;
    } finally {
      this.#requests -= 1;
    }
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    while (this.#waiting.size > 0) {
      const batch = this.#waiting;
      this.#waiting = new Map();
      try {
        const opened = await accountsOfTokens(this.#database, [...batch.keys()]);
        for (const [hash, answer] of batch) answer.resolve(opened.get(hash) ?? null);
      } catch (error) {
        for (const answer of batch.values()) answer.reject(error);
      }
    }
    this.#isWorking = false;
  }
}
