/** What a run found: how often each thing happened, and what should not have. */
export class Findings {
  readonly #breaches: string[] = [];
  readonly #counts = new Map<string, number>();

  get breaches(): readonly string[] {
    return this.#breaches;
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  breach(what: string): void {
    this.#breaches.push(`broken: ${what}`);
  }

  expect(condition: boolean, otherwise: string): void {
    if (!condition) this.breach(otherwise);
  }
}
