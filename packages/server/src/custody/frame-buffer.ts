import { refuse } from "@colophon/contract";
import type { ByteBudget } from "./body-budget.ts";
import { zero } from "./zero.ts";

/**
 * Memory for the frames of one request, one frame at a time: filled as it is read, sent to the process that decodes its
 * image, and zeroed before the next. In one piece, for a frame is read by offsets; resizable, so that growing never
 * moves bytes.
 */
export class FrameBuffer implements Disposable {
  readonly #memory: ArrayBuffer;
  readonly #budget: ByteBudget;
  #length = 0;
  #zeroed = true;

  /** @param capacity bytes of the longest frame; memory is taken only as far as a frame fills it */
  constructor(capacity: number, budget: ByteBudget) {
    this.#memory = new ArrayBuffer(0, { maxByteLength: Math.min(capacity, budget.limit) });
    this.#budget = budget;
  }

  /**
   * Takes the next bytes of the frame; the caller zeroes its own copy.
   * @throws Refusal imageCouldNotBeChecked past the capacity, serviceUnavailable when there is no room for them
   */
  append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#memory.byteLength) this.#grow(length);
    new Uint8Array(this.#memory, this.#length).set(bytes);
    this.#length = length;
  }

  /** The frame as it was posted; a view, never a copy. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#memory, 0, this.#length);
  }

  /**
   * Zeroes the frame and reads its memory back, for the next one to fill. True when every byte of it, and of those
   * before, is gone.
   */
  erase(): boolean {
    if (this.#length > 0) this.#zeroed = zero(Buffer.from(this.#memory, 0, this.#length)) && this.#zeroed;
    this.#length = 0;
    return this.#zeroed;
  }

  /** Erases the frame and gives the memory back to the system, now and not when the collector gets to it. */
  [Symbol.dispose](): void {
    this.erase();
    this.#budget.giveBack(this.#memory.byteLength);
    this.#memory.transfer(0);
  }

  #grow(length: number): void {
    if (length > this.#memory.maxByteLength) throw refuse("imageCouldNotBeChecked", "declined");
    this.#budget.take(length - this.#memory.byteLength);
    this.#memory.resize(length);
  }
}
