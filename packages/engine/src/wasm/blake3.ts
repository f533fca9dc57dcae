import { Arena, bytesAt } from "./arena.ts";
import { kernels } from "./kernels.ts";

const CHUNK = 1024;
/** Chunks copied to the kernels at a time. */
const PORTION = 64 * CHUNK;
const HASH_LENGTH = 32;

/** BLAKE3-256 of bytes in any memory. */
export function blake3(bytes: Uint8Array): Uint8Array {
  using arena = new Arena({ input: PORTION, target: HASH_LENGTH });
  const { input, target } = arena.at;
  const portion = bytesAt(input, PORTION);
  kernels.blake3Start();
  let at = 0;
  while (bytes.length - at > PORTION) {
    portion.set(bytes.subarray(at, at + PORTION));
    kernels.blake3Chunks(input, PORTION / CHUNK);
    at += PORTION;
  }
  portion.set(bytes.subarray(at));
  const whole = Math.max(0, Math.ceil((bytes.length - at) / CHUNK) - 1);
  kernels.blake3Chunks(input, whole);
  kernels.blake3End(input + whole * CHUNK, bytes.length - at - whole * CHUNK, target);
  return bytesAt(target, HASH_LENGTH).slice();
}
