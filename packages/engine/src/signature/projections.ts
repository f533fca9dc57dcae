import { keyStream } from "./key-stream.ts";

/** Side of a block in cells of the comparison map. */
export const BLOCK = 12;
/** Signature bits a block; each is the sign of a product of two secret projections. */
export const BITS_PER_BLOCK = 16;
const VECTORS = 2 * BITS_PER_BLOCK;
/** Four neighbouring cells' signs are read together. */
export const NIBBLES: number = (BLOCK * BLOCK) / 4;
export const BYTES_PER_BLOCK: number = (VECTORS * NIBBLES) / 2;

/**
 * The secret +-1 vectors of one original, 32 of 144 signs for each block.
 *
 * `keyStream` for "colophon residual 1", its nonce the layer number. Block b reads bytes 576 b .. 576 b + 575; vector v
 * its 18 bytes from 18 v; a byte's low nibble comes first; bit n of a nibble is the sign (1: minus) of the nth of four
 * horizontally neighbouring cells.
 */
export class Projections {
  readonly #stream: Buffer;

  constructor(packetKey: Uint8Array, packetId: Uint8Array, layer: number, blocks: number) {
    const cipher = keyStream("colophon residual 1", { packetKey, packetId }, layer);
    this.#stream = cipher.update(new Uint8Array(blocks * BYTES_PER_BLOCK));
  }

  /** The bytes that tell the vectors of one block. */
  ofBlock(block: number): Uint8Array {
    return this.#stream.subarray(block * BYTES_PER_BLOCK, (block + 1) * BYTES_PER_BLOCK);
  }

  /** The bits of a block that shows nothing: an empty one must not show as such, so they come from the key stream. */
  bitsOfEmpty(block: number): number {
    return this.#stream.readUInt16LE(block * BYTES_PER_BLOCK);
  }

  /** Copies them, without a view for each block. */
  copyBlock(block: number, into: Uint8Array): void {
    this.#stream.copy(into, 0, block * BYTES_PER_BLOCK, (block + 1) * BYTES_PER_BLOCK);
  }

  /**
   * Sign nibbles of all vectors of one block: entry `vector * NIBBLES + n`, groups of four cells in row-major order.
   */
  nibbles(block: number, into: Uint8Array): void {
    for (const [k, byte] of this.ofBlock(block).entries()) {
      into[2 * k] = byte & 15;
      into[2 * k + 1] = byte >> 4;
    }
  }
}

export const NIBBLES_PER_BLOCK: number = VECTORS * NIBBLES;
