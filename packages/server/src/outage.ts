/** What is tried again and again: says once for each reason that it does not work, and once that it works again. */
export class Outage {
  readonly #begins: (reason: string) => void;
  readonly #ends: () => void;
  #reason: string | null = null;

  /**
   * @param begins says that it does not work
   * @param ends says that it works again
   */
  constructor(begins: (reason: string) => void, ends: () => void) {
    this.#begins = begins;
    this.#ends = ends;
  }

  /** Takes what a try came to: why it did not work; null where it did. */
  note(reason: string | null): void {
    if (reason === this.#reason) return;
    this.#reason = reason;
    if (reason === null) this.#ends();
    else this.#begins(reason);
  }
}
