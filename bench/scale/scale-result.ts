/** Median, nineteen of twenty, and mean. */
export interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly mean: number;
}

/** What was measured at one size. Times in milliseconds, memory in MiB. */
export interface ScaleResult {
  readonly originals: number;
  readonly retrieval: Spread;
  readonly candidates: Spread;
  readonly keys: Spread;
  readonly touched: Spread;
  readonly unguarded: Spread;
  readonly pages: Spread;
  readonly bytesRead: Spread;
  readonly negative: { readonly wall: Spread; readonly processor: number; readonly matched: number };
  readonly positive: {
    readonly wall: Spread;
    readonly processor: number;
    readonly asked: number;
    readonly found: number;
  };
  readonly registration: { readonly wall: Spread; readonly processor: number };
  readonly bytes: Readonly<Record<string, number>>;
  readonly memory: { readonly service: number; readonly database: number };
}

/** The spread of some values; the values themselves are left as they are. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length };
}
