import type { Logger } from "pino";
import { databaseFault } from "../store/database-fault.ts";

/** One thing that is swept; idempotent, and safe in every process at once. Returns how much it settled. */
export interface Sweep {
  readonly name: string;
  run(): Promise<number>;
}

/** Runs the sweeps at the start and then every so often, one after the other, until it is disposed. */
export class Sweeper implements AsyncDisposable {
  readonly #sweeps: readonly Sweep[];
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void>;
  /** Sweeps whose last run failed, with the reason. */
  readonly #failing = new Map<string, string>();
  /** When each sweep last went through, else when sweeping began. */
  readonly #wentThrough: Map<string, number>;
  #busy = true;

  private constructor(sweeps: readonly Sweep[], seconds: number, log: Logger) {
    this.#sweeps = sweeps;
    this.#log = log;
    this.#wentThrough = new Map(sweeps.map(({ name }) => [name, performance.now()]));
    this.#running = this.#sweepAll();
    this.#timer = setInterval(() => {
      if (!this.#busy) this.#running = this.#sweepAll();
    }, seconds * 1000);
  }

  /** Starts sweeping; resolves after the first round. */
  static async start(sweeps: readonly Sweep[], seconds: number, log: Logger): Promise<Sweeper> {
    const sweeper = new Sweeper(sweeps, seconds, log);
    await sweeper.#running;
    return sweeper;
  }

  /** Seconds since each sweep went through. */
  ages(): Readonly<Record<string, number>> {
    const now = performance.now();
    return Object.fromEntries(Array.from(this.#wentThrough, ([name, at]) => [name, (now - at) / 1000]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #sweepAll(): Promise<void> {
    this.#busy = true;
    for (const sweep of this.#sweeps) {
      try {
        const settled = await sweep.run();
        this.#wentThrough.set(sweep.name, performance.now());
        if (settled > 0) this.#log.info({ sweep: sweep.name, settled }, "swept");
        if (this.#failing.delete(sweep.name)) this.#log.info({ sweep: sweep.name }, "sweep works again");
      } catch (error) {
        // The next round tries again; until then nothing depends on it.
        this.#report(sweep.name, reasonOf(error));
      }
    }
    this.#busy = false;
  }

  /** Once for each reason, however many rounds it lasts. */
  #report(sweep: string, reason: string): void {
    if (this.#failing.get(sweep) === reason) return;
    this.#failing.set(sweep, reason);
    this.#log.warn({ sweep, reason }, "sweep failed");
  }
}

/** The kind of a failure and its code; never its message, which may quote a value. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = "code" in error ? String(error.code) : null;
  return [databaseFault(error) ?? error.name, code].filter((part) => part !== null).join(" ");
}
