/** Pixels that may be held decoded by all workers together, unless a single image is larger. */
const BUDGET_KILOPIXELS = 64_000;
const RECHECK_MILLISECONDS = 1000;
const LOCK_MILLISECONDS = 1;

/** Cells of the shared memory: who has the lock (worker + 1, or 0), a count of changes, then what each worker holds. */
const LOCK = 0;
const CHANGES = 1;
const HELD = 2;

/**
 * Shares memory for decoded pictures among worker threads, so that several large pictures sent at once are decoded one
 * after the other. It survives the death of a worker at any point.
 */
export class PixelBudget {
  readonly #cells: Int32Array;

  /** @param shared what `PixelBudget.allocate` gave */
  constructor(shared: SharedArrayBuffer) {
    this.#cells = new Int32Array(shared);
  }

  static allocate(workers: number): SharedArrayBuffer {
    return new SharedArrayBuffer(4 * (HELD + workers));
  }

  /** Blocks the calling worker until its picture fits; a picture alone always fits. Dispose to give the pixels back. */
  reserve(worker: number, pixels: number): Disposable {
    const wanted = Math.ceil(pixels / 1000);
    for (;;) {
      const seen = Atomics.load(this.#cells, CHANGES);
      let rest = LOCK_MILLISECONDS;
      if (Atomics.compareExchange(this.#cells, LOCK, 0, worker + 1) === 0) {
        const held = this.#cells.subarray(HELD).reduce((sum, part) => sum + part, 0);
        const fits = held === 0 || held + wanted <= BUDGET_KILOPIXELS;
        if (fits) Atomics.store(this.#cells, HELD + worker, wanted);
        Atomics.store(this.#cells, LOCK, 0);
        rest = RECHECK_MILLISECONDS;
        if (fits) return { [Symbol.dispose]: () => this.release(worker) };
      }
      Atomics.wait(this.#cells, CHANGES, seen, rest);
    }
  }

  /** Gives back what a worker holds; also called for a worker that has ended. */
  release(worker: number): void {
    Atomics.compareExchange(this.#cells, LOCK, worker + 1, 0);
    Atomics.store(this.#cells, HELD + worker, 0);
    Atomics.add(this.#cells, CHANGES, 1);
    Atomics.notify(this.#cells, CHANGES);
  }
}
