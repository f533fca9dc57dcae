const EVERY_MS = 10_000;

/** Tells on stderr every ten seconds how far a long run is. */
export class Progress {
  readonly #what: string;
  readonly #began = performance.now();
  #last = this.#began;

  constructor(what: string) {
    this.#what = what;
  }

  report(done: number, of: number, breaches: number): void {
    const now = performance.now();
    if (now - this.#last < EVERY_MS && done < of) return;
    this.#last = now;
    const seconds = (now - this.#began) / 1_000;
    const rate = (done / seconds).toFixed(1);
    process.stderr.write(`${done} of ${of} ${this.#what}, ${rate} a second, ${breaches} broken\n`);
  }
}
