import { EXIT } from "./failure.ts";

/** Whether work failed because its signal was aborted, and of nothing else. */
export function isInterruption(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error === signal.reason;
}

/** A signal that is aborted when the user ends the command (Ctrl-C, SIGTERM); the process then ends on its own. */
export class Interruption implements Disposable {
  readonly #controller = new AbortController();
  readonly #abort = (): void => this.#controller.abort();

  constructor() {
    process.once("SIGINT", this.#abort);
    process.once("SIGTERM", this.#abort);
  }

  /** What to exit with in the place of `code`: a command that fails after the user has ended it was interrupted. */
  exitCode(code: number): number {
    return this.signal.aborted && code !== EXIT.done ? EXIT.interrupted : code;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    process.off("SIGINT", this.#abort);
    process.off("SIGTERM", this.#abort);
  }
}
