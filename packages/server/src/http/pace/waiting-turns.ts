/** What waits for its turn on the event loop. */
export interface Waiting {
  /** How much of the loop it takes, and since when it waits, ms. */
  readonly takes: number;
  readonly since: number;
  readonly connection: object;
  readonly wake: () => void;
}

interface Placed extends Waiting {
  /** When its connection had its last turn; before all times where it had none. */
  readonly lastTurn: number;
}

/**
 * What waits for a turn within one share. The connection goes first whose last turn is longest ago, new ones before all
 * others and among equals the first that came: one that keeps many connections holds back no newcomer.
 */
export class WaitingTurns {
  /** By their connections' last turns. */
  readonly #inOrder: Placed[] = [];
  /** As they came. */
  readonly #all = new Set<Placed>();

  /** What waits longest. */
  get longest(): Waiting | undefined {
    const [first] = this.#all;
    return first;
  }

  /** @param lastTurn of its connection, ms; undefined where it had none */
  add(waiting: Waiting, lastTurn: number | undefined): void {
    const placed = { ...waiting, lastTurn: lastTurn ?? Number.NEGATIVE_INFINITY };
    this.#all.add(placed);
    let [from, to] = [0, this.#inOrder.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#inOrder[middle]!.lastTurn <= placed.lastTurn) from = middle + 1;
      else to = middle;
    }
    this.#inOrder.splice(from, 0, placed);
  }

  /** Takes out what goes next. */
  takeNext(): Waiting | undefined {
    const next = this.#inOrder.shift();
    if (next !== undefined) this.#all.delete(next);
    return next;
  }

  takeLongest(): void {
    const [first] = this.#all;
    if (first === undefined) return;
    this.#all.delete(first);
    this.#inOrder.splice(this.#inOrder.indexOf(first), 1);
  }
}
