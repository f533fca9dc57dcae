import type { Worker } from "node:worker_threads";

export interface PoolOptions {
  readonly workers: number;
  /** Jobs of each urgency that may wait. */
  readonly queueLimit: number;
  /** A job that takes longer loses its worker. */
  readonly jobSeconds: number;
  /** Starts the worker of a place; it must answer each message with exactly one message. */
  readonly start: (place: number) => Worker;
  /** Called once a worker of a place has ended, before another takes its place. */
  readonly ended: (place: number) => void;
}

export type PoolAnswer<Answer> =
  | { readonly outcome: "answered"; readonly answer: Answer }
  | { readonly outcome: "busy"; readonly retryAfterSeconds: number }
  /** The worker died under the job, or was ended because the job took too long. */
  | { readonly outcome: "lost"; readonly slow: boolean };

interface Ticket<Job, Answer> {
  readonly job: Job;
  readonly settle: (answer: PoolAnswer<Answer>) => void;
}

interface Place<Job, Answer> {
  readonly number: number;
  worker: Worker;
  /** Whether the worker can take jobs: not ended, and not about to be. */
  alive: boolean;
  ticket: Ticket<Job, Answer> | null;
  startedAt: number;
  timer: NodeJS.Timeout | undefined;
  /** Resolves when the current worker has ended. */
  gone: Promise<void>;
}

/** A worker that ends without having answered anything is replaced only after this rest. */
const RESTART_REST_MILLISECONDS = 1000;
/** Weight of the newest job in the running mean of job times. */
const MEAN_SHARE = 0.1;
const MAX_RETRY_SECONDS = 60;

/**
 * Runs jobs on worker threads, one at a time each. Waiting jobs are bounded: past the limit the answer is `busy`.
 * Urgent jobs go first. A dead worker is replaced; its job is answered `lost`.
 */
export class WorkerPool<Job, Answer> implements AsyncDisposable {
  readonly #options: PoolOptions;
  readonly #places: Place<Job, Answer>[];
  readonly #urgent: Ticket<Job, Answer>[] = [];
  readonly #waiting: Ticket<Job, Answer>[] = [];
  #meanSeconds = 0.5;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.workers }, (_, number) => this.#open(number));
  }

  /** @throws {Error} when the pool is closed */
  run(job: Job, urgent: boolean): Promise<PoolAnswer<Answer>> {
    if (this.#closed) throw new Error("The worker pool is closed.");
    const queue = urgent ? this.#urgent : this.#waiting;
    const idle = this.#places.find((place) => place.alive && place.ticket === null);
    if (idle === undefined && queue.length >= this.#options.queueLimit) {
      return Promise.resolve({ outcome: "busy", retryAfterSeconds: this.#retryAfterSeconds() });
    }
    return new Promise((settle) => {
      const ticket = { job, settle };
      if (idle === undefined) queue.push(ticket);
      else this.#begin(idle, ticket);
    });
  }

  /** Running jobs are finished, waiting ones answered `busy`, the workers ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const { settle } of [...this.#urgent.splice(0), ...this.#waiting.splice(0)]) {
      settle({ outcome: "busy", retryAfterSeconds: this.#retryAfterSeconds() });
    }
    await Promise.all(
      this.#places.map(async (place) => {
        if (place.ticket === null) void place.worker.terminate();
        await place.gone;
      }),
    );
  }

  /** How long the jobs at hand should take, in whole seconds. */
  #retryAfterSeconds(): number {
    const jobs = this.#urgent.length + this.#waiting.length + this.#options.workers;
    const seconds = Math.ceil((jobs * this.#meanSeconds) / this.#options.workers);
    return Math.min(MAX_RETRY_SECONDS, Math.max(1, seconds));
  }

  #open(number: number): Place<Job, Answer> {
    const place: Place<Job, Answer> = {
      number,
      worker: this.#options.start(number),
      alive: true,
      ticket: null,
      startedAt: 0,
      timer: undefined,
      gone: Promise.resolve(),
    };
    this.#watch(place);
    return place;
  }

  #watch(place: Place<Job, Answer>): void {
    const { worker } = place;
    let proven = false;
    worker.on("message", (answer: Answer) => {
      if (!place.alive) return;
      proven = true;
      this.#meanSeconds += MEAN_SHARE * ((performance.now() - place.startedAt) / 1000 - this.#meanSeconds);
      this.#settle(place, { outcome: "answered", answer });
      if (this.#closed) void worker.terminate();
      else this.#next(place);
    });
    // The error itself is dropped: it may quote what the worker was working on.
    worker.on("error", () => {});
    place.gone = new Promise((resolve) => {
      worker.on("exit", () => {
        place.alive = false;
        this.#options.ended(place.number);
        this.#settle(place, { outcome: "lost", slow: false });
        resolve();
        if (!this.#closed) this.#replace(place, proven ? 0 : RESTART_REST_MILLISECONDS);
      });
    });
  }

  #replace(place: Place<Job, Answer>, rest: number): void {
    setTimeout(() => {
      if (this.#closed) return;
      place.worker = this.#options.start(place.number);
      place.alive = true;
      this.#watch(place);
      this.#next(place);
    }, rest);
  }

  #begin(place: Place<Job, Answer>, ticket: Ticket<Job, Answer>): void {
    place.ticket = ticket;
    place.startedAt = performance.now();
    place.timer = setTimeout(() => {
      place.alive = false;
      this.#settle(place, { outcome: "lost", slow: true });
      void place.worker.terminate();
    }, this.#options.jobSeconds * 1000);
    place.worker.postMessage(ticket.job, []);
  }

  #next(place: Place<Job, Answer>): void {
    const ticket = this.#urgent.shift() ?? this.#waiting.shift();
    if (ticket !== undefined) this.#begin(place, ticket);
  }

  #settle(place: Place<Job, Answer>, answer: PoolAnswer<Answer>): void {
    clearTimeout(place.timer);
    place.ticket?.settle(answer);
    place.ticket = null;
  }
}
