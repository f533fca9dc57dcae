import { sql } from "kysely";
import type { Database } from "../database.ts";
import { onBehalfOfAll } from "../fair-pool.ts";

/** How long a call may be counted in memory alone. */
const INTERVAL_MS = 1_000;

/** Calls that were answered: how many by account, and when each token was last used. */
interface CountedCalls {
  readonly calls: Map<string, number>;
  readonly tokens: Map<string, Date>;
}

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

/**
 * Adds calls to their accounts' counts. `last_used_at` moves at most once a minute, so that a busy token's row is not
 * rewritten every second. Nothing waits for the disk: a database that crashes may lose the last of it.
 */
async function addCalls(database: Database, { calls, tokens }: CountedCalls): Promise<void> {
  // In one order, so that processes do not wait for each other's rows in a circle.
  const counts = [...calls].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const uses = [...tokens].toSorted(([a], [b]) => (a < b ? -1 : 1));
  await sql`
    with unhurried as materialized (
      select set_config('synchronous_commit', 'off', true)
    ), counted as (
      update account_call set call_count = call_count + added.calls
      from unnest(${counts.map(([id]) => id)}::uuid[], ${counts.map(([, times]) => times)}::bigint[])
        as added (account_id, calls)
      where account_call.account_id = added.account_id
    ), used as (
      update token set last_used_at = seen.at
      from unnest(${uses.map(([id]) => id)}::uuid[], ${uses.map(([, at]) => at)}::timestamptz[])
        as seen (token_id, at)
      where token.token_id = seen.token_id
        and (last_used_at is null or last_used_at < seen.at - interval '1 minute')
    )
    select from unhurried`.execute(database);
}
