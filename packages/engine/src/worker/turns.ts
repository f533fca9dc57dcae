import { RecentShares } from "./recent-shares.ts";

/** What waits for a place. */
export interface Claim {
  /** On whose behalf; places and queue are shared fairly among these. */
  readonly share: string;
  /** Goes on with work that has begun: it comes before other claims of its share. */
  readonly urgent: boolean;
  /** Takes much memory: of these one has a place at a time. */
  readonly large: boolean;
}

/** A place, for as long as it is not disposed. */
export interface Turn extends Disposable {
  readonly outcome: "turn";
  readonly place: number;
}

/** The queue is full, or the places are closed. */
export interface Busy {
  readonly outcome: "busy";
  readonly retryAfterSeconds: number;
}

export interface TurnsOptions {
  readonly places: number;
  /** Claims of each urgency that may wait. */
  readonly queueLimit: number;
}

interface Waiting {
  readonly claim: Claim;
  readonly settle: (answer: Turn | Busy) => void;
}

/** Weight of the newest turn in the running mean of turns. */
const MEAN_WEIGHT = 0.1;
const MAX_RETRY_SECONDS = 60;

/**
 * Shares places among claims. A free place goes to the share that has the fewest, in turn among equals. While another
 * share is at work, each leaves a place free, so that nobody waits for the end of somebody else's picture. Where
 * waiting claims are too many, the share with the most of them is told to come again: nobody fills the queue for
 * others.
 */
export class Turns {
  readonly #options: TurnsOptions;
  /**
   * The place that was freed last comes next: its code is compiled, and what it works with is in the processor's
   * caches.
   */
  readonly #free: number[];
  readonly #waiting: Waiting[] = [];
  /** How many places each share has, and since when it was last given one; shares that have neither are forgotten. */
  readonly #held = new Map<string, number>();
  readonly #served = new Map<string, number>();
  readonly #recent: RecentShares;
  #count = 0;
  #large = false;
  #meanSeconds = 0.5;
  #closed = false;
  #idle: (() => void) | null = null;

  /** @param recent which shares are at work */
  constructor(options: TurnsOptions, recent: RecentShares = new RecentShares()) {
    this.#options = options;
    this.#recent = recent;
    this.#free = Array.from({ length: options.places }, (_, place) => place);
  }

  /** Claims that wait for a place. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves with a place, to be disposed once it is free again. */
  take(claim: Claim): Promise<Turn | Busy> {
    if (this.#closed) return Promise.resolve(this.#busy());
    this.#recent.note(claim.share);
    return new Promise((settle) => {
      this.#waiting.push({ claim, settle });
      this.#serve();
      this.#shed(claim.urgent);
    });
  }

  /** Turns away what waits, and resolves once every place is free. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { settle } of this.#waiting.splice(0)) settle(this.#busy());
    if (this.#free.length < this.#options.places) {
      await new Promise<void>((resolve) => (this.#idle = resolve));
    }
  }

  #serve(): void {
    while (this.#free.length > 0) {
      const next = this.#next();
      if (next === null) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      next.settle(this.#begin(next.claim, this.#free.pop()!));
    }
  }

  /**
   * The claim whose share has the fewest places and waited longest for its last; urgent before older ones within a
   * share.
   */
  #next(): Waiting | null {
    let best: Waiting | null = null;
    for (const waiting of this.#waiting) {
      if (waiting.claim.large && this.#large) continue;
      if (!this.#mayHave(waiting.claim.share)) continue;
      if (best === null || this.#precedes(waiting.claim, best.claim)) best = waiting;
    }
    return best;
  }

  /**
   * Whether a share may have one more place: the last one it leaves to others that are at work. It has one that it
   * waits for then.
   */
  #mayHave(share: string): boolean {
    const held = this.#held.get(share) ?? 0;
    return held === 0 || held < this.#options.places - 1 || !this.#recent.besides(share);
  }

  #precedes(a: Claim, b: Claim): boolean {
    if (a.share === b.share) return a.urgent && !b.urgent;
    const held = (this.#held.get(a.share) ?? 0) - (this.#held.get(b.share) ?? 0);
    if (held !== 0) return held < 0;
    return (this.#served.get(a.share) ?? 0) < (this.#served.get(b.share) ?? 0);
  }

  /** Turns away the newest claim of the share with most of them, while more wait than may. */
  #shed(urgent: boolean): void {
    const alike = this.#waiting.filter(({ claim }) => claim.urgent === urgent);
    if (alike.length <= this.#options.queueLimit) return;
    const counts = new Map<string, number>();
    for (const { claim } of alike) counts.set(claim.share, (counts.get(claim.share) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const greedy = alike.findLast(({ claim }) => counts.get(claim.share) === most)!;
    this.#waiting.splice(this.#waiting.indexOf(greedy), 1);
    greedy.settle(this.#busy());
  }

  #begin(claim: Claim, place: number): Turn {
    const began = performance.now();
    const { share, large } = claim;
    this.#count += 1;
    this.#served.set(share, this.#count);
    this.#held.set(share, (this.#held.get(share) ?? 0) + 1);
    if (large) this.#large = true;
    let open = true;
    return {
      outcome: "turn",
      place,
      [Symbol.dispose]: () => {
        if (!open) return;
        open = false;
        this.#meanSeconds += MEAN_WEIGHT * ((performance.now() - began) / 1000 - this.#meanSeconds);
        if (large) this.#large = false;
        this.#end(share);
        this.#free.push(place);
        if (this.#closed && this.#free.length === this.#options.places) this.#idle?.();
        else this.#serve();
      },
    };
  }

  #end(share: string): void {
    this.#recent.note(share);
    const held = (this.#held.get(share) ?? 1) - 1;
    if (held > 0) this.#held.set(share, held);
    else this.#held.delete(share);
    if (held === 0 && !this.#waiting.some(({ claim }) => claim.share === share)) this.#served.delete(share);
  }

  /** When the claims at hand should be through, in whole seconds. */
  #busy(): Busy {
    const claims = this.#waiting.length + this.#options.places;
    const seconds = Math.ceil((claims * this.#meanSeconds) / this.#options.places);
    return { outcome: "busy", retryAfterSeconds: Math.min(MAX_RETRY_SECONDS, Math.max(1, seconds)) };
  }
}
