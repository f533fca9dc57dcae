import type { SequenceProgress } from "@colophon/contract";

/**
 * The ids and links of a chain whose frames are numbered from 1 in their order, but for those that are left out of it.
 */
export class SequenceLinks {
  readonly #leftOut: Set<number>;

  constructor(leftOut: Iterable<number>) {
    this.#leftOut = new Set(leftOut);
  }

  /** Ids of the frames left out, in order. */
  get leftOut(): readonly number[] {
    return [...this.#leftOut].toSorted((a, b) => a - b);
  }

  leaveOut(frameId: number): void {
    this.#leftOut.add(frameId);
  }

  /** The id before a frame, HEAD's 0 at the least. */
  prev(frameId: number): number {
    let prev = frameId - 1;
    while (this.#leftOut.has(prev)) prev -= 1;
    return prev;
  }

  /** The id after a frame: that of END once there is no other. */
  next(frameId: number): number {
    let next = frameId + 1;
    while (this.#leftOut.has(next)) next += 1;
    return next;
  }

  /**
   * Which frames are to be sent, as a sequence stands that holds none of those left out: those in its gaps, those after
   * the last it holds, and those next to one left out, whose links may be old (sent again as they are, they change
   * nothing).
   */
  missingFrom({ gaps, framesReceived }: SequenceProgress): (frameId: number) => boolean {
    const isLacking = (frameId: number): boolean =>
      gaps.some(({ from, to }) => from <= frameId && frameId <= to);
    const beside = new Set(this.leftOut.flatMap((frameId) => [this.prev(frameId), this.next(frameId)]));
    let last = 0;
    for (let held = 0; held < framesReceived; ) {
      last += 1;
      if (!this.#leftOut.has(last) && !isLacking(last)) held += 1;
    }
    return (frameId) =>
      !this.#leftOut.has(frameId) && (frameId > last || beside.has(frameId) || isLacking(frameId));
  }
}
