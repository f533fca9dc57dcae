import { createHash, type Hash } from "node:crypto";
import { refuse } from "@colophon/contract";
import type { PixelBudget } from "./pixel-budget.ts";

const ZEROES = Buffer.alloc(1 << 16);

/**
 * One posted image in memory: the only copy, filled as the request is read, shared with the worker that decodes
 * it, and zeroed on disposal. The memory is a growable SharedArrayBuffer, so that growing never moves bytes.
 */
export class PixelBuffer implements Disposable {
  readonly #memory: SharedArrayBuffer;
  readonly #budget: PixelBudget;
  readonly #hash: Hash = createHash("sha256");
  #length = 0;
  #imageHash: Buffer | null = null;
  #zeroed: boolean | null = null;

  /** @param capacity the per-image cap, bytes; memory is committed only as far as it is filled */
  constructor(capacity: number, budget: PixelBudget) {
    this.#memory = new SharedArrayBuffer(0, { maxByteLength: capacity });
    this.#budget = budget;
  }

  /**
   * Takes the next bytes of the image; the caller zeroes its own copy.
   * @throws Refusal imageTooLarge past the capacity, imageCouldNotBeCheckedYet when memory for pixels is used up
   */
  append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#memory.maxByteLength) throw refuse("imageTooLarge");
    this.#budget.take(bytes.length);
    this.#memory.grow(length);
    new Uint8Array(this.#memory, this.#length).set(bytes);
    this.#length = length;
    this.#hash.update(bytes);
  }

  get byteLength(): number {
    return this.#length;
  }

  /** The image as it was posted; a view, never a copy. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#memory, 0, this.#length);
  }

  /** SHA-256 of the posted bytes, once all are here. */
  get imageHash(): Buffer {
    this.#imageHash ??= this.#hash.digest();
    return this.#imageHash;
  }

  /** Zeroes the memory and reads it back. True when every byte is gone; again and again the same answer. */
  erase(): boolean {
    if (this.#zeroed === null) {
      this.#zeroed = zero(Buffer.from(this.#memory));
      this.#budget.giveBack(this.#length);
    }
    return this.#zeroed;
  }

  [Symbol.dispose](): void {
    this.erase();
  }
}

/** Zeroes memory and reads it back. True when every byte is gone. */
export function zero(bytes: Buffer): boolean {
  bytes.fill(0);
  for (let at = 0; at < bytes.length; at += ZEROES.length) {
    const end = Math.min(bytes.length, at + ZEROES.length);
    if (bytes.compare(ZEROES, 0, end - at, at, end) !== 0) return false;
  }
  return true;
}
