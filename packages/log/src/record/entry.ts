import { concat, fromBase64, fromUtf8, sha256, toBase64, toUtf8 } from "@colophon/formats";
import { HASH_BYTES } from "../tree/hashing.ts";
import { parseDecimal } from "../note/checkpoint.ts";

/**
 * What a registry's log says, once: that a record was published, or that the one of an earlier entry was taken down.
 */
export type LogEntry =
  | { readonly kind: "published"; readonly at: Date; readonly commitment: Uint8Array }
  | { readonly kind: "takenDown"; readonly at: Date; readonly ends: number };

const HEAD = "colophon-record@v1";
const LINES =
  /^colophon-record@v1\n(published|takenDown)\n(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\n([A-Za-z0-9+/=]+)\n$/;

/** Bytes of the nonce of a commitment. */
export const NONCE_BYTES = 32;

/**
 * What an entry says of a record in place of the record: SHA-256 of the nonce and the record digest, which covers the
 * leaf certificate. Without the nonce nobody can tell whose it is. Throws a RangeError unless both are 32 bytes.
 */
export function commitmentTo(recordDigest: Uint8Array, nonce: Uint8Array): Uint8Array {
  if (nonce.length !== NONCE_BYTES || recordDigest.length !== HASH_BYTES) {
    throw new RangeError("not a nonce and a record digest of 32 bytes");
  }
  return sha256(concat(nonce, recordDigest));
}

/** The bytes of an entry: four lines of UTF-8, the last one ended too. */
export function writeEntry(entry: LogEntry): Uint8Array {
  const subject = entry.kind === "published" ? toBase64(entry.commitment) : String(entry.ends);
  return toUtf8(`${HEAD}\n${entry.kind}\n${toSecond(entry.at)}\n${subject}\n`);
}

/** Reads an entry. Throws a SyntaxError on bytes that `writeEntry` does not write. */
export function parseEntry(bytes: Uint8Array): LogEntry {
  const [, kind, time = "", subject = ""] = LINES.exec(text(bytes)) ?? [];
  const at = new Date(time);
  if (kind === undefined || Number.isNaN(at.getTime()) || toSecond(at) !== time) {
    throw new SyntaxError("not an entry");
  }
  if (kind === "takenDown") return { kind, at, ends: parseDecimal(subject) };
  const commitment = fromBase64(subject);
  if (commitment.length !== HASH_BYTES) throw new SyntaxError("an entry without a commitment");
  return { kind: "published", at, commitment };
}

/** RFC 3339 in UTC, cut to the second. */
function toSecond(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}

function text(bytes: Uint8Array): string {
  try {
    return fromUtf8(bytes);
  } catch {
    throw new SyntaxError("an entry that is not UTF-8");
  }
}
