import type { Logger } from "pino";
import { Outage } from "../outage.ts";
import { reasonOf } from "../store/database-fault.ts";

/** One thing that is swept; idempotent, and safe in every process at once. Returns how much it settled. */
export interface Sweep {
  readonly name: string;
  run(): Promise<number>;
}

/** Runs the sweeps at the start and then every so often, one after the other, until it is disposed. */
export class Sweeper implements AsyncDisposable {
  readonly #sweeps: readonly (readonly [Sweep, Outage])[];
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void>;
  /** When each sweep last went through, else when sweeping began. */
  readonly #wentThrough: Map<string, number>;
  #busy = true;

  private constructor(sweeps: readonly Sweep[], seconds: number, log: Logger) {
    this.#sweeps = sweeps.map((sweep) => [sweep, outageOf(sweep, log)]);
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
    for (const [sweep, outage] of this.#sweeps) {
      try {
        const settled = await sweep.run();
        this.#wentThrough.set(sweep.name, performance.now());
        if (settled > 0) this.#log.info({ sweep: sweep.name, settled }, "swept");
        outage.note(null);
      } catch (error) {
        // The next round tries again; until then nothing depends on it.
        outage.note(reasonOf(error));
      }
    }
    this.#busy = false;
  }
}

function outageOf({ name: sweep }: Sweep, log: Logger): Outage {
  return new Outage(
    (reason) => log.warn({ sweep, reason }, "sweep failed"),
    () => log.info({ sweep }, "sweep works again"),
  );
}
