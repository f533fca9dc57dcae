import { blake3 as nobleBlake3 } from "@noble/hashes/blake3.js";
import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import { toHex } from "./encoding.ts";

/** BLAKE3-256 of `bytes`: 32 bytes. */
export function blake3(bytes: Uint8Array): Uint8Array {
  return nobleBlake3(bytes);
}

/** BLAKE3-256 of `bytes`, lowercase hex. */
export function blake3Hex(bytes: Uint8Array): string {
  return toHex(nobleBlake3(bytes));
}

/** SHA-256 of `bytes`: 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return nobleSha256(bytes);
}

/** SHA-256 of `bytes`, lowercase hex. */
export function sha256Hex(bytes: Uint8Array): string {
  return toHex(nobleSha256(bytes));
}
