/** How long the parser works in one turn of the loop, ms. */
const AT_ONCE_MS = 4;

/** A step of parsing: hands on one piece of what a connection has read. */
export type Step = () => void;

/**
 * Whose turn it is to have what was read parsed. One read of a socket may bring a thousand requests, and a turn of the loop reads from every socket that has
 * something: parsed where it is read, what strangers send would be over before anybody else is heard. Here some is parsed in a turn of the loop, of every peer in
 * rotation and of each peer's connections in the order in which they asked.
 */
export class ParserTurns {
  /** The steps that wait, of each peer, in rotation. */
  readonly #waiting = new Map<string, Step[]>();
  #spent = 0;
  #scheduled = false;

  /** Works a step now where none waits and the turn of the loop has time left; else returns false, and it is to `wait`. */
  now(step: Step): boolean {
    if (this.#waiting.size > 0 || this.#spent >= AT_ONCE_MS) return false;
    this.#work(step);
    this.#schedule();
    return true;
  }

  /** Has a step worked in a later turn of the loop. @param peer whose it is */
  wait(peer: string, step: Step): void {
    const line = this.#waiting.get(peer);
    if (line === undefined) this.#waiting.set(peer, [step]);
    else line.push(step);
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
    for (const [peer, line] of this.#waiting) {
      if (this.#spent >= AT_ONCE_MS) break;
      this.#waiting.delete(peer);
      const step = line.shift();
      if (line.length > 0) this.#waiting.set(peer, line);
      if (step) this.#work(step);
    }
    if (this.#waiting.size > 0) this.#schedule();
  }

  #work(step: Step): void {
    const began = performance.now();
    step();
    this.#spent += performance.now() - began;
  }
}
