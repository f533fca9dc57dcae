import { createHash, type Hash } from "node:crypto";
import { refuse } from "@colophon/contract";
import type { ByteBudget } from "./body-budget.ts";
import { CHUNK_BYTES, leaseChunk, returnChunk } from "./pixel-chunks.ts";

/**
 * One posted image in memory: the only copy, filled as the request is read, sent to the process that decodes it, and
 * zeroed on disposal. It lies in chunks of the process's own, so growing never moves bytes, and no image waits for a
 * buffer of the largest.
 */
export class PixelBuffer implements Disposable {
  readonly #capacity: number;
  readonly #budget: ByteBudget;
  readonly #hash: Hash = createHash("sha256");
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #imageHash: Buffer | null = null;
  #zeroed: boolean | null = null;

  /** @param capacity the per-image cap, bytes; memory is taken only as far as it is filled */
  constructor(capacity: number, budget: ByteBudget) {
    this.#capacity = capacity;
    this.#budget = budget;
  }

  /**
   * Takes the next bytes of the image; the caller zeroes its own copy.
   * @throws Refusal imageTooLarge past the capacity, serviceUnavailable when there is no room for them
   */
  append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#capacity) throw refuse("imageTooLarge");
    for (let at = 0; at < bytes.length; ) {
      const free = this.#chunks.length * CHUNK_BYTES - this.#length;
      if (free === 0) {
        this.#budget.take(CHUNK_BYTES);
        this.#chunks.push(leaseChunk());
        continue;
      }
      const part = bytes.subarray(at, at + free);
      this.#chunks.at(-1)?.set(part, CHUNK_BYTES - free);
      this.#length += part.length;
      at += part.length;
    }
    this.#hash.update(bytes);
  }

  get byteLength(): number {
    return this.#length;
  }

  /** The image as it was posted, piece by piece; views, never copies, void once it is erased. */
  get parts(): readonly Uint8Array[] {
    const last = this.#chunks.length - 1;
    return this.#chunks.map((chunk, i) =>
      i < last ? chunk : chunk.subarray(0, this.#length - i * CHUNK_BYTES),
    );
  }

  /** SHA-256 of the posted bytes, once all are here. */
  get imageHash(): Buffer {
    this.#imageHash ??= this.#hash.digest();
    return this.#imageHash;
  }

  /**
   * Zeroes the memory, reads it back and gives it away. True when every byte is gone; again and again the same answer.
   */
  erase(): boolean {
    if (this.#zeroed === null) {
      const chunks = this.#chunks.splice(0);
      this.#zeroed = chunks.map(returnChunk).every(Boolean);
      this.#budget.giveBack(chunks.length * CHUNK_BYTES);
    }
    return this.#zeroed;
  }

  [Symbol.dispose](): void {
    this.erase();
  }
}
