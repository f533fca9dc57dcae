import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "./database.ts";
import type { ProcessLease } from "./process-lease.ts";

/** How often the database is asked for a sign of life, and how often while it is away. */
const BEAT_MS = 500;
const AWAY_BEAT_MS = 250;
/** A database that gives none for so long is away. With a beat, well within the five seconds in which requests are answered. */
const PATIENCE_MS = 2_000;
/** A database slower than this is not fit for more requests. */
const PROMPT_MS = 1_000;

/**
 * Watches over the database by way of the process's lease. While the database is away, hanging or refusing, every statement
 * fails at once instead of waiting for it; once it answers and the lease is held again, statements go through.
 */
export class DatabaseWatch implements AsyncDisposable {
  readonly #database: Database;
  readonly #lease: ProcessLease;
  readonly #log: Pick<Logger, "info" | "warn">;
  readonly #watching: Promise<void>;
  #pause = new AbortController();
  #askedAt: number | null = null;
  #isHere = true;
  #closed = false;

  constructor(database: Database, lease: ProcessLease, log: Pick<Logger, "info" | "warn">) {
    this.#database = database;
    this.#lease = lease;
    this.#log = log;
    this.#watching = this.#watch();
  }

  /** Whether the database is here and answers within a second. */
  get isPrompt(): boolean {
    return this.#isHere && (this.#askedAt === null || performance.now() - this.#askedAt < PROMPT_MS);
  }

  /** Looks at once: a connection has broken. */
  look(): void {
    this.#pause.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.look();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    while (!this.#closed) {
      this.#pause = new AbortController();
      const answered = await this.#beat();
      if (this.#closed) return;
      if (answered !== this.#isHere) this.#change(answered);
      const { signal } = this.#pause;
      await sleep(answered ? BEAT_MS : AWAY_BEAT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #beat(): Promise<boolean> {
    this.#askedAt = performance.now();
    const done = new AbortController();
    const answer = this.#lease.renew().then(
      () => true,
      () => false,
    );
    const answered = await Promise.race([answer, tooLate(done.signal)]);
    done.abort();
    if (!answered) this.#lease.drop();
    this.#askedAt = null;
    return answered;
  }

  #change(isHere: boolean): void {
    this.#isHere = isHere;
    if (isHere) {
      this.#database.resume();
      this.#log.info("the database answers again");
    } else {
      this.#database.interrupt();
      this.#log.warn("the database is away: requests that need it are answered 503 until it is back");
    }
  }
}

/** False once patience is over. An answer that came while this process itself was held up is read first. */
async function tooLate(signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(PATIENCE_MS, undefined, { signal });
    await turn();
    await turn();
  } catch {
    // The answer came first.
  }
  return false;
}
