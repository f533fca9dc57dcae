import { free } from "./free.ts";
import { zero } from "./zero.ts";

/** Bytes of a chunk: a small image takes one or two, the largest some hundreds. */
export const CHUNK_BYTES = 262_144;
/** Chunks that stay for the next images while nobody needs them: 32 MiB. Others go back to the system. */
const KEPT = 128;

/**
 * The memory of posted images: equal pieces, used over and over. One that takes a piece has taken its bytes from the budget first, so
 * there are never more than the budget allows; a piece belongs to one image at a time and is empty whenever it changes hands.
 */
const idle: Buffer[] = [];

/** An empty piece. */
export function leaseChunk(): Buffer {
  return idle.pop() ?? Buffer.from(new ArrayBuffer(CHUNK_BYTES));
}

/**
 * Zeroes a piece, reads it back, and keeps it for another image or gives it back to the system.
 *
 * @returns whether every byte is gone; if not, the piece is given up with what it holds
 */
export function returnChunk(chunk: Buffer): boolean {
  if (!zero(chunk)) return false;
  if (idle.length < KEPT) idle.push(chunk);
  else free(chunk);
  return true;
}
