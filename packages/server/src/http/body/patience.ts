/** How slowly a body may arrive. Only time spent waiting for bytes counts, none in which the service is at work. */
export interface BodyPace {
  /** How long the service waits for bytes that do not come, milliseconds. */
  readonly silenceMs: number;
}

/** What a body has to bring on average: 64 KiB in 10 seconds. */
const MS_PER_BYTE = 10_000 / 65_536;
/** How long the service waits for one body, all its pauses together. */
export const LONGEST_WAIT_MS = 3_600_000;

/**
 * How long to go on waiting for a body. Waiting uses patience up, each byte that arrives gives some back, and there is
 * never more than at the beginning: silence ends a body as surely as a trickle, and one hour of waiting ends any.
 */
export class Patience {
  readonly #most: number;
  #left: number;
  #waited = 0;

  constructor({ silenceMs }: BodyPace) {
    this.#most = silenceMs;
    this.#left = silenceMs;
  }

  /** Milliseconds to wait for the next bytes at most. */
  get left(): number {
    return Math.max(0, Math.min(this.#left, LONGEST_WAIT_MS - this.#waited));
  }

  /** @param milliseconds what was waited for these bytes */
  received(bytes: number, milliseconds: number): void {
    this.#waited += milliseconds;
    this.#left = Math.min(this.#most, this.#left - milliseconds + bytes * MS_PER_BYTE);
  }
}
