import type { Transferable, Worker } from "node:worker_threads";

export interface WorkerThreadOptions {
  /** Starts the thread; it must answer each message with exactly one message. */
  readonly start: () => Worker;
  /** A job that takes longer loses its thread. */
  readonly jobSeconds: number;
}

/** The thread died under the job, or was ended because the job took too long; it is gone. */
export interface LostJob {
  readonly outcome: "lost";
  readonly slow: boolean;
}

export type JobAnswer<Answer> = { readonly outcome: "answered"; readonly answer: Answer } | LostJob;

/** A thread that ends without having answered anything is replaced only after this rest. */
const RESTART_REST_MILLISECONDS = 1000;

/**
 * A thread that does one job at a time, and is replaced when it ends. A job given meanwhile waits for the next thread.
 */
export class WorkerThread<Job, Answer> implements AsyncDisposable {
  readonly #options: WorkerThreadOptions;
  #worker: Worker;
  /** Resolves when the current thread has ended. */
  #gone: Promise<void> = Promise.resolve();
  /** Resolves when there is a thread that takes jobs. */
  #there: Promise<void> = Promise.resolve();
  #settle: ((answer: JobAnswer<Answer>) => void) | null = null;
  /** Whether the thread is being ended because of its job. */
  #slow = false;
  #isAlive = false;
  #closed = false;

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
    this.#worker = this.#start();
  }

  /** Whether a thread is there that takes jobs. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /**
   * One job at a time.
   * @param transferred buffers of the job that move to the thread
   */
  async run(job: Job, transferred: readonly Transferable[]): Promise<JobAnswer<Answer>> {
    await this.#there;
    if (this.#closed) return { outcome: "lost", slow: false };
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#slow = true;
        void this.#worker.terminate();
      }, this.#options.jobSeconds * 1000);
      this.#settle = (answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      this.#worker.postMessage(job, transferred);
    });
  }

  /** Ends the thread, whatever it is at. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    void this.#worker.terminate();
    await this.#gone;
  }

  #start(): Worker {
    const worker = this.#options.start();
    this.#isAlive = true;
    const ended = Promise.withResolvers<void>();
    this.#gone = ended.promise;
    let proven = false;
    worker.on("message", (answer: Answer) => {
      proven = true;
      this.#answer({ outcome: "answered", answer });
    });
    // The error itself is dropped: it may quote what the worker was working on.
    worker.on("error", () => {});
    worker.on("exit", () => {
      this.#isAlive = false;
      // Before the job's answer, so that its receiver, going on, waits for the next thread.
      if (!this.#closed) this.#there = this.#replace(proven ? 0 : RESTART_REST_MILLISECONDS);
      this.#answer({ outcome: "lost", slow: this.#slow });
      this.#slow = false;
      ended.resolve();
    });
    return worker;
  }

  async #replace(rest: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, rest));
    if (!this.#closed) this.#worker = this.#start();
  }

  #answer(answer: JobAnswer<Answer>): void {
    const settle = this.#settle;
    this.#settle = null;
    settle?.(answer);
  }
}
