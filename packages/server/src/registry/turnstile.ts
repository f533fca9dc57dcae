import { refuse } from "@colophon/contract";

const RETRY_SECONDS = 2;
/** Requests that wait in line for each that is worked on. */
const LINE_PER_TURN = 64;

/** Lets so much work through at once; the rest waits in line, as far as there is room in it. */
export class Turnstile {
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Runs `work` in its turn. @throws Refusal serviceUnavailable when the line is full */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside < this.#atOnce) this.#inside += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      // The next one in line takes this place over.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inside -= 1;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#atOnce * LINE_PER_TURN) {
      throw refuse("serviceUnavailable", { retryAfterSeconds: RETRY_SECONDS });
    }
    return new Promise((enter) => this.#waiting.push(enter));
  }
}
