import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { type Waiting, WaitingTurns } from "./waiting-turns.ts";

/** A caller whose work on the event loop is counted together. */
export interface Share {
  /** An account's id, or an address. */
  readonly key: string;
  /** Whether nothing is known of it but its address. All strangers together have what one account has. */
  readonly isStranger: boolean;
}

/**
 * What is known of a share: when it was here last, until when it has been given time of the loop, ms, what has its turn
 * then, and what waits behind it.
 */
interface Standing {
  readonly isStranger: boolean;
  readonly waiting: WaitingTurns;
  next: Waiting | null;
  timer: NodeJS.Timeout | undefined;
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
/**
 * Of the loop's time, as much as all shares together are given at most and at least: what work takes is estimated, and
 * the loop's load corrects it. Where the machine has other work, the loop is busy whatever it gives, and with the least
 * of it eight hundred of a stranger's requests are answered within seconds.
 */
const [MOST, LEAST] = [2, 0.3];
const [FASTER, SLOWER] = [1.15, 0.8];

/**
 * Whose turn it is on the event loop, which is one thread for everybody. A share that is alone takes all it wants;
 * beside others each gets an equal part of what keeps the loop busy for half of the time, and waits when it has had
 * that. So how long a turn of the loop takes does not depend on how many connections somebody has. Within a share turns
 * go by connections.
 */
export class LoopPace {
  readonly #standings = new Map<string, Standing>();
  /** When connections had their last turn. */
  readonly #turns = new WeakMap<object, number>();
  #strangers = 0;
  #given: number = MOST;
  #load: EventLoopUtilization = performance.eventLoopUtilization();
  #looked = performance.now();
  #closed = false;

  /**
   * Resolves when a share may take so many milliseconds of the loop more on a connection; at once where nobody else
   * wants any.
   */
  async turn(share: Share, milliseconds: number, connection: object): Promise<void> {
    const now = performance.now();
    const standing = this.#standingOf(share, now);
    if (now - this.#looked >= LOOK_MS) this.#look(now);
    if (this.#isFree || (standing.next === null && this.#give(standing, milliseconds, now) <= now)) {
      this.#turns.set(connection, now);
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = { connection, takes: milliseconds, since: now, wake: resolve };
    if (standing.next === null) {
      standing.next = waiting;
      this.#schedule(standing, now);
    } else {
      standing.waiting.add(waiting, this.#turns.get(connection));
    }
    await promise;
  }

  /** Takes note that a share takes so many milliseconds more, which what it asks for next waits for. */
  took(share: Share, milliseconds: number): void {
    const now = performance.now();
    const standing = this.#standingOf(share, now);
    if (!this.#isFree) this.#give(standing, milliseconds, now);
  }

  /** Nobody waits from now on. */
  close(): void {
    this.#closed = true;
    for (const { waiting, next, timer } of this.#standings.values()) {
      clearTimeout(timer);
      next?.wake();
      for (let each = waiting.takeNext(); each; each = waiting.takeNext()) each.wake();
    }
  }

  /** Whether nobody else wants anything of the loop. */
  get #isFree(): boolean {
    return this.#standings.size === 1 || this.#closed;
  }

  /** Gives a share so much more. Returns from when on it has it, ms. */
  #give(standing: Standing, milliseconds: number, now: number): number {
    const part = this.#partOf(standing);
    const rested = Math.max(standing.due, now - AT_ONCE_MS / part);
    standing.due = Math.min(rested + milliseconds / part, now + LONGEST_MS);
    return standing.due;
  }

  /** Has the turns of a share go on when it has what it was given, or something has waited for long enough. */
  #schedule(standing: Standing, now: number): void {
    const { next, due, waiting } = standing;
    if (next === null) return;
    const longest = (waiting.longest?.since ?? Number.POSITIVE_INFINITY) + LONGEST_MS;
    standing.timer = setTimeout(() => this.#goOn(standing), Math.min(due, longest) - now);
  }

  #goOn(standing: Standing): void {
    const now = performance.now();
    const { waiting } = standing;
    while (standing.next !== null && standing.due <= now) {
      this.#wake(standing.next, now);
      standing.next = waiting.takeNext() ?? null;
      if (standing.next !== null) this.#give(standing, standing.next.takes, now);
    }
    for (let each = waiting.longest; each && each.since + LONGEST_MS <= now; each = waiting.longest) {
      waiting.takeLongest();
      this.#wake(each, now);
    }
    this.#schedule(standing, now);
  }

  #wake({ connection, wake }: Waiting, now: number): void {
    this.#turns.set(connection, now);
    wake();
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
    const standing = {
      isStranger,
      waiting: new WaitingTurns(),
      next: null,
      timer: undefined,
      seen: now,
      due: 0,
    };
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
    for (const [key, { isStranger, next, seen, due }] of this.#standings) {
      if (next !== null || Math.max(seen, due) > now - LATELY_MS) continue;
      this.#standings.delete(key);
      if (isStranger) this.#strangers -= 1;
    }
  }
}
