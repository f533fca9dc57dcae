/** How long a share that asked for something may be expected to ask again, ms. */
const LATELY_MS = 3_000;

/** Which shares are at work: those that asked for something within the last seconds. */
export class RecentShares {
  readonly #now: () => number;
  /** When each asked last, in that order. */
  readonly #asked = new Map<string, number>();

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Takes note that a share asks for something, or is done with it. */
  note(share: string): void {
    this.#asked.delete(share);
    this.#asked.set(share, this.#now());
  }

  /** Whether any other share is at work. */
  besides(share: string): boolean {
    const since = this.#now() - LATELY_MS;
    for (const [other, asked] of this.#asked) {
      if (asked > since) break;
      this.#asked.delete(other);
    }
    return this.#asked.size > (this.#asked.has(share) ? 1 : 0);
  }
}
