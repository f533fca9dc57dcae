import { processMs, type ProcessorParts, processorParts } from "@colophon/testing/process/processor-time.ts";
import { postmasterPid } from "@colophon/testing/service-process.ts";
import type { TrialService } from "../support/trial-service.ts";

/** What of the time that passed each part was on a processor, in per cent of one. */
export type ProcessorShares = Readonly<Record<keyof ProcessorParts | "attacker" | "lookups", number>>;

/** Adds up what the parts of a service, the attacker and this process take while look-ups are timed. */
export class ProcessorShare {
  readonly #service: TrialService;
  readonly #totals: Record<string, number> = {};
  #elapsed = 0;

  constructor(service: TrialService) {
    this.#service = service;
  }

  /** @param attacker the process that attacks, or null */
  async during<T>(attacker: number | null, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const before = this.#taken(attacker);
    const result = await work();
    for (const [part, ms] of Object.entries(this.#taken(attacker))) {
      this.#totals[part] = (this.#totals[part] ?? 0) + ms - (before[part] ?? 0);
    }
    this.#elapsed += performance.now() - began;
    return result;
  }

  /** Over everything so far. */
  get perCent(): ProcessorShares {
    const of = (part: string): number =>
      Math.round((100 * (this.#totals[part] ?? 0)) / Math.max(1, this.#elapsed));
    const [mainThread, workers, runtime] = [of("mainThread"), of("workers"), of("runtime")];
    const [decoders, database] = [of("decoders"), of("database")];
    return {
      mainThread,
      workers,
      runtime,
      decoders,
      database,
      attacker: of("attacker"),
      lookups: of("lookups"),
    };
  }

  #taken(attacker: number | null): Record<string, number> {
    const { process: service, dataDir } = this.#service;
    return {
      ...processorParts(service.pid, postmasterPid(dataDir)),
      attacker: attacker === null ? 0 : processMs(attacker),
      lookups: processMs(process.pid),
    };
  }
}
