import { refuse } from "@colophon/contract";
import type { PixelBudget } from "./pixel-budget.ts";
import { zero } from "./pixel-buffer.ts";

/**
 * Memory for the frames of one request, one frame at a time: filled as it is read, shared with the worker that decodes
 * its image, and zeroed before the next. A growable SharedArrayBuffer, so that growing never moves bytes.
 */
export class FrameBuffer implements Disposable {
  readonly #memory: SharedArrayBuffer;
  readonly #budget: PixelBudget;
  #length = 0;

  /** @param capacity bytes of the longest frame; memory is committed only as far as a frame fills it */
  constructor(capacity: number, budget: PixelBudget) {
    this.#memory = new SharedArrayBuffer(0, { maxByteLength: Math.min(capacity, budget.limit) });
    this.#budget = budget;
  }

  /**
   * Takes the next bytes of the frame; the caller zeroes its own copy.
   * @throws Refusal imageCouldNotBeChecked when memory for pixels is used up
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

  /** Zeroes the frame and reads its memory back, for the next one to fill. True when every byte is gone. */
  erase(): boolean {
    const zeroed = zero(Buffer.from(this.#memory, 0, this.#length));
    this.#length = 0;
    return zeroed;
  }

  [Symbol.dispose](): void {
    this.erase();
    this.#budget.giveBack(this.#memory.byteLength);
  }

  #grow(length: number): void {
    if (length > this.#memory.maxByteLength) throw refuse("imageCouldNotBeChecked", "declined");
    try {
      this.#budget.take(length - this.#memory.byteLength);
    } catch {
      throw refuse("imageCouldNotBeChecked", "declined");
    }
    this.#memory.grow(length);
  }
}
