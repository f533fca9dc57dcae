import { free } from "./free.ts";
import { zero } from "./zero.ts";

/** Bytes of a chunk: a small image takes one or two, the largest some hundreds. */
export const CHUNK_BYTES = 262_144;
/**
 * Chunks of one slab, 4 MiB: enough that the C library maps it by itself, and the system has it back whatever lies
 * beside it.
 */
const SLAB_CHUNKS = 16;
/** Slabs that stay for the next images while nobody needs them, 32 MiB. Others go back to the system. */
const KEPT = 8;

interface Slab {
  readonly memory: Buffer;
  readonly idle: Buffer[];
}

/**
 * The memory of posted images: equal pieces, used over and over. One that takes a piece has taken its bytes from the
 * budget first, so there are never more than the budget allows; a piece belongs to one image at a time and is empty
 * whenever it changes hands. Slabs that are in use come first, so that others can go.
 */
const inUse = new Set<Slab>();
const unused: Slab[] = [];
const slabOf = new WeakMap<Buffer, Slab>();

/** An empty piece. */
export function leaseChunk(): Buffer {
  for (const slab of inUse) {
    const chunk = slab.idle.pop();
    if (chunk !== undefined) return chunk;
  }
  const slab = unused.pop() ?? newSlab();
  inUse.add(slab);
  return slab.idle.pop()!;
}

function newSlab(): Slab {
  const memory = Buffer.from(new ArrayBuffer(SLAB_CHUNKS * CHUNK_BYTES));
  const idle = Array.from({ length: SLAB_CHUNKS }, (_, at) =>
    memory.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES),
  );
  const slab = { memory, idle };
  for (const chunk of idle) slabOf.set(chunk, slab);
  return slab;
}

/**
 * Zeroes a piece, reads it back, and keeps it for another image or gives it back to the system.
 *
 * @returns whether every byte is gone; if not, the piece is given up with what it holds
 */
export function returnChunk(chunk: Buffer): boolean {
  if (!zero(chunk)) return false;
  const slab = slabOf.get(chunk)!;
  slab.idle.push(chunk);
  if (slab.idle.length < SLAB_CHUNKS) return true;
  inUse.delete(slab);
  if (unused.length < KEPT) unused.push(slab);
  else free(slab.memory);
  return true;
}
