/** A signal that is aborted when the user ends the command (Ctrl-C, SIGTERM); the process then ends on its own. */
export class Interruption implements Disposable {
  readonly #controller = new AbortController();
  readonly #abort = (): void => this.#controller.abort();

  constructor() {
    process.once("SIGINT", this.#abort);
    process.once("SIGTERM", this.#abort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    process.off("SIGINT", this.#abort);
    process.off("SIGTERM", this.#abort);
  }
}
