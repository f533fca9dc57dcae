import type { UsageRow } from "../answers.ts";

/** How long one bar of a chart lasts. */
export type Step = "day" | "week" | "month";

/** What units are spent on. */
export type UsageKind = UsageRow["kind"];

/** One bar: the units spent from `start` until the next. */
export interface Bucket {
  /** UTC midnight. */
  readonly start: Date;
  readonly units: Readonly<Record<UsageKind, number>>;
}

const NOTHING: Bucket["units"] = { registration: 0, preCheck: 0, lookup: 0, record: 0 };
const DAY_MS = 86_400_000;

/** Adds usage up by day as its rows pass: memory goes with the days, not with the rows. */
export class UsageByDay {
  rows = 0;
  readonly #days: Map<number, Record<UsageKind, number>> = new Map();

  add({ at, kind, units }: UsageRow): void {
    this.rows += 1;
    const day = Math.floor(Date.parse(at) / DAY_MS);
    const sums = this.#days.get(day) ?? { ...NOTHING };
    sums[kind] += units;
    this.#days.set(day, sums);
  }

  /** The last `count` buckets up to `now`, oldest first, empty ones included. */
  buckets(step: Step, count: number, now: Date): readonly Bucket[] {
    const starts = lastStarts(step, count, now);
    const sums = starts.map(() => ({ ...NOTHING }));
    for (const [day, units] of this.#days) {
      const at = starts.findLastIndex((start) => start.getTime() <= day * DAY_MS);
      const into = sums[at];
      if (into === undefined) continue;
      for (const kind of Object.keys(NOTHING) as UsageKind[]) into[kind] += units[kind];
    }
    return starts.map((start, at) => ({ start, units: sums[at] ?? NOTHING }));
  }

  /** All units ever spent. */
  total(): Bucket["units"] {
    const total = { ...NOTHING };
    for (const units of this.#days.values()) {
      for (const kind of Object.keys(NOTHING) as UsageKind[]) total[kind] += units[kind];
    }
    return total;
  }
}

function lastStarts(step: Step, count: number, now: Date): Date[] {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  // Weeks begin on Monday.
  const monday = day - ((now.getUTCDay() + 6) % 7);
  const start: Readonly<Record<Step, (back: number) => number>> = {
    day: (back) => Date.UTC(year, month, day - back),
    week: (back) => Date.UTC(year, month, monday - 7 * back),
    month: (back) => Date.UTC(year, month - back, 1),
  };
  return Array.from({ length: count }, (_, at) => new Date(start[step](count - 1 - at)));
}
