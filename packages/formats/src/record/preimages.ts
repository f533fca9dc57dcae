import { concat, fromUtf8, toUtf8, uint16, uint64 } from "../bytes/encoding.ts";
import { sha256 } from "../bytes/hashes.ts";

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

/** All that a record states: of which image, with which manifests in which order, and when. */
export interface RecordStatement {
  readonly canonicalVersion: number;
  /** 32 raw bytes. */
  readonly contentHash: Uint8Array;
  readonly manifests: readonly SignedManifest[];
  /** To the millisecond. */
  readonly signedAt: Date;
}

const RECORD_HEAD = toUtf8("colophon record 1\0");
const CONTENT_HASH_BYTES = 32;
const CERTIFICATE_HASH_BYTES = 32;

/**
 * The bytes of which the record digest is the SHA-256: `colophon record 1` and a NUL byte; the 32 bytes of the content
 * hash; the collection preimage, with count 0 for a record without manifests; the SHA-256 of the leaf certificate's
 * DER; the milliseconds since 1970 as a uint64, big-endian. Without `leafCertificate` nothing stands in its place: of
 * that the leaf certificate itself holds the digest. Throws a RangeError when a part does not fit its field.
 */
export function recordPreimage(statement: RecordStatement, leafCertificate?: Uint8Array): Uint8Array {
  const { canonicalVersion, contentHash, manifests, signedAt } = statement;
  if (contentHash.length !== CONTENT_HASH_BYTES) throw new RangeError("not a content hash of 32 bytes");
  return concat(
    RECORD_HEAD,
    contentHash,
    collectionPreimage(canonicalVersion, contentHash, manifests),
    ...(leafCertificate === undefined ? [] : [sha256(leafCertificate)]),
    uint64(signedAt.getTime()),
  );
}

/** The record digest, 32 bytes: SHA-256 of `recordPreimage`. */
export function recordDigest(statement: RecordStatement, leafCertificate?: Uint8Array): Uint8Array {
  return sha256(recordPreimage(statement, leafCertificate));
}

/** Reads what `recordPreimage` writes with a leaf certificate. Throws a SyntaxError on any other bytes. */
export function readRecordPreimage(preimage: Uint8Array): RecordStatement {
  const view = new DataView(preimage.buffer, preimage.byteOffset, preimage.byteLength);
  let at = 0;
  const take = (length: number): Uint8Array => preimage.subarray(at, (at += length));
  const counted = (): Uint8Array => {
    const length = view.getUint16(at);
    at += 2;
    return take(length);
  };
  try {
    const head = take(RECORD_HEAD.length);
    const contentHash = take(CONTENT_HASH_BYTES);
    const canonicalVersion = view.getUint8(at);
    at += 1;
    const again = counted();
    const count = view.getUint16(at);
    at += 2;
    const manifests = Array.from({ length: count }, () => ({ kind: fromUtf8(counted()), hash: counted() }));
    at += CERTIFICATE_HASH_BYTES;
    const signedAt = new Date(Number(view.getBigUint64(at)));
    const isWhole = at + 8 === preimage.length && isSame(head, RECORD_HEAD) && isSame(contentHash, again);
    if (isWhole && !Number.isNaN(signedAt.getTime())) {
      return { canonicalVersion, contentHash, manifests, signedAt };
    }
  } catch {
    // A length that leads out of the bytes, or a kind that is no text.
  }
  throw new SyntaxError("not the preimage of a record digest");
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

function versionByte(version: number): Uint8Array {
  if (!Number.isInteger(version) || version < 0 || version > 0xff) throw new RangeError("not a version byte");
  return Uint8Array.of(version);
}

function prefixed(bytes: Uint8Array): [Uint8Array, Uint8Array] {
  return [uint16(bytes.length), bytes];
}
