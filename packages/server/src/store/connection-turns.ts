import { availableParallelism } from "node:os";
import { RecentShares } from "@colophon/engine";

/** Connections that an account may have while another is at work: what keeps the processors of one machine busy. */
export const BESIDE_OTHERS: number = Math.max(2, availableParallelism());
/** What of one account may wait for a connection; more is refused. */
export const MOST_WAITING = 1_000;

/** An account's id; null for the service's own work. */
type Share = string | null;

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Whose turn it is to have a connection. An account may have as many as it leaves free for everybody else: half of all
 * while it is alone, so that another finds one free at once, and a few beside another, whose statements want the
 * processors, too. Of those that wait, the account with the fewest comes first, in turn among equals. The service's own
 * work, little and waited for by all, comes before any.
 */
export class ConnectionTurns {
  readonly #patienceMs: number;
  #free: number;
  readonly #held = new Map<Share, number>();
  readonly #recent: RecentShares;
  /** By share; of those that hold equally many, the first is next. */
  readonly #waiting = new Map<Share, Waiting[]>();

  /** @param recent which accounts are at work */
  constructor(connections: number, patienceMs: number, recent: RecentShares = new RecentShares()) {
    this.#recent = recent;
    this.#free = connections;
    this.#patienceMs = patienceMs;
  }

  /**
   * Resolves once the share may have a connection, with what gives it back.
   * @throws TooManyConnections when too much of the share waits, or when this has waited for too long
   */
  async take(share: Share): Promise<() => void> {
    if (share !== null) this.#recent.note(share);
    if (this.#waiting.has(share) || !this.#mayHave(share)) await this.#wait(share);
    else this.#begin(share);
    return () => this.#end(share);
  }

  /** How much waits, of all shares. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, line) => sum + line.length, 0);
  }

  async #wait(share: Share): Promise<void> {
    const line = this.#waiting.get(share) ?? [];
    if (line.length >= MOST_WAITING) throw new TooManyConnections();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own = { begin: resolve, refuse: reject };
    line.push(own);
    this.#waiting.set(share, line);
    const patience = setTimeout(() => {
      line.splice(line.indexOf(own), 1);
      if (line.length === 0) this.#waiting.delete(share);
      own.refuse(new TooManyConnections());
    }, this.#patienceMs);
    try {
      await promise;
    } finally {
      clearTimeout(patience);
    }
  }

  #mayHave(share: Share): boolean {
    if (share === null) return this.#free > 0;
    const held = this.#held.get(share) ?? 0;
    if (this.#free === 0 || held === 0) return this.#free > 0;
    if (held >= BESIDE_OTHERS && this.#recent.besides(share)) return false;
    return held + 1 <= this.#free - 1;
  }

  #begin(share: Share): void {
    this.#free -= 1;
    this.#held.set(share, (this.#held.get(share) ?? 0) + 1);
  }

  #end(share: Share): void {
    this.#free += 1;
    if (share !== null) this.#recent.note(share);
    const held = (this.#held.get(share) ?? 1) - 1;
    if (held > 0) this.#held.set(share, held);
    else this.#held.delete(share);
    for (let next = this.#next(); next !== null; next = this.#next()) this.#serve(...next);
  }

  /** The share that is next, if any that waits may have a connection now. */
  #next(): [Share, Waiting[]] | null {
    let best: [Share, Waiting[]] | null = null;
    for (const [share, line] of this.#waiting) {
      if (!this.#mayHave(share)) continue;
      if (best === null || this.#weight(share) < this.#weight(best[0])) best = [share, line];
    }
    return best;
  }

  #weight(share: Share): number {
    return share === null ? -1 : (this.#held.get(share) ?? 0);
  }

  #serve(share: Share, line: Waiting[]): void {
    this.#waiting.delete(share);
    const first = line.shift();
    if (line.length > 0) this.#waiting.set(share, line);
    this.#begin(share);
    first?.begin();
  }
}

/** No connection could be had; to be asked again later, as while the database is away. */
export class TooManyConnections extends Error {
  override readonly name = "TooManyConnections";
  /** SQLSTATE too_many_connections. */
  readonly code = "53300";
  constructor() {
    super("Too much waits for a connection to the database.");
  }
}
