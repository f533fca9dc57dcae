const MINUTE_MS = 60_000;
/** Callers that are remembered; beyond them, the ones whose minutes began first are forgotten. */
const MOST_CALLERS = 65_536;

interface Minute {
  readonly endsAt: number;
  calls: number;
}

/** How often each caller may call within a minute, which begins with its first call. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #now: () => number;
  /** In the order in which the minutes end. */
  readonly #minutes = new Map<string, Minute>();

  /** @param now milliseconds of a clock that never goes back */
  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Counts a call. @returns 0 when it is within the bound, else the seconds after which the caller may call again */
  count(caller: string): number {
    const now = this.#now();
    this.#forget(now);
    const minute = this.#minutes.get(caller) ?? { endsAt: now + MINUTE_MS, calls: 0 };
    this.#minutes.set(caller, minute);
    minute.calls += 1;
    return minute.calls <= this.#perMinute ? 0 : (minute.endsAt - now) / 1000;
  }

  #forget(now: number): void {
    for (const [caller, { endsAt }] of this.#minutes) {
      if (endsAt > now && this.#minutes.size < MOST_CALLERS) return;
      this.#minutes.delete(caller);
    }
  }
}
