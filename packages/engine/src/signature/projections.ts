import { createCipheriv, createHmac } from "node:crypto";

/** Side of a block in cells of the comparison map. */
export const BLOCK = 12;
/** Signature bits a block; each is the sign of a product of two secret projections. */
export const BITS_PER_BLOCK = 16;
const VECTORS = 2 * BITS_PER_BLOCK;
/** Four neighbouring cells' signs are read together. */
export const NIBBLES: number = (BLOCK * BLOCK) / 4;
const BYTES_PER_BLOCK = (VECTORS * NIBBLES) / 2;

/**
 * The secret +-1 vectors of one original, 32 of 144 signs for each block.
 *
 * Key: HMAC-SHA256(packet key, "colophon residual 1" || packet id). Stream: ChaCha20 (RFC 8439) under that key, its nonce the
 * layer number, its counter from 0. Block b reads bytes 576 b .. 576 b + 575; vector v its 18 bytes from 18 v; a byte's low
 * nibble comes first; bit n of a nibble is the sign (1: minus) of the nth of four horizontally neighbouring cells.
 */
export class Projections {
  readonly #stream: Buffer;

  constructor(packetKey: Uint8Array, packetId: Uint8Array, layer: number, blocks: number) {
    const key = createHmac("sha256", packetKey).update("colophon residual 1").update(packetId).digest();
    const start = new Uint8Array(16);
    start[4] = layer;
    this.#stream = createCipheriv("chacha20", key, start).update(new Uint8Array(blocks * BYTES_PER_BLOCK));
    key.fill(0);
  }

  /** Sign nibbles of all vectors of one block: entry `vector * NIBBLES + n`, groups of four cells in row-major order. */
  nibbles(block: number, into: Uint8Array): void {
    const base = block * BYTES_PER_BLOCK;
    for (let k = 0; k < BYTES_PER_BLOCK; k += 1) {
      const byte = this.#stream[base + k]!;
      into[2 * k] = byte & 15;
      into[2 * k + 1] = byte >> 4;
    }
  }
}

export const NIBBLES_PER_BLOCK: number = VECTORS * NIBBLES;

/**
 * The products of the block's projection pairs at every shift of up to `radius` cells: entry `bit * shifts + shift`,
 * shifts row by row from (-radius, -radius). `patch` is the band-pass map around the block, (BLOCK + 2 radius) cells square.
 * Sums of four signed neighbours are tabulated once a patch and then only looked up.
 */
export function projectPatch(
  patch: Float32Array,
  radius: number,
  nibbles: Uint8Array,
  table: Float32Array,
  products: Float32Array,
): void {
  const side = BLOCK + 2 * radius;
  const starts = side - 3;
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < starts; x += 1) {
      const at = y * side + x;
      const base = (y * starts + x) * 16;
      const a = patch[at]!;
      const b = patch[at + 1]!;
      const c = patch[at + 2]!;
      const d = patch[at + 3]!;
      for (let signs = 0; signs < 16; signs += 1) {
        table[base + signs] =
          (signs & 1 ? -a : a) + (signs & 2 ? -b : b) + (signs & 4 ? -c : c) + (signs & 8 ? -d : d);
      }
    }
  }
  const reach = 2 * radius + 1;
  const shifts = reach * reach;
  for (let bit = 0; bit < BITS_PER_BLOCK; bit += 1) {
    const first = bit * NIBBLES;
    const second = (bit + BITS_PER_BLOCK) * NIBBLES;
    for (let dy = 0; dy < reach; dy += 1) {
      for (let dx = 0; dx < reach; dx += 1) {
        let one = 0;
        let other = 0;
        for (let row = 0; row < BLOCK; row += 1) {
          const base = ((row + dy) * starts + dx) * 16;
          const n = row * 3;
          one +=
            table[base + nibbles[first + n]!]! +
            table[base + 64 + nibbles[first + n + 1]!]! +
            table[base + 128 + nibbles[first + n + 2]!]!;
          other +=
            table[base + nibbles[second + n]!]! +
            table[base + 64 + nibbles[second + n + 1]!]! +
            table[base + 128 + nibbles[second + n + 2]!]!;
        }
        products[bit * shifts + dy * reach + dx] = one * other;
      }
    }
  }
}

/** Cells of scratch table that `projectPatch` needs for `radius`. */
export const tableSize = (radius: number): number => (BLOCK + 2 * radius) * (BLOCK + 2 * radius - 3) * 16;
