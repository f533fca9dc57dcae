import type { Logger } from "pino";

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
  #busy = true;

  private constructor(sweeps: readonly Sweep[], seconds: number, log: Logger) {
    this.#sweeps = sweeps;
    this.#log = log;
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

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #sweepAll(): Promise<void> {
    this.#busy = true;
    for (const sweep of this.#sweeps) {
      try {
        const settled = await sweep.run();
        if (settled > 0) this.#log.info({ sweep: sweep.name, settled }, "swept");
      } catch (error) {
        // The next round tries again; until then nothing depends on it.
        this.#log.warn(
          { sweep: sweep.name, reason: error instanceof Error ? error.name : "unknown" },
          "sweep failed",
        );
      }
    }
    this.#busy = false;
  }
}
