import { type LedgerVerdict, verifyLedger } from "@colophon/formats";

/** Rows of a ledger kept to look at; of a longer one the newest. The chain is checked over all of them. */
export const KEPT_ROWS = 50_000;

/** How often a long reading says how far it is, in milliseconds. */
const REPORT_MS = 200;

/** A ledger read to its end. */
export interface LedgerReading<Row> {
  /** How many rows there are. */
  readonly total: number;
  /** The newest of them, oldest first; those after a break in the chain too. */
  readonly rows: readonly Row[];
  readonly verdict: LedgerVerdict;
  /** The row at which the chain breaks; null when it does not. */
  readonly broken: Row | null;
}

/**
 * Reads a ledger to its end and checks its chain on the way. Memory is bounded however long it is.
 *
 * @throws what `source` throws
 */
export async function readLedger<Row extends object>(
  source: AsyncIterable<Row>,
  onProgress: (rows: number) => void,
): Promise<LedgerReading<Row>> {
  const newest = new Newest<Row>(onProgress);
  const iterator = newest.watching(source)[Symbol.asyncIterator]();
  // Without a `return`, so that the check does not end the reading where the chain breaks.
  const verdict = await verifyLedger({ [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) });
  const broken = verdict.intact ? null : newest.last;
  while (!(await iterator.next()).done);
  return { total: newest.total, rows: newest.rows(), verdict, broken };
}

/** The newest rows of what passes. */
class Newest<Row> {
  total = 0;
  last: Row | null = null;
  #older: Row[] = [];
  #newer: Row[] = [];
  #reported = performance.now();
  readonly #onProgress: (rows: number) => void;

  constructor(onProgress: (rows: number) => void) {
    this.#onProgress = onProgress;
  }

  async *watching(source: AsyncIterable<Row>): AsyncGenerator<Row> {
    for await (const row of source) {
      this.#keep(row);
      yield row;
    }
  }

  rows(): readonly Row[] {
    return [...this.#older, ...this.#newer].slice(-KEPT_ROWS);
  }

  #keep(row: Row): void {
    this.total += 1;
    this.last = row;
    this.#newer.push(row);
    if (this.#newer.length === KEPT_ROWS) [this.#older, this.#newer] = [this.#newer, []];
    const now = performance.now();
    if (now - this.#reported < REPORT_MS) return;
    this.#reported = now;
    this.#onProgress(this.total);
  }
}
