import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "./database.ts";
import { reasonOf } from "./database-fault.ts";
import type { ProcessLease } from "./process-lease.ts";

/** How often the database is asked for a sign of life, and how often while it is away. */
const BEAT_MS = 500;
const AWAY_BEAT_MS = 250;
/**
 * A database that gives none for so long is away. With a beat, well within the five seconds in which requests are
 * answered.
 */
const PATIENCE_MS = 2_000;
/**
 * Twice as long with every beat while it is away, up to this: one that is busy is not asked again and again before it
 * can answer.
 */
const MOST_PATIENCE_MS = 16_000;
/** A database slower than this is not fit for more requests. */
const PROMPT_MS = 1_000;

const NO_ANSWER = "no answer";

/**
 * Watches over the database by way of the process's lease. While the database is away, hanging or refusing, every
 * statement fails at once instead of waiting for it; once it answers and the lease is held again, statements go
 * through.
 */
export class DatabaseWatch implements AsyncDisposable {
  readonly #database: Database;
  readonly #lease: ProcessLease;
  readonly #log: Pick<Logger, "info" | "warn">;
  readonly #watching: Promise<void>;
  #pause = new AbortController();
  #wait = new AbortController();
  #askedAt: number | null = null;
  #patienceMs = PATIENCE_MS;
  /** Why the database is away; null while it is here. */
  #absence: string | null = null;
  #closed = false;

  constructor(database: Database, lease: ProcessLease, log: Pick<Logger, "info" | "warn">) {
    this.#database = database;
    this.#lease = lease;
    this.#log = log;
    this.#watching = this.#watch();
  }

  /** Whether the database is here and answers within a second. */
  get isPrompt(): boolean {
    return (
      this.#absence === null && (this.#askedAt === null || performance.now() - this.#askedAt < PROMPT_MS)
    );
  }

  /** Looks at once: a connection has broken. */
  look(): void {
    this.#pause.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    if (this.#absence !== null) this.#wait.abort();
    this.look();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    while (!this.#closed) {
      this.#pause = new AbortController();
      const absence = await this.#beat();
      if (this.#closed) return;
      if (absence !== this.#absence) this.#change(absence);
      const { signal } = this.#pause;
      await sleep(absence === null ? BEAT_MS : AWAY_BEAT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Asks for a sign of life. @returns why there is none, or null */
  async #beat(): Promise<string | null> {
    this.#askedAt = performance.now();
    this.#wait = new AbortController();
    const answer = this.#lease.renew().then(() => null, reasonOf);
    const absence = await Promise.race([answer, this.#tooLate()]);
    this.#wait.abort();
    this.#patienceMs = absence === NO_ANSWER ? Math.min(2 * this.#patienceMs, MOST_PATIENCE_MS) : PATIENCE_MS;
    if (absence !== null) this.#lease.drop();
    this.#askedAt = null;
    return absence;
  }

  /** Says so once patience is over. An answer that came while this process itself was held up is read first. */
  async #tooLate(): Promise<typeof NO_ANSWER> {
    try {
      await sleep(this.#patienceMs, undefined, { signal: this.#wait.signal });
      await turn();
      await turn();
    } catch {
      // The answer came first, or the watch ends.
    }
    return NO_ANSWER;
  }

  #change(absence: string | null): void {
    const wasHere = this.#absence === null;
    this.#absence = absence;
    if (absence === null) {
      this.#database.resume();
      this.#log.info("the database answers again");
    } else if (wasHere) {
      this.#database.interrupt();
      this.#log.warn(
        { reason: absence },
        "the database is away: requests that need it are answered 503 until it is back",
      );
    } else {
      this.#log.info({ reason: absence }, "the database is still away");
    }
  }
}
