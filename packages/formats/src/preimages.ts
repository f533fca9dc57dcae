import { concat, toUtf8, uint16 } from "./encoding.ts";

/** The preimage version this service signs; the first byte of every manifest and collection preimage. */
export const CANONICAL_VERSION = 2;

/** What a manifest's signature says of it: its kind and the BLAKE3-256 of its stored bytes (32 raw bytes). */
export interface SignedManifest {
  readonly kind: string;
  readonly hash: Uint8Array;
}

/**
 * The bytes a manifest's signature covers: the version byte, then content hash, kind (UTF-8) and manifest hash, each
 * after its uint16 big-endian length. Throws a RangeError when a length or the version does not fit its field.
 */
export function manifestPreimage(
  canonicalVersion: number,
  contentHash: Uint8Array,
  manifest: SignedManifest,
): Uint8Array {
  return concat(
    versionByte(canonicalVersion),
    ...prefixed(contentHash),
    ...prefixed(toUtf8(manifest.kind)),
    ...prefixed(manifest.hash),
  );
}

/**
 * The bytes the collection signature covers: the version byte, the content hash after its uint16 length, a uint16
 * count, then each manifest's kind and hash in order, each after its uint16 length.
 */
export function collectionPreimage(
  canonicalVersion: number,
  contentHash: Uint8Array,
  manifests: readonly SignedManifest[],
): Uint8Array {
  return concat(
    versionByte(canonicalVersion),
    ...prefixed(contentHash),
    uint16(manifests.length),
    ...manifests.flatMap(({ kind, hash }) => [...prefixed(toUtf8(kind)), ...prefixed(hash)]),
  );
}

function versionByte(version: number): Uint8Array {
  if (!Number.isInteger(version) || version < 0 || version > 0xff) throw new RangeError("not a version byte");
  return Uint8Array.of(version);
}

function prefixed(bytes: Uint8Array): [Uint8Array, Uint8Array] {
  return [uint16(bytes.length), bytes];
}
