import { type EventLoopUtilization, performance } from "node:perf_hooks";

/** A caller whose work on the event loop is counted together. */
export interface Share {
  /** An account's id, or an address. */
  readonly key: string;
  /** Whether nothing is known of it but its address. All strangers together have what one account has. */
  readonly isStranger: boolean;
}

/** What is known of a share: when it was here last, and until when it has been given time of the loop, ms. */
interface Standing {
  readonly isStranger: boolean;
  seen: number;
  due: number;
}

/** How long a share counts after it was here last, ms. */
const LATELY_MS = 3_000;
/** How much of the loop a share may take at once after a rest, ms: some requests, or a picture of a few megabytes. */
const AT_ONCE_MS = 20;
/** Nobody waits longer for one turn, ms. */
const LONGEST_MS = 5_000;
/** How often the loop is looked at, ms. */
const LOOK_MS = 100;
/** Between these the loop has enough to do, and everybody else's turn comes soon. */
const [TOO_IDLE, TOO_BUSY] = [0.4, 0.6];
/** Of the loop's time, as much as all shares together are given at most and at least: what work takes is estimated, and the loop's load corrects it. */
const [MOST, LEAST] = [2, 0.05];
const [FASTER, SLOWER] = [1.15, 0.8];

/**
 * Whose turn it is on the event loop, which is one thread for everybody. A share that is alone takes all it wants; beside others each gets an equal
 * part of what keeps the loop busy for half of the time, and waits when it has had that. So how long a turn of the loop takes does not depend on
 * how many connections somebody has.
 */
export class LoopPace {
  readonly #standings = new Map<string, Standing>();
  readonly #waiting = new Set<() => void>();
  #strangers = 0;
  #given: number = MOST;
  #load: EventLoopUtilization = performance.eventLoopUtilization();
  #looked = performance.now();
  #closed = false;

  /** Resolves when a share may take so many milliseconds of the loop more; at once where nobody else wants any. */
  async turn(share: Share, milliseconds: number): Promise<void> {
    const now = performance.now();
    const standing = this.#standingOf(share, now);
    if (now - this.#looked >= LOOK_MS) this.#look(now);
    if (this.#standings.size === 1 || this.#closed) return;
    const part = this.#partOf(standing);
    const rested = Math.max(standing.due, now - AT_ONCE_MS / part);
    standing.due = Math.min(rested + milliseconds / part, now + LONGEST_MS);
    if (standing.due > now) await this.#wait(standing.due - now);
  }

  /** Nobody waits from now on. */
  close(): void {
    this.#closed = true;
    for (const wake of this.#waiting) wake();
  }

  /** What a share may take of the loop's time, 0..1, or more where the loop is idle. */
  #partOf({ isStranger }: Standing): number {
    const accounts = this.#standings.size - this.#strangers;
    const each = this.#given / (accounts + Math.min(1, this.#strangers));
    return isStranger ? each / this.#strangers : each;
  }

  #standingOf({ key, isStranger }: Share, now: number): Standing {
    const known = this.#standings.get(key);
    if (known !== undefined) {
      known.seen = now;
      return known;
    }
    const standing = { isStranger, seen: now, due: 0 };
    this.#standings.set(key, standing);
    if (isStranger) this.#strangers += 1;
    return standing;
  }

  /** Gives out less while the loop is too busy, more while it is idle, and forgets shares that are gone. */
  #look(now: number): void {
    const load = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(load, this.#load);
    this.#load = load;
    this.#looked = now;
    if (utilization > TOO_BUSY) this.#given = Math.max(LEAST, this.#given * SLOWER);
    else if (utilization < TOO_IDLE) this.#given = Math.min(MOST, this.#given * FASTER);
    for (const [key, { isStranger, seen, due }] of this.#standings) {
      if (Math.max(seen, due) > now - LATELY_MS) continue;
      this.#standings.delete(key);
      if (isStranger) this.#strangers -= 1;
    }
  }

  async #wait(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    this.#waiting.add(resolve);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(resolve);
    }
  }
}
