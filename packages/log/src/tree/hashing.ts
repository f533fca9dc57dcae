import { concat, sha256, toHex } from "@colophon/formats";

/** The root of a tree without entries: SHA-256 of nothing (RFC 6962, 2.1). */
export const EMPTY_ROOT: Uint8Array = sha256(new Uint8Array());

/** Bytes of a hash. */
export const HASH_BYTES = 32;

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** The hash of an entry as a leaf of the tree (RFC 6962, 2.1). */
export function leafHash(entry: Uint8Array): Uint8Array {
  return sha256(concat(LEAF, entry));
}

/** The hash of a node above two others (RFC 6962, 2.1). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concat(NODE, left, right));
}

/** Whether two hashes are the same. */
export function isSameHash(a: Uint8Array, b: Uint8Array): boolean {
  return toHex(a) === toHex(b);
}
