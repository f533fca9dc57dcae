import type { Database } from "../database.ts";
import { onBehalfOfAll } from "../fair-pool.ts";
import { addCalls, type CountedCalls } from "./accounts.ts";

/** How long a call may be counted in memory alone. */
const INTERVAL_MS = 1_000;

/**
 * Counts accounts' calls in memory and adds them up in the database once a second: a row that every call of an account
 * wrote would have them wait for one another. `settle` before reading a count: it then has every call of this
 * process. A process that is killed loses what it has counted in the last second.
 */
export class CallCounter implements AsyncDisposable {
  readonly #database: Database;
  readonly #timer: NodeJS.Timeout;
  #counted: CountedCalls = { calls: new Map(), tokens: new Map() };
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(database: Database) {
    this.#database = database;
    // What cannot be written now is written later.
    this.#timer = setInterval(() => void this.settle().catch(() => {}), INTERVAL_MS);
  }

  count(accountId: string, tokenId: string): void {
    const { calls, tokens } = this.#counted;
    calls.set(accountId, (calls.get(accountId) ?? 0) + 1);
    tokens.set(tokenId, new Date());
  }

  /** Writes every call counted so far. All who ask while a write is under way share the next one. */
  settle(): Promise<void> {
    if (this.#counted.calls.size === 0) return this.#writing;
    this.#next ??= this.#writing
      .catch(() => {})
      .then(() => {
        this.#next = null;
        this.#writing = onBehalfOfAll(() => this.#write());
        return this.#writing;
      });
    return this.#next;
  }

  /** Writes what is counted. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.settle().catch(() => {});
  }

  async #write(): Promise<void> {
    const counted = this.#counted;
    this.#counted = { calls: new Map(), tokens: new Map() };
    try {
      await addCalls(this.#database, counted);
    } catch (error) {
      const { calls, tokens } = this.#counted;
      for (const [id, times] of counted.calls) calls.set(id, (calls.get(id) ?? 0) + times);
      for (const [id, at] of counted.tokens) if (!tokens.has(id)) tokens.set(id, at);
      throw error;
    }
  }
}
