/** How long the parser works in one turn of the loop, ms. */
const AT_ONCE_MS = 4;

/** A step of parsing: hands on one piece of what a connection has read. */
export type Step = () => void;

/** Steps of one peer that wait, each in the order in which they came. */
interface Steps {
  readonly ofNew: Step[];
  readonly others: Step[];
}

/**
 * Whose turn it is to have what was read parsed. One read of a socket may bring a thousand requests, and a turn of the
 * loop reads from every socket that has something: parsed where it is read, what strangers send would be over before
 * anybody else is heard. Here some is parsed in a turn of the loop, of every peer in rotation and of each peer's
 * connections new ones first, then in the order in which they asked. A turn of the loop accepts one connection (libuv
 * since 1.45): while some come, nothing is parsed for as long as the last turn took in which something was, with all
 * that came of it.
 */
export class ParserTurns {
  /** The steps that wait, of each peer, in rotation. */
  readonly #waiting = new Map<string, Steps>();
  #spent = 0;
  #scheduled = false;
  #hasNews = false;
  /** When steps began to be worked in this turn of the loop, ms. */
  #began: number | null = null;
  /** Until when new connections have the loop, if some come, ms. */
  #theirsUntil = 0;

  /** Takes note of a new connection, which others may stand behind. */
  accepted(): void {
    this.#hasNews = true;
  }

  /**
   * Works a step now where none waits and the turn of the loop has time left; else returns false, and it is to `wait`.
   */
  now(step: Step): boolean {
    if (this.#waiting.size > 0 || this.#spent >= AT_ONCE_MS) return false;
    if (this.#isTheirs(performance.now())) return false;
    this.#work(step);
    this.#schedule();
    return true;
  }

  /**
   * Has a step worked in a later turn of the loop.
   * @param peer whose it is
   * @param isNew whether its connection has had none yet
   */
  wait(peer: string, step: Step, isNew = false): void {
    const steps = this.#waiting.get(peer) ?? { ofNew: [], others: [] };
    (isNew ? steps.ofNew : steps.others).push(step);
    this.#waiting.set(peer, steps);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#scheduled = false;
    this.#spent = 0;
    const now = performance.now();
    if (this.#began !== null) this.#theirsUntil = now + (now - this.#began);
    this.#began = null;
    if (!this.#isTheirs(now)) this.#workAll();
    this.#hasNews = false;
    if (this.#waiting.size > 0 || this.#began !== null) this.#schedule();
  }

  /** Whether this turn of the loop is new connections'. */
  #isTheirs(now: number): boolean {
    return this.#hasNews && now < this.#theirsUntil;
  }

  /** Works what waits as long as there is time. */
  #workAll(): void {
    for (const [peer, steps] of this.#waiting) {
      if (this.#spent >= AT_ONCE_MS) break;
      this.#waiting.delete(peer);
      const step = steps.ofNew.shift() ?? steps.others.shift();
      if (steps.ofNew.length + steps.others.length > 0) this.#waiting.set(peer, steps);
      if (step) this.#work(step);
    }
  }

  #work(step: Step): void {
    const began = performance.now();
    this.#began ??= began;
    step();
    this.#spent += performance.now() - began;
  }
}
